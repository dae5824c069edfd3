#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: boot_page.sh PES_VP FIRMWARE_DIRECTORY PAGE WORK_DIRECTORY
# What docs/boot.md tells the reader to type works as it stands, with the files of Debian's packages where
# they are installed, and the settings that it names exist.
set -euo pipefail
vp=$1 firmware=$2 page=$3 work=$4
rm -rf "$work"
mkdir -p "$work"

"$vp" run --show-config | awk '/^\[/ { table = substr($0, 2, length($0) - 2) "." } / = / && !/^#/ { print table $1 }' \
    >"$work/settings.txt"
grep -o '`[a-z][a-z]*\.[a-z_]*`' "$page" | tr -d '`' | grep -v '\.\(elf\|md\)$' | sort -u >"$work/named.txt"
[[ -s $work/named.txt ]]
while read -r key; do
    grep -qx "$key" "$work/settings.txt" || { echo "$page: $key is no setting"; exit 1; }
done <"$work/named.txt"

number=0
while read -r line; do
    ((++number))
    line=${line//build\/release\/firmware/$firmware}
    read -ra words <<<"${line/build\/release\/platform\/pes-vp/$vp}"
    for word in "${words[@]}"; do
        if [[ $word == /usr/* && ! -e $word ]]; then
            echo "$word is not installed, left out: $line"
            continue 2
        fi
    done
    out=$work/$number.txt status=0
    "${words[@]}" </dev/null >"$out" 2>&1 || status=$?
    if [[ $line == *u-boot* ]]; then
        [[ $status == 124 ]] && grep -q '^=> ' "$out"
    else
        [[ $status == 0 ]] && grep -q '^payload: hart 0, device tree found' "$out"
    fi || { echo "exit code $status, not as the page says: $line"; exit 1; }
done < <(grep '^build/release/platform/pes-vp ' "$page")
((number >= 3)) || { echo "$page: $number commands found"; exit 1; }
