#!/usr/bin/env bash
# Makes local stand-ins for the two public base images of docker/Dockerfile from Debian packages and the Node of the
# lock file, without a container registry. They have the layout, users, environment and entry point of the public
# images. An image built on them is for tests only.
#
#   localhost/errata-base/build     like node:26-bookworm-slim
#   localhost/errata-base/runtime   like gcr.io/distroless/nodejs26-debian13:nonroot
#
# The result stays in ${XDG_CACHE_HOME:-~/.cache}/errata-images. Needs Debian, root and a finished `npm ci`.
# shellcheck disable=SC2016 # the texts in single quotes are for other programs to expand
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=docker/image-lab.sh
source docker/image-lab.sh
need_root
install_tools
configure_tools

NODE=$PWD/node_modules/node/bin/node
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
RUNTIME_PACKAGES=(base-files netbase tzdata media-types ca-certificates libc6 libssl3t64 libzstd1 zlib1g
  libgomp1 libstdc++6 libgcc-s1 gcc-14-base libatomic1)
PATH_IN_IMAGE=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

if [ ! -x "$NODE" ]; then
  echo "No Node in node_modules: run \`make verify-image\`, which installs it first." >&2
  exit 1
fi
# The Debian mirror of this machine.
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | awk '$1 == "bookworm" || $1 == "trixie" { print $2; exit }')
if [ -z "$mirror" ]; then
  echo "No Debian mirror among this machine's package sources." >&2
  exit 1
fi

commit() { # commit CONTAINER IMAGE
  buildah commit --quiet --rm "$1" "$2" >/dev/null
}

debian_files() {
  if [ -f "$LAB/bookworm.tar" ]; then return; fi
  say 'Debian 12, the smallest set that runs Node'
  mmdebstrap --quiet --mode=root --variant=minbase --format=tar --keyring="$KEYRING" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --include=ca-certificates,libatomic1,libstdc++6 \
    --customize-hook='chroot "$1" useradd --uid 1000 --user-group --create-home --shell /bin/bash node' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
    bookworm "$LAB/bookworm.part" "$mirror" 2> "$LAB/mmdebstrap.log" || { tail -20 "$LAB/mmdebstrap.log" >&2; exit 1; }
  mv "$LAB/bookworm.part" "$LAB/bookworm.tar"
}

build_base() {
  local container root
  debian_files
  say 'build stand-in: Debian 12, Node, npm'
  container=$(buildah from scratch)
  root=$(buildah mount "$container")
  tar xf "$LAB/bookworm.tar" -C "$root" --exclude='./dev/*'
  install -m 0755 "$NODE" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  npm pack --silent --pack-destination "$LAB" npm@11 > "$LAB/npm.name" 2> "$LAB/npm.log" || { cat "$LAB/npm.log" >&2; exit 1; }
  tar xzf "$LAB/$(tail -1 "$LAB/npm.name")" -C "$root/usr/local/lib/node_modules/npm" --strip-components=1 --no-same-owner
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  buildah umount "$container" >/dev/null
  buildah config --env "PATH=$PATH_IN_IMAGE" --cmd node "$container"
  commit "$container" "$BUILD_BASE"
}

# Unpacks Debian 13 packages into folder $1 without installing them: no shell, no package tool, no install scripts.
unpack_runtime() {
  local state=$LAB/trixie options package
  mkdir -p "$state"/lists/partial "$state"/cache/archives/partial
  : > "$state/status"
  echo "deb [signed-by=$KEYRING] $mirror trixie main" > "$state/sources.list"
  options=(-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o "Dir::State::status=$state/status"
    -o APT::Sandbox::User=root)
  (cd "$state" && rm -f ./*.deb && apt-get "${options[@]}" -qq update && apt-get "${options[@]}" -qq download "${RUNTIME_PACKAGES[@]}")
  mkdir -p "$1"/usr/{bin,lib,lib64,sbin}
  for package in bin lib lib64 sbin; do ln -s "usr/$package" "$1/$package"; done
  for package in "$state"/*.deb; do dpkg-deb --fsys-tarfile "$package" | tar x -C "$1" --keep-directory-symlink; done
}

runtime_base() {
  local container root
  say 'runtime stand-in: Node and its libraries'
  container=$(buildah from scratch)
  root=$(buildah mount "$container")
  unpack_runtime "$root"
  mkdir -p "$root"/etc/ssl/certs "$root"/home/nonroot "$root"/root "$root"/tmp "$root"/nodejs/bin
  cat "$root"/usr/share/ca-certificates/mozilla/*.crt > "$root/etc/ssl/certs/ca-certificates.crt"
  rm -rf "${root:?}"/usr/bin/* "${root:?}"/usr/sbin/* "${root:?}"/usr/share/{man,locale,ca-certificates} \
    "${root:?}"/usr/share/doc/*/changelog*
  chmod 1777 "$root/tmp"
  chmod 0700 "$root/root" "$root/home/nonroot"
  chown 65532:65532 "$root/home/nonroot"
  printf '%s\n' root:x:0:0:root:/root:/sbin/nologin nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin \
    nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin > "$root/etc/passwd"
  printf '%s\n' root:x:0: nobody:x:65534: tty:x:5: staff:x:50: nonroot:x:65532: > "$root/etc/group"
  install -m 0755 "$NODE" "$root/nodejs/bin/node"
  buildah umount "$container" >/dev/null
  buildah config --env "PATH=$PATH_IN_IMAGE" --env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    --entrypoint '["/nodejs/bin/node"]' --cmd '' --user 65532 --workingdir /home/nonroot "$container"
  commit "$container" "$RUNTIME_BASE"
}

build_base
runtime_base
"$NODE" --version > "$LAB/node-version"
say "stand-ins built, Node $(cat "$LAB/node-version")"
