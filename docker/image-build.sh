# shellcheck shell=bash
# Sourced by build-image.sh and verify-image.sh: the build command and its arguments.
# The working directory is the project's folder.

version() { node -p "require('./package.json').version"; }

# Prints the build arguments, one a line: the labels VERSION REVISION CREATED SOURCE from the environment, or from
# package.json and git; and the base images, when set.
label_arguments() {
  local revision created source
  revision=$(git rev-parse --verify --quiet HEAD || echo unknown)
  if [ "$revision" != unknown ] && [ -n "$(git status --porcelain 2>/dev/null)" ]; then revision=$revision-dirty; fi
  # The time of the commit, so that the same commit always gets the same label.
  created=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ 2>/dev/null || true)
  # The URL of a remote may contain a name and a password.
  source=$(git remote get-url origin 2>/dev/null | sed -E 's#//[^/@]*@#//#' || true)
  echo "VERSION=${VERSION:-$(version)}"
  echo "REVISION=${REVISION:-$revision}"
  echo "CREATED=${CREATED:-${created:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}}"
  if [ -n "${SOURCE:-$source}" ]; then echo "SOURCE=${SOURCE:-$source}"; fi
  if [ -n "${NODE_IMAGE:-}" ]; then echo "NODE_IMAGE=$NODE_IMAGE"; fi
  if [ -n "${RUNTIME_IMAGE:-}" ]; then echo "RUNTIME_IMAGE=$RUNTIME_IMAGE"; fi
}

# Writes the npm settings of this machine to folder $1: registry, credentials and CA. The build gets both files as
# secrets, that is, mounted while npm runs.
build_secrets() {
  local ca user_config
  ca=${NODE_EXTRA_CA_CERTS:-$(npm config get cafile 2>/dev/null || true)}
  user_config=$(npm config get userconfig 2>/dev/null || true)
  if [ -f "$ca" ]; then cp "$ca" "$1/ca"; else : > "$1/ca"; fi
  if [ -f "$user_config" ]; then grep -vE '^(cafile|nodedir)' "$user_config" > "$1/npmrc" || true; else : > "$1/npmrc"; fi
  echo "registry=$(npm config get registry 2>/dev/null)" >> "$1/npmrc"
  if [ -s "$1/ca" ]; then echo 'cafile=/run/secrets/ca' >> "$1/npmrc"; fi
}

# build_image ENGINE IMAGE [OPTION...]: builds the image; passes the options to the engine.
build_image() {
  local engine=$1 image=$2 arguments=() secrets status=0
  shift 2
  while IFS= read -r argument; do arguments+=(--build-arg "$argument"); done < <(label_arguments)
  secrets=$(umask 077 && mktemp -d)
  build_secrets "$secrets"
  arguments+=(--secret "id=npmrc,src=$secrets/npmrc" --secret "id=ca,src=$secrets/ca")
  # The OCI format has no HEALTHCHECK; docker always writes its own format.
  if [ "$engine" != docker ]; then arguments+=(--format docker); fi
  "$engine" build "${arguments[@]}" "$@" -f docker/Dockerfile -t "$image" . || status=$?
  rm -rf "$secrets"
  return "$status"
}
