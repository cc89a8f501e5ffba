-- As many records as there are connections: each is opened, delivered to and judged, and then another one is opened.
dofile("test/bench/wrk/figures.lua")

local open
local evidence = os.getenv("BENCH_COMPLETE")

function init()
  open = wrk.format("POST", "/v1/records", nil, os.getenv("BENCH_OPEN"))
end

-- What the answers made possible, in their order.
local steps, first, last = {}, 1, 0
local function add(path, body)
  last = last + 1
  steps[last] = wrk.format("POST", path, nil, body)
end

function request()
  local step = steps[first]
  if step == nil then return open end
  steps[first], first = nil, first + 1
  return step
end

function response(status, _, body)
  if status ~= 201 then return end
  local id, record = body:match('^{"id":"([%x-]+)","recordId":"([%x-]+)"')
  if record then
    add("/v1/records/" .. record .. "/verdict", '{"verdict":"accept","completionId":"' .. id .. '"}')
  else
    add("/v1/records/" .. body:match('^{"id":"([%x-]+)"') .. "/completions", evidence)
  end
end
