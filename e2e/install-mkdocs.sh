#!/usr/bin/env bash
# Makes sure that there is MkDocs, whose build any-client.e2e.ts serves. Without the right to install it that test fails.
set -euo pipefail
if command -v mkdocs >/dev/null; then exit 0; fi

if "${BASH_SOURCE[0]%/*}/install-debian.sh" MkDocs mkdocs; then exit 0; fi
echo 'No MkDocs: a test will fail. Install the Debian package mkdocs, or pip install mkdocs.' >&2
