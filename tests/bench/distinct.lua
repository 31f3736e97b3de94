-- wrk -s distinct.lua … URL -- PATH: asks for PATH with another number each time.

local path
local number = 0

function init(arguments)
    path = arguments[1]
end

function request()
    number = number + 1
    return wrk.format("GET", path .. number)
end

function done(summary)
    print(summary.requests)
end
