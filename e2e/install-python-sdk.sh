#!/usr/bin/env bash
# Makes sure that there is Sentry's SDK for Python, which setup.e2e.ts runs. Without the right to install it that test fails.
set -euo pipefail
for python in /usr/bin/python3 python3; do
  if "$python" -c 'import sentry_sdk' 2>/dev/null; then exit 0; fi
done

if "${BASH_SOURCE[0]%/*}/install-debian.sh" "Sentry's SDK for Python" python3-sentry-sdk; then exit 0; fi
echo 'No Python has sentry_sdk: a test will fail. Install the Debian package python3-sentry-sdk, or pip install sentry-sdk.' >&2
