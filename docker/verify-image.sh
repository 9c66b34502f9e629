#!/usr/bin/env bash
# Builds the image and tests it in locked-down containers and in the pods of docker/kubernetes, with Debian's buildah,
# podman and runc: it needs no Docker engine, no container registry and no cluster. Stand-ins replace the public bases
# (make-base-images.sh, once).
#
#   BASES=public   pull the public bases instead of making stand-ins
#   KEEP=1         leave the container running
#
# Needs root. Prints PASS and FAIL lines; the last line has the totals, and the exit status is 1 when a check failed.
# shellcheck disable=SC2016 # scripts of Node in single quotes
# shellcheck disable=SC2317 # functions that the trap calls
set -euo pipefail
cd "$(dirname "$0")/.."
# As in the Makefile: npm looks for the machine's npmrc beside the Node that runs it, so the path is read before PATH
# changes.
export NPM_CONFIG_GLOBALCONFIG=${NPM_CONFIG_GLOBALCONFIG:-$(npm config get globalconfig 2>/dev/null)}
export PATH=$PWD/node_modules/.bin:$PATH
# shellcheck source=docker/image-lab.sh
source docker/image-lab.sh
# shellcheck source=docker/image-build.sh
source docker/image-build.sh

IMAGE=localhost/errata:verify
MEMORY=256m
MAX_SIZE_MB=250
MAX_COMPRESSED_MB=85
MAX_STOP_MS=1000
# Longest start, as a multiple of an empty Node in the same image on the same machine, and never below 4 s: a fixed limit
# alone judges the load of the machine.
MAX_EMPTY_STARTS=12
LEAST_START_LIMIT_MS=4000
LABELS=(title description version revision source licenses created)

passed=0
failed=0
pass() { passed=$((passed + 1)); printf 'PASS  %s\n' "$*"; }
fail() { failed=$((failed + 1)); printf 'FAIL  %s\n' "$*"; }
# judge NAME FINDINGS: passes when there are no findings
judge() { if [ -z "$2" ]; then pass "$1"; else fail "$1: $(tr '\n' ' ' <<< "$2")"; fi; }
now_ms() { date +%s%3N; }

need_root
install_tools
configure_tools

build() {
  local network=(--network host --isolation chroot)
  if [ "${BASES:-}" != public ]; then
    if [ "$(cat "$LAB/node-version" 2>/dev/null)" != "$(node_modules/node/bin/node --version)" ] ||
      ! podman image exists "$BUILD_BASE" || ! podman image exists "$RUNTIME_BASE"; then
      docker/make-base-images.sh
    fi
    export NODE_IMAGE=$BUILD_BASE RUNTIME_IMAGE=$RUNTIME_BASE
    network+=(--pull-never)
  fi
  say "building (log: $LAB/build.log)"
  if ! build_image buildah "$IMAGE" "${network[@]}" --layers=false > "$LAB/build.log" 2>&1; then
    tail -30 "$LAB/build.log"
    fail 'the image builds'
    summary
  fi
  # Removes the image of the previous run.
  podman image prune --force >/dev/null
  pass "the image builds from docker/Dockerfile, $((($(now_ms) - started) / 1000)) s after the start"
}

config() { podman image inspect "$IMAGE" --format "$1"; }

judge_configuration() {
  local user label value
  user=$(config '{{.Config.User}}')
  if [[ $user =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]]; then pass "user is numeric and not root: $user"; else fail "user must be numeric and not root: '$user'"; fi
  for label in "${LABELS[@]}"; do
    value=$(config "{{index .Config.Labels \"org.opencontainers.image.$label\"}}")
    if [ -n "$value" ]; then pass "label $label: $value"; else fail "label $label is missing"; fi
  done
  if [ "$(config '{{if .HealthCheck}}yes{{end}}')" = yes ]; then pass 'it has a HEALTHCHECK'; else fail 'it has no HEALTHCHECK'; fi
  if [ "$(config '{{json .Config.Cmd}}')" = '["docker/start.ts"]' ]; then pass 'CMD is in exec form'; else fail 'CMD is not in exec form'; fi
  judge 'it declares no volume' "$(config '{{range $path, $_ := .Config.Volumes}}{{$path}} {{end}}')"
}

