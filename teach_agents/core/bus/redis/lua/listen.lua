-- Open a mailbox, or take over the one of that name; 1 when it was there. A worker's comes before all others.
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
