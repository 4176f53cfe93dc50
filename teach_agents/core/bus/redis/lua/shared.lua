-- What stands before every script: the keys' prefix, and who listens at an address of a session.
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
