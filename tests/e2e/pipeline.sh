#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: pipeline.sh PES_VP PROGRAM HARTS WORK_DIRECTORY
# What --pipeline says of each retired instruction, in either format, is what the waveform of the same
# cycles says; the stages of each instruction follow each other; arrows are between a reader of a
# register and its writer; and who watches changes nothing.
set -euo pipefail
vp=$1 program=$2 harts=$3 work=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"

run() { # name options...
    local name=$1
    shift
    "$vp" run "$program" --quiet --set harts="$harts" --console "$work/$name.console" \
        --stats "$work/$name.stats" "$@"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$work/$name.stats" >"$work/$name.json"
}

# Lines "hart cycle pc" of a waveform of the group "commit", before the cycle $2; a waveform ends with
# the time of that.
retired_in_wave() {
    awk -v period=20 -v to="$2" '
        BEGIN { for (n = 0; n < 16; ++n) {
                    bits = ""
                    for (power = 8; power >= 1; power /= 2) bits = bits (int(n / power) % 2)
                    digit[bits] = substr("0123456789abcdef", n + 1, 1) } }
        function hexadecimal(bits, text) {
            while (length(bits) % 4) bits = "0" bits
            for (; bits != ""; bits = substr(bits, 5)) text = text digit[substr(bits, 1, 4)]
            return text
        }
        function tell(hart, port) {
            for (hart = 0; hart < harts; ++hart)
                for (port = 0; port < 2; ++port)
                    if (value[hart, port, "valid"] == 1 && time / period < to)
                        print hart, time / period, hexadecimal(value[hart, port, "pc"])
        }
        $1 == "$scope" && $3 ~ /^hart/ { hart = substr($3, 5) + 0; if (hart >= harts) harts = hart + 1 }
        $1 == "$var" && $5 ~ /^commit_(valid|pc)/ {
            what[$4] = $5 ~ /valid/ ? "valid" : "pc"; where[$4] = hart
            port[$4] = substr($5, index($5, "(") + 1, 1)
        }
        /^#/ { if (begun) tell(); begun = 1; time = substr($1, 2) }
        /^[01]/ { id = substr($1, 2); if (id in what) value[where[id], port[id], what[id]] = substr($1, 1, 1) }
        /^b/ { if ($2 in what) value[where[$2], port[$2], what[$2]] = substr($1, 2) }
        END { tell() }' "$1" | sort -k1,1n -k2,2n -s
}

# Likewise of a log of the pipeline, from the cycle $2 to the one before $3; checks the whole log.
retired_in_log() {
    awk -F'\t' -v from="$2" -v to="$3" '
        function wrong(text) { print "line " NR ": " text > "/dev/stderr"; failed = 1; exit 1 }
        NR == 1 { if ($0 != "Kanata\t0004") wrong("no header"); next }
        NR == 2 { if ($1 != "C=") wrong("no first cycle"); cycle = $2; next }
        $1 == "C" { if ($2 < 1) wrong("no step"); cycle += $2; next }
        $1 == "I" { if ($2 != ids++) wrong("id"); thread[$2] = $4; next }
        !($2 in thread) { wrong("no such instruction") }
        $1 == "L" { if ($3 == 0) { pc[$2] = substr($4, 3, index($4, ":") - 3); label[$2] = $4 }
                    if ($3 == 1 && $4 == "") wrong("no detail"); next }
        $1 == "S" { if (++stages[$2] == 1 && $4 != "F") wrong("begins with " $4)
                    if ($4 in rank) ; else wrong("stage " $4)
                    if (rank[$4] <= last[$2]) wrong("order of stages"); last[$2] = rank[$4]
                    at[$2, $4] = cycle; next }
        $1 == "W" { next } # pipeline_arrows.awk
        $1 == "R" {
            if ($4 == 0) {
                if ($3 != retired++) wrong("retire id")
                issued = ($2, "X") in at ? at[$2, "X"] - 1 : ($2, "Xm") in at ? at[$2, "Xm"] - 1 : cycle - 2
                if (at[$2, "F"] > at[$2, "Dc"] || at[$2, "Dc"] >= issued || issued >= at[$2, "Cm"] ||
                    at[$2, "Cm"] != cycle - 1) wrong("cycles of " label[$2])
                if (cycle - 1 >= from && cycle - 1 < to) print thread[$2], cycle - 1, pc[$2]
            } else if (($2, "Cm") in at) wrong("flushed after its retirement")
            delete thread[$2]; ++ends; next
        }
        { wrong("command " $1) }
        BEGIN { split("F Q Dc Is X Xm Wt Cm", name, " "); for (n in name) rank[name[n]] = n + 0 }
        END { if (!failed && ends != ids) wrong("not all instructions end") }' \
        "$1" | sort -k1,1n -k2,2n -s
}

