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
export DEBIAN_FRONTEND=noninteractive
{
  "${sudo[@]}" apt-get update -qq && "${sudo[@]}" apt-get install -y -qq --no-install-recommends "$@"
} >/dev/null
