#!/usr/bin/env bash
# Starts Errata and PostgreSQL with compose, and prints the URL and a one-time sign-in link.
#
# Without ERRATA_CONSOLE_TOKEN (environment, docker/.env, or a file that docker/.env names) it writes a random token to
# docker/.env, which later runs keep. The server itself never opens the console without a token.
set -euo pipefail
cd "$(dirname "$0")/.."

settings=docker/.env
compose=(docker compose -f docker/compose.yaml)
if [ -z "${ERRATA_CONSOLE_TOKEN:-}" ] && ! grep -qE '^ERRATA_CONSOLE_TOKEN(_FILE)?=.' "$settings" 2>/dev/null; then
  (umask 077 && touch "$settings")
  chmod 600 "$settings"
  printf 'ERRATA_CONSOLE_TOKEN=%s\n' "$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')" >> "$settings"
  echo "==> wrote a random ERRATA_CONSOLE_TOKEN to $settings"
fi
export ERRATA_CONSOLE_LINK=${ERRATA_CONSOLE_LINK:-on}
started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
if ! "${compose[@]}" up --build --detach --wait; then
  # A wrong setting ends the start with a line that names it, and compose only says that the container is not healthy.
  printf '\n==> the last lines of errata; `make logs` shows all\n' >&2
  "${compose[@]}" logs --no-log-prefix --tail 20 errata >&2
  exit 1
fi

# The container does not know the port that it is published on.
address=$("${compose[@]}" port errata 3000 | tail -1)
url=http://localhost:${address##*:}
dsn=$("${compose[@]}" logs --no-log-prefix errata | grep -oE '^ +DSN +[^ ]+' | tail -1 || true)
# Only of this start: the link of a container that ran before is used or too old.
code=$("${compose[@]}" logs --no-log-prefix --since "$started" errata |
  grep -oE '/console/sign-in#[A-Za-z0-9_-]+' | tail -1 || true)
printf '\n  %-14s%s\n  %-14s%s\n' Application "$url" Console "$url/console"
if [ -n "$dsn" ]; then printf '%s\n' "$dsn"; fi
if [ -n "$code" ]; then
  printf '  %-14s%s\n' 'Sign in once' "$url$code"
  printf '\nThe link works once, within 10 minutes of the start. After that, sign in with the token (%s).\n' "$settings"
else
  printf '\nSign in with the token (%s).\n' "$settings"
fi
