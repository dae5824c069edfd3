#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: riscv-arch-test.sh PES_VP WORK_DIRECTORY
# The programs of riscv-arch-test as its framework leaves them: every ELF file below the folder that
# has the symbols begin_signature and end_signature (those of a reference, in folders called ref, are
# left out). The memory between the symbols must be what Spike leaves there, or, without Spike, what
# the file *.signature of the program's ref folder says.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
vp=$1 work=$2
find_suite riscv-arch-test
rm -rf "$work"
mkdir -p "$work"
find_spike

signature_bytes() { # program
    readelf -sW "$1" | awk '
        $8 == "begin_signature" { begin = $2 }
        $8 == "end_signature" { end = $2 }
        END { if (begin != "" && end != "") print "0x" end " 0x" begin }' |
        { if read -r end begin; then echo $((end - begin)); fi; }
}

# As RISCOF's plugins write it: words of four bytes, a line each.
words() { # bytes in a file
    od -An -v -tx4 -w4 "$1" | tr -d ' '
}

judge=
while IFS= read -r program; do
    bytes=$(signature_bytes "$program")
    [[ -n $bytes && $bytes != 0 ]] || continue
    name=${program#"$suite"/}
    name=${name//\//_}
    expected=$work/$name.expected
    reference=$(find "$(dirname "$(dirname "$program")")/ref" -name '*.signature' 2>/dev/null | head -n 1 || true)
    if [[ -n $spike ]]; then
        judge=Spike
        timeout 120 "$spike" --isa=rv64gc --pmpregions=16 +signature="$expected" \
            +signature-granularity=4 "$program" >"$work/$name.spike" 2>&1 ||
            { fail "$name" "Spike fails"; continue; }
    elif [[ -n $reference ]]; then
        judge="the reference signatures"
        cp "$reference" "$expected"
    else
        continue
    fi
    status=0
    "$vp" run "$program" --quiet --set hart.pmp_entries=16 --set hart.pmp_granularity=4 --max-cycles 100000000 \
        --dump "begin_signature:$bytes@$work/$name.bytes" >"$work/$name.txt" 2>&1 || status=$?
    if [[ $status != 0 ]]; then
        fail "$name" "exit code $status"
    elif ! diff -q <(words "$work/$name.bytes") <(head -n $((bytes / 4)) "$expected") >"$work/$name.diff"; then
        fail "$name" "the signature differs from that of $judge"
    else
        pass
        rm -f "$work/$name".*
    fi
done < <(find "$suite" -name '*.elf' -not -path '*/ref/*' | sort)
if [[ -z $judge ]]; then
    echo "skipped: no judge for riscv-arch-test, expected spike on PATH or in PES_SUITES/riscv-isa-sim/build, or signatures beside the programs"
    exit 77
fi
echo "riscv-arch-test: judged by $judge"
finish riscv-arch-test "riscof_work with programs for RV64"
