#!/usr/bin/env bash
# Makes sure that programs are there that only tests need: `install-programs.sh chromium nginx`. Says which Debian packages it
# installs, and why. Where it may not install them without a password, it names what is missing; the tests that need it are skipped.
set -euo pipefail

is_there() {
  case $1 in
    chromium)
      [ -n "${CHROMIUM:-}" ] || command -v chromium-headless-shell || command -v chromium ||
        command -v chromium-browser || command -v google-chrome
      ;;
    nginx) PATH=$PATH:/usr/sbin command -v nginx ;;
    caddy) command -v caddy ;;
    python-sdk) /usr/bin/python3 -c 'import sentry_sdk, brotli' || python3 -c 'import sentry_sdk, brotli' ;;
    mkdocs) command -v mkdocs ;;
  esac >/dev/null 2>&1
}

sudo=()
if [ "$(id -u)" != 0 ]; then sudo=(sudo --non-interactive); fi
# With RUNLEVEL=1 a package's own script starts no server, such as nginx on port 80.
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq)
is_updated=
update() {
  [ -n "$is_updated" ] || { "${apt[@]}" update >/dev/null && is_updated=yes; }
}

# need NAME REASON HINT PACKAGES...: installs the first of these lists of packages that exist.
need() {
  local name=$1 reason=$2 hint=$3 packages
  shift 3
  if is_there "$name"; then return; fi
  if command -v apt-get >/dev/null && "${sudo[@]}" true 2>/dev/null; then
    for packages in "$@"; do
      echo "==> installing $packages (Debian), for $reason"
      # shellcheck disable=SC2086 # a list of packages
      if update && "${apt[@]}" install -y --no-install-recommends $packages >/dev/null; then return; fi
    done
  fi
  echo "No $name, for $reason. Install ${*: -1} (Debian), or $hint." >&2
}

for name in "$@"; do
  case $name in
    # The shell comes first: it has the engine alone, so that a test takes half the time of one in a browser with windows.
    chromium)
      need chromium 'the tests in a browser' 'set CHROMIUM to the path of a browser' \
        'chromium-headless-shell fonts-liberation' 'chromium fonts-liberation'
      ;;
    nginx) need nginx 'the tests behind a proxy' 'put nginx into PATH' nginx-light ;;
    caddy) need caddy 'the tests of pages for a gateway' 'put caddy into PATH' caddy ;;
    # With the module brotli, the SDK sends every envelope in brotli from version 2.16 on (Debian 13).
    python-sdk)
      need python-sdk "the test of Sentry's SDK for Python" 'pip install sentry-sdk brotli' 'python3-sentry-sdk python3-brotli'
      ;;
    mkdocs) need mkdocs 'the test of a site that MkDocs has built' 'pip install mkdocs' mkdocs ;;
    *)
      echo "$name: no such program" >&2
      exit 2
      ;;
  esac
done
