#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: trace_instructions.sh PES_VP PES_DECODE TWO_HARTS_PROGRAM OBJDUMP NM WORK_DIRECTORY
# The listing of a run of two harts has the branch targets of objdump, and each filter lists exactly
# the lines that awk finds in the listing of all.
set -euo pipefail
vp=$1 decode=$2 program=$3 objdump=$4 nm=$5 work=$6
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "trace_instructions.sh: $1" >&2
    exit 1
}
"$vp" run "$program" --set harts=2 --set trace.fifo_bytes=4096 --max-cycles 300000 --trace t.rtd \
    >/dev/null 2>run.err || [ $? = 124 ]
list() { # name options...
    local name=$1
    shift
    "$decode" trace t.rtd --elf "$program" --instructions "$name.txt" "$@" >"$name.summary"
    grep '^\[' "$name.txt" >"$name.lines" || true
}
list all
[ "$(wc -l <all.lines)" -gt 2000 ] || fail "only $(wc -l <all.lines) instructions"

# --- Targets are those of objdump ------------------------------------------------------------------
list apart --source-lines
cmp <(cut -d' ' -f1-4 all.lines) <(cut -d' ' -f1-4 apart.lines) || fail "--source-lines changes the list"
sed -nE 's/^\[[0-9]+\] [^ ]+ (0x[0-9a-f]+) [0-9a-f]+ +[a-z-]+ +([a-z.]+ .*<.*>)$/\1 \2/p' apart.lines |
    sort -u >ours
"$objdump" -d --demangle "$program" |
    sed -nE '/#/d; s/^ *([0-9a-f]+):\t[0-9a-f]+ +\t([a-z.]+)\t(.*,)?([0-9a-f]+) (<.*>)$/0x\1 \2 \30x\4 \5/p' |
    sort -u >theirs
[ "$(wc -l <ours)" -gt 10 ] || fail "only $(wc -l <ours) branches"
[ -z "$(comm -23 ours theirs)" ] || fail "targets that objdump does not have: $(comm -23 ours theirs | head -3)"

# --- Filters ---------------------------------------------------------------------------------------
expect() { # name awk_condition
    awk -F'[][ ]+' "$2" all.lines >"$1.expected" # $2 source, $3 time, $4 address
    [ -s "$1.expected" ] || fail "nothing to find for $1"
    cmp "$1.expected" "$1.lines" || fail "$1 lists other lines"
}
main() { # 0xBEGIN 0xEND of main
    "$nm" -S "$program" | awk '$4 == "main" { print $1, $2 }' |
        while read -r begin size; do
            printf '0x%08x 0x%08x\n' $((0x$begin)) $((0x$begin + 0x$size))
        done
}
read -r begin end < <(main)
middle=$(awk -F'[][ ]+' '{ time[NR] = $3 } END { print time[int(NR / 2)] }' all.lines)
list function --only-function main
expect function "\$4 >= \"$begin\" && \$4 < \"$end\""
list glob --only-function 'mai[m-o]'
cmp function.lines glob.lines || fail "a glob lists other lines"
list addresses --only-addresses "$begin-$end"
cmp function.lines addresses.lines || fail "addresses list other lines"
list source --only-source 1
expect source '$2 == 1'
list time --only-time "$middle-$((middle + 2000))"
expect time "\$3 >= $middle && \$3 < $((middle + 2000))"
list both --only-source 0 --only-time "$middle-" --only-function main
expect both "\$2 == 0 && \$3 >= $middle && \$4 >= \"$begin\" && \$4 < \"$end\""

# --- Nothing passes --------------------------------------------------------------------------------
list none --only-addresses 0x10-0x20 2>none.err
[ ! -s none.lines ] || fail "addresses without code list something"
grep -q 'nothing in it: none of the .* instructions passes --only-addresses' none.err || fail "an empty list is silent"
