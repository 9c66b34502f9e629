#!/usr/bin/env bash
# Builds the container image with the engine that is here: docker, podman or buildah, in this order.
#
#   IMAGE=errata:0.1.0          name of the image (errata:<version of package.json>)
#   ENGINE=podman               the engine to use
#   NODE_IMAGE=, RUNTIME_IMAGE= other bases, e.g. a company's mirror or a digest
#   VERSION= REVISION= CREATED= SOURCE=   the labels; from package.json and git
#
# A company's CA and npmrc reach the build by bind mount only, in no layer: see build_secrets in image-build.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=docker/image-build.sh
source docker/image-build.sh

runs() { case $1 in docker) docker version ;; *) command -v "$1" ;; esac >/dev/null 2>&1; }
engine=${ENGINE:-}
for candidate in docker podman buildah; do
  if [ -z "$engine" ] && runs "$candidate"; then engine=$candidate; fi
done
if [ -z "$engine" ]; then
  echo 'No running docker, podman or buildah here; "make verify-image" installs buildah and podman and builds with them.' >&2
  exit 1
fi

image=${IMAGE:-errata:$(version)}
echo "==> building $image with $engine"
build_image "$engine" "$image"
echo "==> built $image"
