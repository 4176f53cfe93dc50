"""What Redis does at one stroke: Lua scripts over the keys of one bus.

Names in keys are percent-encoded, so that `|` stands between them only. Every key has a time to live, which its owner
renews while it lives; nothing is left behind for good.

| key | holds |
|---|---|
| `at`, scope, address | the mailboxes that listen there; the scope is a session, or `any` |
| `info`, mailbox | `owner` (a bus), `address`, `since` when, `waited` and `behind` (see `PUBLISH`); its life |
| `box`, mailbox | the stream: what was not yet received, and what is being handled (group `g`) |
| `wait`, session, correlation | who asked whom, and at which stream it waits for the reply |
| `replies`, bus | that stream |
| `sent`, bus, session | the number of the last message that was published, so that none is published twice |
| `worker`, name | the bus that stands in for the worker now |
"""

from __future__ import annotations

_LISTENERS = """
local P = KEYS[1]
local function listeners(session, address)
  local found = {}
  for order, scope in ipairs({'s:' .. session, 'any'}) do
    for _, at in ipairs(address == '%2A' and {'%2A'} or {address, '%2A'}) do
      local index = P .. 'at|' .. scope .. '|' .. at
      for _, box in ipairs(redis.call('SMEMBERS', index)) do
        if redis.call('EXISTS', P .. 'info|' .. box) == 1 then
          found[#found + 1] = {box, at, order}
        else
          redis.call('SREM', index, box)
          redis.call('DEL', P .. 'box|' .. box)
        end
      end
    end
  end
  return found
end
"""

PUBLISH = (
    _LISTENERS
    + """
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
"""
)
"""Deliver to all listeners or to none: `ok`, `full`, `wait`, `nobody`, `used`, or `replaced`.

`mode` is `ask` for a request, and `again` for one that is asked again unless it is still under way. It is for who has
listened at the address for longest, within the session first; all others overhear it. One of them that is full is
waited for until `waited` comes to `overhearing` in sum; it then is `behind` and gets nothing until it has read all.
"""

ENTER = """
local bus, worker, keep, how = unpack(ARGV)
redis.call('SET', KEYS[1] .. 'worker|' .. worker, bus, 'PX', keep, unpack(how == '' and {} or {how}))
"""
"""Stand in for a worker from now on; with `NX` unless another does."""

LISTEN = """
local P = KEYS[1]
local bus, box, index, address, lease, keep, lasting = unpack(ARGV)
local info, stream = P .. 'info|' .. box, P .. 'box|' .. box
local there = redis.call('EXISTS', info) * redis.call('EXISTS', stream)
redis.call('HSET', info, 'owner', bus, 'address', address)
local now = redis.call('TIME')
redis.call('HSETNX', info, 'since', lasting == '1' and 0 or now[1] .. string.format('%06d', now[2]))
redis.call('PEXPIRE', info, lease)
if there == 0 then redis.call('XGROUP', 'CREATE', stream, 'g', '0', 'MKSTREAM') end
redis.call('PEXPIRE', stream, 2 * lease)
redis.call('SADD', P .. index, box)
redis.call('PEXPIRE', P .. index, 2 * keep)
return there
"""
"""Open a mailbox, or take over the one of that name; 1 when it was there. A worker's comes before all others."""

TAKE = """
local P = KEYS[1]
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
"""
"""Acknowledge what was handled and take the next message: first what nobody acknowledged, then what is new.

`behind` says that messages are missing behind the last one.
"""

CLOSE = """
local P = KEYS[1]
local bus, box, index, remove = unpack(ARGV)
if redis.call('HGET', P .. 'info|' .. box, 'owner') ~= bus then return {} end
local left = redis.call('XRANGE', P .. 'box|' .. box, '-', '+')
if remove == '1' then
  redis.call('SREM', P .. index, box)
  redis.call('DEL', P .. 'info|' .. box, P .. 'box|' .. box)
end
return left
"""
"""What a mailbox still holds; with `remove` the mailbox is gone."""

RENEW = """
local P = KEYS[1]
local bus, worker, keep = ARGV[1], ARGV[2], ARGV[3]
if worker ~= '' and redis.call('GET', P .. 'worker|' .. worker) == bus then
  redis.call('PEXPIRE', P .. 'worker|' .. worker, keep)
end
redis.call('PEXPIRE', P .. 'replies|' .. bus, keep)
local gone = {}
for at = 4, #ARGV, 3 do
  local box, index, lease = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  local stream = P .. 'box|' .. box
  if redis.call('PEXPIRE', P .. 'info|' .. box, lease) * redis.call('PEXPIRE', stream, 2 * lease) == 0 then
    gone[#gone + 1] = box
  end
  redis.call('PEXPIRE', P .. index, 2 * keep)
end
return gone
"""
"""Signs of life; answers with the mailboxes that are there no longer."""

FORGET = """
local wait = KEYS[1] .. 'wait|' .. ARGV[2]
return redis.call('HGET', wait, 'replies') == ARGV[1] and redis.call('DEL', wait) or 0
"""
"""A bus waits for a reply no more."""

PRESENT = (
    _LISTENERS
    + """
for _, one in ipairs(listeners(ARGV[1], ARGV[2])) do
  if one[2] == ARGV[2] then return 1 end
end
return 0
"""
)
"""Whether somebody listens at an address."""