judge_size() {
  local size compressed
  size=$(($(config '{{.Size}}') / 1000000))
  compressed=$(($(podman save --quiet --format docker-archive "$IMAGE" | gzip | wc -c) / 1000000))
  if [ "$size" -le "$MAX_SIZE_MB" ]; then pass "size $size MB (at most $MAX_SIZE_MB)"; else fail "size $size MB, more than $MAX_SIZE_MB"; fi
  if [ "$compressed" -le "$MAX_COMPRESSED_MB" ]; then pass "compressed $compressed MB (at most $MAX_COMPRESSED_MB)"; else fail "compressed $compressed MB, more than $MAX_COMPRESSED_MB"; fi
}

# Prints the development dependencies of all package.json files.
development_packages() {
  node -p '["", "backend/", "frontend/"]
    .flatMap((folder) => Object.keys(require(`./${folder}package.json`).devDependencies)).join("\n")'
}

judge_files() {
  local root package found=''
  root=$(podman image mount "$IMAGE")
  while IFS= read -r package; do
    found+=$(find "$root/app" -type d -path "*/node_modules/$package" -printf '%P\n')
  done < <(development_packages)
  judge 'no development packages' "$found"
  judge 'no shell and no package tool' "$(find "$root" -xdev \( -name sh -o -name bash -o -name busybox -o -name npm -o -name apt -o -name dpkg \) \( -type f -o -type l \) -perm /111 -printf '%P\n')"
  judge 'nothing is world-writable without the sticky bit' "$(find "$root" -xdev ! -type l -perm -0002 ! -perm -1000 -printf '%P\n')"
  judge 'nothing is setuid or setgid' "$(find "$root" -xdev -type f -perm /6000 -printf '%P\n')"
  judge 'the application cannot change itself' "$(find "$root/app" ! -user 0 -printf '%P\n' | head -3)"
  judge 'no keys, settings or history left behind' "$(find "$root" -xdev \( -name '.npmrc' -o -name '.env*' -o -name .git -o -name '*.key' -o -path '*/run/secrets/*' \) -printf '%P\n')"
  judge "no maps, types or tests among the dependencies" "$(find "$root/app" -path '*/node_modules/*' \( -name '*.map' -o -name '*.d.ts' -o -name '*.spec.js' \) -printf '%P\n' | head -3)"
  judge 'no native add-ons' "$(find "$root/app" -name '*.node' -printf '%P\n')"
  if [ "$(stat -c %u:%g:%a "$root/data")" = 65532:0:2770 ]; then pass '/data is writable by 65532 and by group 0'; else fail "/data is $(stat -c %u:%g:%a "$root/data"), not 65532:0:2770"; fi
  podman image umount "$IMAGE" >/dev/null
}

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

# run_locked NAME [USER]: runs the image with the limits of a Pod Security "restricted" cluster, on the host's loopback.
# The filter removes podman's warning that healthchecks need systemd; this script runs them itself.
run_locked() {
  port=$(free_port)
  management_port=$(free_port)
  podman volume create "$1" >/dev/null
  run_at=$(now_ms)
  podman run --detach --name "$1" --network host --read-only --cap-drop all --security-opt no-new-privileges \
    --memory "$MEMORY" --pids-limit 200 --tmpfs /tmp ${2:+--user "$2"} --volume "$1:/data" \
    --env HOST=127.0.0.1 --env PORT="$port" --env MANAGEMENT_PORT="$management_port" "$IMAGE" \
    2> >(grep -v systemd >&2) >/dev/null
}

# Without its volume a container must not start: on the root's disk, acknowledged errors are lost with the container.
judge_forgotten_mount() {
  local printed status=0
  printed=$(podman run --rm --read-only --network none --no-healthcheck "$IMAGE" 2>&1) || status=$?
  if [ "$status" = 1 ] && [ "$printed" = 'ERRATA_DATA_DIR: /data is not writable (EROFS)' ]; then
    pass 'without its volume the start ends and names ERRATA_DATA_DIR'
  else
    fail "without its volume the start ends with $status: $printed"
  fi
}