# Likewise of a log in the format of gem5. Prints the number of flushed instructions to $4.
retired_in_o3() {
    awk -F: -v harts="$harts" -v from="$2" -v to="$3" -v flushes="$4" '
        function wrong(text) { print "line " NR ": " text > "/dev/stderr"; failed = 1; exit 1 }
        $1 != "O3PipeView" || (NF != 3 && $2 != "fetch" && $2 != "retire" && $2 != "thread") { wrong($0) }
        $3 % 1000 { wrong("not a whole cycle") }
        $2 == "fetch" {
            if ($6 != ++number || $5 != 0 || $4 !~ /^0x[0-9a-f]+$/ || $7 !~ /^  [^ ]/) wrong($0)
            pc = substr($4, 3); sub(/^0+/, "", pc); stage = 1; thread = 0; last = $3
            if ($3 < fetched) wrong("order"); fetched = $3; next
        }
        $2 == "thread" { if (harts == 1) wrong("thread"); thread = $4; ++threads; next }
        { if ($2 != name[++stage]) wrong("stage " $2); if ($3 != 0 && $3 < last) wrong("order of stages") }
        $3 != 0 { last = $3 }
        $2 == "retire" {
            if ($4 != "store" || $5 != 0) wrong($0)
            if ($3 == 0) ++flushed
            else if ($3 / 1000 >= from && $3 / 1000 < to) printf "%d %d %s\n", thread, $3 / 1000, pc
        }
        BEGIN { split("fetch decode rename dispatch issue complete retire", name, " ") }
        END { if (!failed && harts > 1 && threads != number) wrong("threads"); print flushed + 0 > flushes }' \
        "$1" | sort -k1,1n -k2,2n -s
}

run plain
arrows=0
cycles=$(sed -nE '0,/"cycles"/s/.*"cycles": ([0-9]+).*/\1/p' "$work/plain.stats")
for window in "0 3000" "$((cycles / 2)) $((cycles / 2 + 6000))" "$((cycles - 3000)) $cycles"; do
    read -r from to <<<"$window"
    run "log$from" --pipeline "$work/$from.kanata" --pipeline-from "$from" --pipeline-to "$to"
    run "gem5$from" --pipeline "$work/$from.o3" --pipeline-from "$from" --pipeline-to "$to"
    run "both$from" --pipeline "$work/both$from.kanata" --pipeline-from "$from" --pipeline-to "$to" \
        --vcd "$work/$from.vcd" --vcd-groups commit --vcd-from "$from" --vcd-to "$to"
    cmp "$work/plain.json" "$work/log$from.json"
    cmp "$work/plain.json" "$work/both$from.json"
    cmp "$work/plain.json" "$work/gem5$from.json"
    cmp "$work/plain.console" "$work/log$from.console"
    cmp "$work/$from.kanata" "$work/both$from.kanata"
    retired_in_wave "$work/$from.vcd" "$to" >"$work/$from.wave"
    retired_in_log "$work/$from.kanata" "$from" "$to" >"$work/$from.log"
    test "$(wc -l <"$work/$from.log")" -gt 500
    cmp "$work/$from.wave" "$work/$from.log"
    retired_in_o3 "$work/$from.o3" "$from" "$to" "$work/flushed" >"$work/$from.gem5"
    cmp "$work/$from.log" "$work/$from.gem5"
    test "$(cat "$work/flushed")" == "$(grep -cE $'^R\t[0-9]+\t[0-9]+\t1$' "$work/$from.kanata")"
    arrows=$((arrows + $(awk -f "$here/pipeline_arrows.awk" "$work/$from.kanata")))
done
test "$arrows" -gt 100
grep -qE $'^R\t[0-9]+\t[0-9]+\t1$' "$work"/*.kanata # something is thrown away
