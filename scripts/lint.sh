#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/lint.sh [format|tidy|fix]
#   format  every C++ file is as .clang-format says (default)
#   tidy    clang-tidy over the release build's compilation database
#   fix     formats in place
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t sources < <(git ls-files '*.cpp' '*.h')
case ${1:-format} in
format)
    clang-format --dry-run --Werror "${sources[@]}"
    ;;
fix)
    clang-format -i "${sources[@]}"
    ;;
tidy)
    scripts/build.sh release
    # What the database does not name is no code of the host: the programs of tests.
    mapfile -t units < <(git ls-files '*.cpp' ':!firmware' | grep -Fx -f <(
        sed -n "s|^ *\"file\": \"$PWD/\(.*\)\".*|\1|p" build/release/compile_commands.json))
    printf '%s\n' "${units[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -quiet -p build/release \
            --extra-arg=-Wno-ignored-optimization-argument
    ;;
*)
    echo "lint: unknown mode '$1', expected format, tidy or fix" >&2
    exit 2
    ;;
esac
