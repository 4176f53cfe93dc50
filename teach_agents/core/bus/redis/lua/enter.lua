-- Stand in for a worker from now on; with `NX` unless another does.
local bus, worker, keep, how = unpack(ARGV)
redis.call('SET', P .. 'worker|' .. worker, bus, 'PX', keep, unpack(how == '' and {} or {how}))
