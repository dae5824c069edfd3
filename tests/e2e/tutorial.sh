#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: tutorial.sh BUILD_DIRECTORY SOURCE_DIRECTORY [NODE PLAYWRIGHT CHROMIUM] WORK_DIRECTORY
# The commands of docs/tutorial.md, taken from the page, print what the page shows, and its changes
# apply to the program. With a browser, the pages that they write show what the pictures show, and
# pictures are left in WORK_DIRECTORY. The section inside Linux is for scripts/linux_trace.sh. With another compiler than Debian 12's, numbers may differ.
set -euo pipefail
build=$1 source=$2 work=${!#}
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work/clone/build"
cp -r "$source/examples" "$work/clone/examples"
ln -s "$build" "$work/clone/build/release"

# Blocks of the page in their order: NN.commands, NN.expected, NN.change
awk -v work="$work" '
    /^## / { elsewhere = $0 == "## The same inside Linux" }
    elsewhere { next }
    /^```sh$/ { file = sprintf("%s/%02d.commands", work, ++blocks); next }
    /^```diff$/ { file = sprintf("%s/%02d.change", work, ++blocks); next }
    /^```/ && file == "" { file = sprintf("%s/%02d.expected", work, blocks); next }
    /^```$/ { file = ""; next }
    file != "" { print > file }
' "$source/docs/tutorial.md"
echo "docs/tutorial.md: 'The same inside Linux' needs a prepared Debian, scripts/linux_trace.sh runs it"
[[ $(ls "$work"/*.commands | wc -l) -ge 8 && $(ls "$work"/*.change | wc -l) == 3 ]] ||
    { echo "docs/tutorial.md has too few blocks"; exit 1; }

comparable() {
    if [[ $(riscv64-unknown-elf-gcc -dumpversion) == 12.2.0 ]]; then
        cat
    else
        sed -E 's/[0-9][0-9,.]*/N/g; s/ +/ /g; s/[█▏▎▍▌▋▊▉]+/bar/'
    fi
}
# Every line of the page is printed, in its order; where the page has "...", others may come between.
shown_in() { # EXPECTED PRINTED
    awk '
        NR == FNR { printed[++lines] = $0; next }
        $0 == "..." { loose = 1; next }
        {
            for (at = next_line + 1; at <= lines && printed[at] != $0 && loose; ++at) continue
            if (printed[at] != $0) { print "not printed there: " $0; exit 1 }
            next_line = at
            loose = 0
        }' "$2" "$1"
}
{
    echo 'shopt -s expand_aliases'
    for block in "$work"/[0-9][0-9].*; do
        case $block in
        *.commands) printf 'exec >%q 2>&1\n' "${block%.commands}.printed"; cat "$block" ;;
        *.change) printf 'exec >%q 2>&1\npatch -s weather.c %q\n' "$work/patch.log" "$block" ;;
        esac
    done
} >"$work/all.sh"
cd "$work/clone"
bash -euo pipefail "$work/all.sh" || { tail -n 5 "$work"/*.printed "$work/patch.log"; exit 1; }
for block in "$work"/*.expected; do
    comparable <"$block" >"$block.compared"
    printed=${block%.expected}.printed
    tr -d '\r' <"$printed" | comparable >"$printed.compared"
    shown_in "$block.compared" "$printed.compared" ||
        { echo "docs/tutorial.md, block $(basename "$block")"; cat "$printed"; exit 1; }
done
if [[ $# -gt 3 ]]; then
    "$3" "$here/tutorial_page.mjs" "$4" "$5" "$work/clone/weather" "$work"
fi
