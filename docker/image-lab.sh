# shellcheck shell=bash disable=SC2034
# Sourced by make-base-images.sh and verify-image.sh: Debian's container tools with separate storage and settings, so
# that neither the stand-in bases nor the tested image appear among the machine's images.

LAB=${XDG_CACHE_HOME:-$HOME/.cache}/errata-images
BUILD_BASE=localhost/errata-base/build:latest
RUNTIME_BASE=localhost/errata-base/runtime:latest

say() { printf '==> %s\n' "$*"; }

install_tools() {
  local missing=() tool
  for tool in buildah podman runc mmdebstrap curl; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  if [ "${#missing[@]}" = 0 ]; then return; fi
  if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]}. This check needs their Debian packages." >&2
    exit 1
  fi
  say "installing ${missing[*]} (Debian packages)"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends buildah podman runc mmdebstrap curl ca-certificates \
    debian-archive-keyring catatonit containernetworking-plugins netavark aardvark-dns uidmap iptables >/dev/null
}

# Uses neither systemd nor a log daemon: a container or a CI machine has none.
configure_tools() {
  mkdir -p "$LAB"
  printf '%s\n' '[containers]' 'default_ulimits = ["nofile=10000:10000", "nproc=4096:4096"]' \
    '[engine]' 'runtime = "runc"' 'cgroup_manager = "cgroupfs"' 'events_logger = "file"' > "$LAB/containers.conf"
  printf '%s\n' '[storage]' 'driver = "overlay"' "graphroot = \"$LAB/storage\"" 'runroot = "/run/errata-images"' \
    > "$LAB/storage.conf"
  export CONTAINERS_CONF=$LAB/containers.conf CONTAINERS_STORAGE_CONF=$LAB/storage.conf
  # Without overlay support (a container in a container) the storage driver makes whole copies.
  if ! buildah images >/dev/null 2>&1; then sed -i 's/"overlay"/"vfs"/' "$LAB/storage.conf"; fi
}

need_root() {
  if [ "$(id -u)" = 0 ]; then return; fi
  echo 'This command needs root: it makes file systems and runs containers.' >&2
  exit 1
}
