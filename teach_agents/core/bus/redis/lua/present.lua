-- Whether somebody listens at an address.
for _, one in ipairs(listeners(ARGV[1], ARGV[2])) do
  if one[2] == ARGV[2] then return 1 end
end
return 0
