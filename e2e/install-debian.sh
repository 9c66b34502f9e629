#!/usr/bin/env bash
# Installs Debian packages where that is allowed without a password; fails otherwise.
# Usage: install-debian.sh <what for people> <package>...
set -euo pipefail
what=$1
shift
sudo=()
if [ "$(id -u)" != 0 ]; then sudo=(sudo --non-interactive); fi
command -v apt-get >/dev/null && "${sudo[@]}" true 2>/dev/null || exit 1

echo "==> installing $what (Debian package, under a minute)"
# With RUNLEVEL=1 a package's own script starts no server, such as nginx on port 80.
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq)
{
  "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"
} >/dev/null