# Prints the longest start that passes, in milliseconds.
start_limit_ms() {
  local from limit
  from=$(now_ms)
  podman run --rm --network none --no-healthcheck "$IMAGE" -e 0 >/dev/null
  limit=$((($(now_ms) - from) * MAX_EMPTY_STARTS))
  echo $((limit > LEAST_START_LIMIT_MS ? limit : LEAST_START_LIMIT_MS))
}

# judge_flags NAME: the server runs with the flags of docker/node-flags.ts.
judge_flags() {
  local flag command missing=''
  command=$(podman top "$1" args)
  while IFS= read -r flag; do [[ $command == *"$flag"* ]] || missing+="$flag "; done < <(
    node --input-type=module -e 'import { NODE_FLAGS } from "./docker/node-flags.ts"; console.log(NODE_FLAGS.join("\n"))'
  )
  judge 'Node runs with the flags of docker/node-flags.ts' "$missing"
}

# count SCRIPT [ARGUMENT...]: runs a script of Node and counts its PASS and FAIL lines; all others are notes.
count() {
  local line
  while IFS= read -r line; do
    case $line in
      'PASS  '*) pass "${line#PASS  }" ;;
      'FAIL  '*) fail "${line#FAIL  }" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done < <(node "$@" || echo "FAIL  $1 ends with $?")
}

# try NAME: sends requests to the container.
try() {
  count docker/try-image.ts "http://127.0.0.1:$port" "http://127.0.0.1:$management_port" "$run_at" "$start_limit"
  judge_flags "$1"
  if podman healthcheck run "$1" >/dev/null 2>&1; then pass 'the HEALTHCHECK passes inside'; else fail 'the HEALTHCHECK fails'; fi
  printf '      memory %s of %s\n' "$(podman stats --no-stream --format '{{.MemUsage}}' "$1" 2>/dev/null || echo unknown)" "$MEMORY"
}

stop() { # stop NAME
  local from took status
  from=$(now_ms)
  podman stop --time 20 "$1" >/dev/null 2>&1
  took=$(($(now_ms) - from))
  status=$(podman inspect "$1" --format '{{.State.ExitCode}}')
  if [ "$status" = 0 ]; then pass "SIGTERM -> exit 0"; else fail "SIGTERM -> exit $status (137: killed after the time limit)"; fi
  if [ "$took" -le "$MAX_STOP_MS" ]; then pass "stopped in $took ms (at most $MAX_STOP_MS)"; else fail "stopped in $took ms, more than $MAX_STOP_MS"; fi
}

containers=()
remove_containers() {
  local name
  if [ -n "${KEEP:-}" ]; then return; fi
  for name in "${containers[@]}"; do
    podman rm --force "$name" >/dev/null 2>&1 || true
    podman volume rm --force "$name" >/dev/null 2>&1 || true
  done
  podman pod ls --quiet --filter "name=^$pods-" | xargs --no-run-if-empty podman pod rm --force >/dev/null
  podman volume ls --quiet --filter "name=^$pods-" | xargs --no-run-if-empty podman volume rm --force >/dev/null
}

summary() {
  local verdict=PASS name
  if [ "$failed" != 0 ]; then
    verdict=FAIL
    for name in "${containers[@]}"; do
      say "last lines of $name"
      podman logs --tail 15 "$name" 2>&1 || true
    done
  fi
  printf '%s: %s passed, %s failed\n' "$verdict" "$passed" "$failed"
  exit "$((failed > 0))"
}

started=$(now_ms)
build
judge_configuration
judge_size
judge_files
judge_forgotten_mount

start_limit=$(start_limit_ms)
name=errata-verify-$$
containers+=("$name")
# First part of the names of all pods and their volumes.
pods=errata-pods-$$
trap remove_containers EXIT
say "running as $(config '{{.Config.User}}'), read-only root, no capabilities, no new privileges, $MEMORY"
run_locked "$name"
try "$name"
if [ -n "${KEEP:-}" ]; then
  echo "left running: http://127.0.0.1:$port (podman container $name)"
  summary
fi
stop "$name"

say 'running as a random user of group 0, as some clusters do'
containers+=("$name-random")
run_locked "$name-random" 1000670000:0
try "$name-random"
stop "$name-random"

say 'running the pods of docker/kubernetes by podman play kube'
count tools/run-pods.ts "$IMAGE" "$pods"
summary
