#!/usr/bin/env bash
# Makes sure that there is a Chromium for the tests: that of CHROMIUM, an installed one, or a package of Debian, the shell
# without windows if there is one. Without the right to install it the browser tests are skipped.
set -euo pipefail
if [ -n "${CHROMIUM:-}" ]; then exit 0; fi
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

for package in chromium-headless-shell chromium; do
  if "${BASH_SOURCE[0]%/*}/install-debian.sh" Chromium "$package" fonts-liberation; then exit 0; fi
done
echo 'No Chromium: browser tests are skipped. Install the Debian package chromium, or set CHROMIUM to its path.' >&2
