#!/usr/bin/env bash
# Checks that the installed Node starts. `npm ci` succeeds without that: npm skips optional packages whose install script
# fails (PostgreSQL for the tests), so the installation is marked as incomplete and the next run installs again.
# Arguments: the program, and the file that marks a complete installation.
set -euo pipefail
if error=$("$1" --version 2>&1 >/dev/null); then exit 0; fi
rm -f "$2"
cat >&2 <<END
The installed Node does not start: ${error:-no message}
It needs glibc 2.28 or newer, and libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora, RHEL: dnf install libatomic).
Then run the command again; it repeats the installation.
END
exit 1
