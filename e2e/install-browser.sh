#!/usr/bin/env bash
# Makes sure that there is a Chromium for the tests: that of CHROMIUM, an installed one, or Debian's package. Without
# the right to install it the browser tests are skipped.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ]; then exit 0; fi
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

if "${BASH_SOURCE[0]%/*}/install-debian.sh" Chromium chromium fonts-liberation; then exit 0; fi
echo 'No Chromium: browser tests are skipped. Install the Debian package chromium, or set CHROMIUM to its path.' >&2
