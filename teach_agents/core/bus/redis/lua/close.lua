-- What a mailbox still holds; with `remove` the mailbox is gone.
local bus, box, index, remove = unpack(ARGV)
if redis.call('HGET', P .. 'info|' .. box, 'owner') ~= bus then return {} end
local left = redis.call('XRANGE', P .. 'box|' .. box, '-', '+')
if remove == '1' then
  redis.call('SREM', P .. index, box)
  redis.call('DEL', P .. 'info|' .. box, P .. 'box|' .. box)
end
return left
