-- A bus waits for a reply no more.
local wait = P .. 'wait|' .. ARGV[2]
return redis.call('HGET', wait, 'replies') == ARGV[1] and redis.call('DEL', wait) or 0
