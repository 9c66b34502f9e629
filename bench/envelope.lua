-- One error envelope of about 3 KiB per request, each with an event id of its own: a tunnel that keeps what it gets
-- must not be helped by repeats. SEED tells runs apart, the thread's number threads, the counter requests.
-- The parts that do not change are put together once: the loader shares its core with the upstream.

local SIZE = 3072
local dsn = os.getenv('DSN')
local seed = os.getenv('SEED')
local threads = 0

function setup(thread)
  thread:set('number', threads)
  threads = threads + 1
end

local function frames(count)
  local list = {}
  for index = 1, count do
    list[index] = string.format(
      '{"filename":"/assets/checkout-BzprlZTx.js","function":"submitOrder%d","in_app":true,"lineno":%d,"colno":%d}',
      index, 40 + index, 7 * index)
  end
  return table.concat(list, ',')
end

local number_format = '%016x'
local prefix, before_id, after_id, counter, id_start

function init()
  counter = 0
  id_start = seed .. string.format('%08x', number)
  local event_head = '","timestamp":1795000000.123,"platform":"javascript","level":"error","environment":"production",'
    .. '"release":"shop@4.2.0","request":{"url":"https://shop.example/checkout","headers":{"User-Agent":"Mozilla/5.0"}},'
    .. '"exception":{"values":[{"type":"TypeError","value":"Cannot read properties of undefined (reading \'total\')",'
    .. '"mechanism":{"type":"onerror","handled":false},"stacktrace":{"frames":[' .. frames(14) .. ']}}]},"extra":{"padding":"'
  local event_tail = '"}}'
  before_id = '","sent_at":"2026-11-21T12:00:00.000Z","dsn":"' .. dsn .. '"}\n{"type":"event"}\n{"event_id":"'
  local length = #'{"event_id":"' + 32 + #before_id + 32 + #event_head + #event_tail
  after_id = event_head .. string.rep('x', SIZE - length) .. event_tail
  prefix = 'POST /tunnel HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port
    .. '\r\nContent-Type: text/plain;charset=UTF-8\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) bench'
    .. '\r\nOrigin: http://' .. wrk.host .. '\r\nSec-Fetch-Site: same-origin\r\nContent-Length: ' .. SIZE
    .. '\r\n\r\n{"event_id":"'
end

function request()
  counter = counter + 1
  local id = id_start .. string.format(number_format, counter)
  return prefix .. id .. before_id .. id .. after_id
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"notOk":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
