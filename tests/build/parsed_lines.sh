#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: parsed_lines.sh BUILD_DIRECTORY LIMIT
# The lines that the compiler reads to build everything, behind the preprocessor and beside what is precompiled. They are most of the time of a build, and unlike time they are the same on every machine.
# Fails above LIMIT, in thousands, and then names the largest units.
set -euo pipefail
build=$1 limit=$2

count() { # compile command
    local options=() file='' compiler=''
    eval "set -- $1"
    while (($# > 0)); do
        case $1 in
        -o) shift ;;
        -c) file=$2 && shift ;;
        -*) options+=("$1") ;;
        *) if [[ ${#options[@]} == 0 ]]; then compiler=$1; else options+=("$1"); fi ;; # behind its launchers
        esac
        shift
    done
    echo "$("$compiler" "${options[@]}" -w -E -P -fpch-preprocess "$file" | wc -l) $file"
}
export -f count

sed -nE 's/^ *"command": "(.*)",$/\1/; T; s/\\(.)/\1/g; p' "$build/compile_commands.json" | tr '\n' '\0' |
    (cd "$build" && xargs -0 -P "$(nproc)" -I '{}' bash -c 'set -euo pipefail; count "$0"' '{}') \
        >"$build/parsed_lines.txt"
awk -v limit="$limit" '{ lines += $1 }
    END {
        printf "%d thousand lines in %d units, at most %d\n", lines / 1000, NR, limit
        exit lines > 1000 * limit
    }' "$build/parsed_lines.txt" || {
    echo "the largest:"
    sort -rn "$build/parsed_lines.txt" | head -20
    exit 1
}
