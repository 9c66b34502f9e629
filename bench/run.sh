#!/usr/bin/env bash
# Throughput of Errata's tunnel next to its peers, and how fast its store answers, on this machine; see docs/benchmarks.md.
#
#   MODE=find DATABASE=sqlite EVENTS=100000 bench/run.sh
#   MODE=intake,e2e PAYLOAD=error CONNECTIONS=1,8,32,128 ROUNDS=3 SECONDS_PER_ROUND=5 ONLY=errata,bare FULL=1 bench/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/node_modules/.bin:$PATH

if [ "$(nproc)" -lt 2 ]; then
  echo 'This needs two cores: one for the server, one for the load and the upstream.' >&2
  exit 1
fi
if [ ! -f backend/dist/main.js ]; then
  echo 'Build first: make build (or run make bench).' >&2
  exit 1
fi

# Pages need a browser on both cores, and nothing of the rest.
modes=${MODE:-intake,e2e,closed,latency,depth,gateway,digest,find,pages}
measured=$(tr ',' '\n' <<<"$modes" | grep -vx pages | paste -sd, || true)
missing=()
# The other modes load no server.
if grep -qE 'intake|e2e|closed|latency|depth|gateway' <<<"$measured"; then
  for tool in wrk nginx; do
    if ! PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null; then missing+=("$tool"); fi
  done
  if [ ! -f /usr/lib/nginx/modules/ngx_http_echo_module.so ]; then missing+=("nginx's echo module"); fi
fi
if [ "${#missing[@]}" -gt 0 ]; then
  if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]}. Install them and run again." >&2
    exit 1
  fi
  sudo=()
  if [ "$(id -u)" != 0 ]; then sudo=(sudo); fi
  echo "==> installing ${missing[*]} (Debian packages)"
  "${sudo[@]}" apt-get update -qq
  # The benchmark runs an nginx of its own; the package's start script is told not to start one on port 80.
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y -qq --no-install-recommends wrk nginx-light libnginx-mod-http-echo >/dev/null
fi
if [ -n "$measured" ]; then MODE=$measured taskset -c 1 node bench/main.ts; fi
if [ "$modes" != "$measured" ]; then
  e2e/install-programs.sh chromium
  echo
  node bench/pages/main.ts
fi
