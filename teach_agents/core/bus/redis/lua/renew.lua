-- Signs of life; answers with the mailboxes that are there no longer.
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
