#!/usr/bin/env bash
# Makes sure that there is a Chromium for the tests: that of CHROMIUM, an installed one, or Debian's package. Without
# the right to install it the browser tests are skipped.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ]; then exit 0; fi
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

sudo=()
if [ "$(id -u)" != 0 ]; then sudo=(sudo --non-interactive); fi
can_install() { command -v apt-get >/dev/null && "${sudo[@]}" true 2>/dev/null; }
install_package() {
  export DEBIAN_FRONTEND=noninteractive
  "${sudo[@]}" apt-get update -qq && "${sudo[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-liberation
}
if can_install; then
  echo '==> installing Chromium (Debian package, under a minute)'
  if install_package >/dev/null; then exit 0; fi
fi
echo 'No Chromium: browser tests are skipped. Install the Debian package chromium, or set CHROMIUM to its path.' >&2
