#!/usr/bin/env bash
# Makes sure that there is nginx, behind which nginx.e2e.ts puts Errata. Without the right to install it that test fails.
set -euo pipefail
if PATH=$PATH:/usr/sbin command -v nginx >/dev/null; then exit 0; fi

if "${BASH_SOURCE[0]%/*}/install-debian.sh" nginx nginx-light; then exit 0; fi
echo 'No nginx: tests will fail. Install the Debian package nginx-light.' >&2
