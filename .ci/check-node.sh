#!/usr/bin/env bash
# Checks that the installed Node starts. `npm ci` succeeds without that: npm skips optional packages whose install script
# fails (PostgreSQL for the tests), so the installation is marked as incomplete and the next run installs again.
# Arguments: the program, and the file that marks a complete installation.
set -euo pipefail
node=$1 marker=$2
if error=$("$node" --version 2>&1 >/dev/null); then exit 0; fi
rm -f "$marker"
{
  printf 'The installed Node does not start: %s\n' "${error:-no message}"
  case $error in
    *libatomic*) echo 'Install libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora, RHEL: dnf install libatomic).' ;;
    *) echo 'It needs glibc 2.28 or newer and libatomic (apt-get install libatomic1, or dnf install libatomic).' ;;
  esac
  echo 'Then run the command again; it repeats the installation.'
} >&2
exit 1
