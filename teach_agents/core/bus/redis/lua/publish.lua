-- Deliver to all listeners or to none: `ok`, `full`, `wait`, `nobody`, `used`, or `replaced`.
--
-- `mode` is `ask` for a request, and `again` for one that is asked again unless it is still under way. It is for who has
-- listened at the address for longest, within the session first; all others overhear it. One of them that is full is
-- waited for until `waited` comes to `overhearing` in sum; it then is `behind` and gets nothing until it has read all.
local bus, worker, number, mode = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local session, recipient, sender, correlation = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local text, packed, capacity, keep = ARGV[9], ARGV[10], tonumber(ARGV[11]), ARGV[12]
local waited, overhearing = ARGV[13], tonumber(ARGV[14])
if worker ~= '' then
  local owner = redis.call('GET', P .. 'worker|' .. worker)
  if owner and owner ~= bus then return {'replaced'} end
end
local sent = P .. 'sent|' .. bus .. '|' .. session
if redis.call('GET', sent) == number then return {'ok'} end
local wait = P .. 'wait|' .. session .. '|' .. correlation
if mode == 'again' and redis.call('EXISTS', wait) == 1 then return {'ok'} end
local asked = correlation ~= '' and redis.call('HMGET', wait, 'sender', 'replies', 'asked') or {false, false, false}
if mode == 'ask' and asked[2] and asked[2] ~= bus then return {'used'} end
local answered = asked[1] == recipient and asked[3] == sender
local found, mine, first = listeners(session, recipient), '', nil
for _, one in ipairs(found) do
  if one[2] ~= '%2A' and not answered then
    local since = {one[3], tonumber(redis.call('HGET', P .. 'info|' .. one[1], 'since')) or 0}
    if not first or since[1] < first[1] or (since[1] == first[1] and since[2] < first[2]) then
      mine, first = one[1], since
    end
  end
end
if not (first or answered or recipient == '%2A') then return {'nobody'} end
local boxes = {}
for _, one in ipairs(found) do
  local box, info, stream = one[1], P .. 'info|' .. one[1], P .. 'box|' .. one[1]
  local behind = redis.call('HEXISTS', info, 'behind') == 1
  local full = redis.call('XLEN', stream) - redis.call('XPENDING', stream, 'g')[1] >= capacity
  if box == mine then
    if full or behind then return {'full'} end
    boxes[#boxes + 1] = box
  elseif one[2] == '%2A' or not answered then
    if full and not behind then
      if redis.call('HINCRBY', info, 'waited', waited) < overhearing then return {'wait'} end
      redis.call('HSET', info, 'behind', 1)
    elseif not behind then
      boxes[#boxes + 1] = box
    end
  end
end
for _, box in ipairs(boxes) do
  redis.call('XADD', P .. 'box|' .. box, '*', 'text', text, 'packed', box == mine and packed or '')
end
if answered then
  redis.call('XADD', P .. 'replies|' .. asked[2], '*', 'text', text, 'packed', packed)
  redis.call('PEXPIRE', P .. 'replies|' .. asked[2], keep)
  redis.call('DEL', wait)
end
if mode ~= '' then
  redis.call('HSET', wait, 'sender', sender, 'replies', bus, 'asked', recipient)
  redis.call('PEXPIRE', wait, keep)
end
redis.call('SET', sent, number, 'PX', keep)
return {'ok'}
