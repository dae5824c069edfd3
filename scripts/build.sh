#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/build.sh [PRESET [TARGET...]]   (default: release, everything)
# Configures once and builds; warnings are errors in CI. Target package: the Debian packages and what is in them, no
# more. Preset profiled: builds pes-vp, trains it, and builds it anew with what that has counted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:-release}
shift || true
case $preset in
release | profiled | debug | asan | coverage) ;;
*)
    echo "build: unknown preset '$preset', expected release, profiled, debug, asan or coverage" >&2
    exit 2
    ;;
esac
options=()
if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
if [[ ${CI:-} == true ]]; then
    options+=(-DPES_WERROR=ON)
fi
configure() { # option...
    local log
    log=$(mktemp)
    cmake --preset "$preset" "${options[@]}" "$@" >"$log" || { cat "$log"; rm -f "$log"; exit 1; }
    grep -E 'missing' "$log" || true
    rm -f "$log"
}
if [[ $preset == profiled ]]; then
    configure -DPES_PROFILE=generate
    scripts/train.sh build/profiled
    configure -DPES_PROFILE=use
else
    configure
fi
targets=()
for target in "$@"; do
    [[ $target == package ]] && target=packages # CMake's own target of that name builds everything
    targets+=(--target "$target")
done
cmake --build --preset "$preset" "${targets[@]}"
