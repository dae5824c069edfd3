#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: release.sh SOURCE_DIRECTORY BUILD_DIRECTORY WORK_DIRECTORY
# scripts/release.sh in a clone: what it refuses, and what a release has in it.
set -euo pipefail
source=$1 build=$2 work=$3
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "release: no git repository" >&2; exit 77; }
rm -rf "$work"
mkdir -p "$work"
git clone -q "$source" "$work/clone"
cd "$work/clone"
git config user.name Tester
git config user.email tester@example.org
cp -r "$source/scripts" "$source/CMakeLists.txt" "$source/CHANGELOG.md" .
git add -A
git commit -q --allow-empty -m "As it is"
version=$(sed -n 's/^project(pes-vp VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
mkdir "$work/build"
cp "$build/CPackConfig.cmake" "$work/build"

fail() {
    echo "release: $1" >&2
    exit 1
}
expect_refused() { # part of the sentence
    local status=0
    scripts/release.sh "$work/build" >"$work/out" 2>&1 || status=$?
    [[ $status == 2 ]] && grep -q "$1" "$work/out" && [[ ! -e $work/build/release ]] || fail "$status, $(cat "$work/out")"
}
sed -i "s/^## \[$version\].*/## [$version] - Unreleased/" CHANGELOG.md
git commit -q -a --allow-empty -m "No date"
expect_refused "no line '## \[$version\] - YYYY-MM-DD'"
sed -i "s/^## \[$version\].*/## [$version] - 2026-01-31/" CHANGELOG.md
expect_refused 'not committed'
git commit -q -a -m "A date"
expect_refused "no tag v$version"
git tag "v$version"
scripts/release.sh "$work/build" >"$work/out" 2>&1 || fail "$(tail -n 5 "$work/out")"
cd "$work/build/release"
sha256sum --quiet -c SHA256SUMS
[[ $(wc -l <SHA256SUMS) -ge 3 ]] || fail "$(cat SHA256SUMS)"
tar -tzf "pes-vp-$version.tar.gz" "pes-vp-$version/CMakeLists.txt" >/dev/null
