#!/usr/bin/env bash
# Runs the test command N times beside LOOPS busy loops, on a fresh clone of the last commit, and prints which test failed
# how often: `.ci/prove-gate.sh 8 2`. A test command that can be trusted is green each time. Every run has a line of its
# own with the load average of its time. The logs stay; their folder is printed first.
set -euo pipefail
[[ ${1:-} =~ ^[1-9][0-9]*$ && ${2:-} =~ ^[0-9]+$ ]] || { echo 'usage: .ci/prove-gate.sh N LOOPS' >&2; exit 2; }
runs=$1 loops=$2 green=0 children=()
top=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d) logs=$(mktemp -d "${TMPDIR:-/tmp}/prove-gate-XXXXXX")
trap 'kill "${children[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

git clone -q "$top" "$work/project"
echo "$runs runs of $(git -C "$top" log -1 --format='%h %s') beside $loops busy loops; logs in $logs"
[ -z "$(git -C "$top" status --porcelain)" ] || echo 'Not committed, so not tested: see git status'
# The clone brings its own programs: those of this checkout would hide a missing one.
PATH=${PATH//"$top/node_modules/.bin:"/}
# In the background, so that a signal does not wait for the end of a run.
run() {
  (cd "$work/project" && exec env -i HOME="$work" PATH="$PATH" LANG="${LANG:-C.UTF-8}" CI=true "$@" </dev/null) &
  children+=($!)
  wait $!
}
# One installation and build for all runs: only the tests are on trial.
run make setup build programs >"$logs/build.log" 2>&1 || { tail -n 20 "$logs/build.log"; exit 1; }

for ((i = 0; i < loops; i++)); do
  # A loop ends with this process, even with a killed one.
  (while kill -0 $$ 2>/dev/null; do :; done) &
  children+=($!)
done
for ((i = 1; i <= runs; i++)); do
  log=$logs/$i.log started=$SECONDS verdict=green
  run .ci/run >"$log" 2>&1 || verdict=RED
  # The average of the last 15 minutes: about the duration of a run.
  read -r _ _ load _ </proc/loadavg
  totals=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) || verdict=RED
  printf 'run %2d  %-5s  %5d s  load %5s  %s\n' "$i" "$verdict" $((SECONDS - started)) "$load" "${totals:-no totals, see $log}"
  [ "$verdict" != green ] || green=$((green + 1))
done

echo "$green of $runs green"
# FAILED again backend: name: message -> how often, and the name
{ grep -hE '^FAILED' "$logs"/[0-9]*.log || true; } | sort | uniq -c | sort -rn
[ "$green" = "$runs" ]
