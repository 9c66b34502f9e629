#!/usr/bin/env bash
# Builds the container image with the first installed engine: docker, podman or buildah.
#
#   IMAGE=errata:0.1.0          name of the image (errata:<version of package.json> and errata:latest, which compose uses)
#   ENGINE=podman               engine to use
#   NODE_IMAGE=, RUNTIME_IMAGE= other base images, e.g. a company's mirror or a digest
#   VERSION= REVISION= CREATED= SOURCE=   labels; by default from package.json and git
#
# A company's CA and npmrc are mounted into the build and are in no layer: see build_secrets in image-build.sh.
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
  echo 'Found no running docker, and no podman or buildah. `make verify-image` installs buildah and podman and builds with them.' >&2
  exit 1
fi

image=${IMAGE:-errata:$(version)}
# The tag that docker/compose.yaml uses.
tags=()
if [ -z "${IMAGE:-}" ]; then tags=(-t "errata:${ERRATA_VERSION:-latest}"); fi
echo "==> building $image with $engine"
build_image "$engine" "$image" "${tags[@]}"
echo "==> built $image"
