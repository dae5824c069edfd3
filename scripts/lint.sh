#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/lint.sh [format|docs|tidy|fix]
#   format  every C++ file is as .clang-format says (default)
#   docs    every link and anchor in *.md, and every docs/*.md that a source names, exists
#   tidy    clang-tidy over the release build's compilation database
#   fix     formats in place
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t sources < <(git ls-files '*.cpp' '*.h')

anchors() { # of a page's headings, as GitHub makes them
    awk '/^```/ { fence = !fence }
        !fence && /^#+ / {
            sub(/^#+ +/, ""); gsub(/\]\([^)]*\)/, ""); name = tolower($0)
            gsub(/[^a-z0-9 _-]/, "", name); gsub(/ /, "-", name)
            print name (seen[name]++ ? "-" seen[name] - 1 : "")
        }' "$1"
}

check_docs() {
    local failed=0 page target file anchor
    while IFS=' ' read -r page target; do
        file=${target%%#*} anchor=${target#*#}
        file=${file:+$(dirname "$page")/$file}
        file=${file:-$page}
        if [[ ! -e $file ]]; then
            echo "$page: there is no '$target'"
            failed=1
        elif [[ $target == *#* && $file == *.md ]] && ! anchors "$file" | grep -qxF -- "$anchor"; then
            echo "$page: '$target' has no such heading"
            failed=1
        fi
    done < <(git ls-files '*.md' | while read -r page; do
        awk '/^```/ { fence = !fence } !fence' "$page" | grep -oE '\]\([^) ]+\)' |
            sed -nE "/^..https?:/! s|^..(.*).\$|$page \1|p" || true
    done)
    while IFS=: read -r page target; do
        [[ -e $target ]] || { echo "$page: names '$target', which does not exist"; failed=1; }
    done < <(git grep -oE 'docs/[a-z0-9-]+\.md' -- ':!*.md')
    return "$failed"
}

case ${1:-format} in
format)
    clang-format --dry-run --Werror "${sources[@]}"
    ;;
docs)
    check_docs
    ;;
fix)
    clang-format -i "${sources[@]}"
    ;;
tidy)
    scripts/build.sh release
    # Each source by itself and without GCC's precompiled headers; what the build generates is the release build's. What
    # the database does not name is no code of the host: the programs of tests.
    cmake -S . -B build/tidy -G Ninja -DCMAKE_BUILD_TYPE=Release -DPES_JOIN=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    sed -i -E "s|$PWD/build/tidy|$PWD/build/release|g; s| -fno-gnu-unique||" build/tidy/compile_commands.json
    mapfile -t units < <(git ls-files '*.cpp' ':!firmware' | grep -Fx -f <(
        sed -n "s|^ *\"file\": \"$PWD/\(.*\)\".*|\1|p" build/tidy/compile_commands.json))
    printf '%s\n' "${units[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -quiet -p build/tidy \
            --extra-arg=-Wno-ignored-optimization-argument
    ;;
*)
    echo "lint: unknown mode '$1', expected format, docs, tidy or fix" >&2
    exit 2
    ;;
esac
