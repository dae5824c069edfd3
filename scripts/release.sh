#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/release.sh BUILD_DIRECTORY
# What a version consists of, in BUILD_DIRECTORY/release: packages, sources, check sums. Refuses a tree with changes, a
# version whose section in CHANGELOG.md has no date, and a commit without its tag.
set -euo pipefail
[[ $# == 1 && -f $1/CPackConfig.cmake ]] || { echo "release: expected a build directory" >&2; exit 2; }
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
refuse() {
    echo "release: $1" >&2
    exit 2
}
version=$(sed -n 's/^project(pes-vp VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[[ -z $(git status --porcelain) ]] || refuse "there are changes that are not committed"
grep -Eq "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" CHANGELOG.md ||
    refuse "CHANGELOG.md has no line '## [$version] - YYYY-MM-DD'"
[[ $(git rev-parse -q --verify "v$version^{commit}") == "$(git rev-parse HEAD)" ]] || refuse "this commit has no tag v$version"

rm -rf "$build/release"
mkdir "$build/release"
(cd "$build" && cpack -B "$build/release")
rm -rf "$build/release/_CPack_Packages"
git archive --format=tar.gz --prefix="pes-vp-$version/" -o "$build/release/pes-vp-$version.tar.gz" HEAD
(cd "$build/release" && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
echo "release: $version is in $build/release" >&2
