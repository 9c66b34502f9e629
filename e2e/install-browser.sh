#!/usr/bin/env bash
# A Chromium for the tests: the one CHROMIUM names, one that is installed, or Debian's.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo 'No Chromium found. Install one, or set CHROMIUM to its path.' >&2
  exit 1
fi
sudo=()
if [ "$(id -u)" != 0 ]; then sudo=(sudo); fi
echo '==> installing Chromium (Debian package, under a minute)'
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
