#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/build.sh [PRESET [TARGET...]]   (default: release, everything)
# Configures once and builds; warnings are errors in CI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:-release}
shift || true
options=()
if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
if [[ ${CI:-} == true ]]; then
    options+=(-DPES_WERROR=ON)
fi
cmake --preset "$preset" "${options[@]}" >"${TMPDIR:-/tmp}/pes-vp-configure.$$" ||
    { cat "${TMPDIR:-/tmp}/pes-vp-configure.$$"; exit 1; }
grep -E 'missing' "${TMPDIR:-/tmp}/pes-vp-configure.$$" || true
rm -f "${TMPDIR:-/tmp}/pes-vp-configure.$$"
targets=()
for target in "$@"; do
    targets+=(--target "$target")
done
cmake --build --preset "$preset" "${targets[@]}"
