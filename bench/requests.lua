-- Requests in turn, each with an event id of its own: a tunnel that keeps what it gets must not be helped by repeats.
-- payloads.ts makes the requests; here they are cut at their ids once, so that each costs little: the loader shares its
-- core with the upstream.
--
-- With RATE the requests follow a schedule (Poisson, so many a second over all connections) as long as a connection is
-- free; without it each connection sends again as soon as it is answered.

local ffi = require('ffi')

local PATH = os.getenv('PAYLOAD_FILE')
local ID = os.getenv('PAYLOAD_ID')
local SEPARATOR = os.getenv('PAYLOAD_SEPARATOR')
local RATE = tonumber(os.getenv('RATE') or '')
local seed = os.getenv('SEED')

-- What a slow server did not let be sent is not sent later all at once; so many ms of it at most.
local MAX_LAG_MS = 100

local variants = {}
local counter, tail

-- Lists, in which every second part is an id.
local function cut(text)
  local parts = {}
  local from = 1
  while true do
    local first, last = text:find(ID, from, true)
    parts[#parts + 1] = text:sub(from, (first or 0) - 1)
    if not first then return parts end
    parts[#parts + 1] = ID
    from = last + 1
  end
end

function init()
  counter = 0
  tail = seed .. '%016x'
  math.randomseed(tonumber(seed, 16))
  local file = assert(io.open(PATH, 'rb'))
  for text in file:read('*a'):gmatch('[^' .. SEPARATOR .. ']+') do variants[#variants + 1] = cut(text) end
  file:close()
end

-- The counter comes first, scattered (Knuth's multiplicative hash, one to one in 32 bits): ids that rise would spare
-- an index its work.
function request()
  counter = counter + 1
  local id = string.format('%08x', counter * 2654435761 % 4294967296) .. string.format(tail, counter)
  local parts = variants[counter % #variants + 1]
  for slot = 2, #parts, 2 do parts[slot] = id end
  return table.concat(parts)
end

if RATE then
  ffi.cdef('typedef struct { long s; long ns; } bench_time; int clock_gettime(int clock, bench_time *time);')
  local time = ffi.new('bench_time')
  local slot

  function delay()
    ffi.C.clock_gettime(1, time)
    local now = tonumber(time.s) * 1e3 + tonumber(time.ns) / 1e6
    slot = math.max((slot or now) - math.log(1 - math.random()) / RATE * 1e3, now - MAX_LAG_MS)
    return math.max(0, math.floor(slot - now))
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"notOk":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
