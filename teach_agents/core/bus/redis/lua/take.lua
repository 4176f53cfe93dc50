-- Acknowledge what was handled and take the next message: first what nobody acknowledged, then what is new.
--
-- `behind` says that messages are missing behind the last one.
local bus, box, handled = unpack(ARGV)
local stream = P .. 'box|' .. box
local owner = redis.call('HGET', P .. 'info|' .. box, 'owner')
if not owner or redis.call('EXISTS', stream) == 0 then return {'gone'} end
if owner ~= bus then return {'replaced'} end
if handled ~= '' then
  redis.call('XACK', stream, 'g', handled)
  redis.call('XDEL', stream, handled)
end
local left = redis.call('XAUTOCLAIM', stream, 'g', bus, 0, '0-0', 'COUNT', 1)[2]
if #left == 0 then
  local read = redis.call('XREADGROUP', 'GROUP', 'g', bus, 'COUNT', 1, 'STREAMS', stream, '>')
  left = read and read[1][2] or {}
end
if #left == 0 then
  local behind = redis.call('HGET', P .. 'info|' .. box, 'behind')
  redis.call('HDEL', P .. 'info|' .. box, 'behind', 'waited')
  return {behind and 'behind' or 'none'}
end
return {'one', left[1][1], left[1][2]}
