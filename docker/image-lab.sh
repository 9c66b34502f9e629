# shellcheck shell=bash disable=SC2034
# Sourced by make-base-images.sh and verify-image.sh: Debian's container tools, with a storage and settings of their
# own, so that neither the stand-ins nor the image on trial appear among the machine's own images.

LAB=${XDG_CACHE_HOME:-$HOME/.cache}/errata-images
BUILD_BASE=localhost/errata-base/build:latest
RUNTIME_BASE=localhost/errata-base/runtime:latest

say() { printf '==> %s\n' "$*"; }

install_tools() {
  local missing=() tool
  for tool in buildah podman runc mmdebstrap curl; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  if [ "${#missing[@]}" = 0 ]; then return; fi
  if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]}. This check needs Debian's packages of them." >&2
    exit 1
  fi
  say "installing ${missing[*]} (Debian packages)"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends buildah podman runc mmdebstrap curl ca-certificates \
    debian-archive-keyring catatonit containernetworking-plugins netavark aardvark-dns uidmap iptables >/dev/null
}

# Neither systemd nor a log daemon is asked for anything: a container or a CI machine has none.
configure_tools() {
  mkdir -p "$LAB"
  printf '%s\n' '[containers]' 'default_ulimits = ["nofile=10000:10000", "nproc=4096:4096"]' \
    '[engine]' 'runtime = "runc"' 'cgroup_manager = "cgroupfs"' 'events_logger = "file"' > "$LAB/containers.conf"
  printf '%s\n' '[storage]' 'driver = "overlay"' "graphroot = \"$LAB/storage\"" 'runroot = "/run/errata-images"' \
    > "$LAB/storage.conf"
  export CONTAINERS_CONF=$LAB/containers.conf CONTAINERS_STORAGE_CONF=$LAB/storage.conf
  # Where a file system cannot be layered over (a container in a container), whole copies do.
  if ! buildah images >/dev/null 2>&1; then sed -i 's/"overlay"/"vfs"/' "$LAB/storage.conf"; fi
}

need_root() {
  if [ "$(id -u)" = 0 ]; then return; fi
  echo 'This needs root: it makes file systems and runs containers.' >&2
  exit 1
}
