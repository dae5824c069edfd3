#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/linux_trace.sh [OPTION...] [WORK_DIRECTORY]  (default: out/linux, which scripts/linux.sh shares)
#   --vp FILE         pes-vp                      (default: build/release/platform/pes-vp)
#   --suite NAME,...  Debian releases, as for linux/build_module.sh
#   --mirror URL      where its packages are      (default: the mirror that apt is set up for)
# Builds the driver linux/trace, prepares a Linux for pes-vp exec with it, once for each set of trace registers, and
# writes performance records from programs (linux/perf). It checks that the difference of two records is what the
# instructions between them do, and the same as without an operating system, that every call and return is recorded, that
# records of the timer are where the program was, that docs/tutorial.md shows what is printed inside Linux, that each
# mistake is told in a sentence, and that 10,000 random calls of the driver leave it, and the kernel, well.
# It prints what a record costs. Exit code 77: the packages could not be fetched.
set -euo pipefail
shopt -s extglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source_folder=$PWD

vp=build/release/platform/pes-vp
suites=
mirror=
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || { echo "linux_trace: $1 needs a value" >&2; exit 2; }
    case $1 in
    --vp) vp=$2 ;;
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    *) echo "linux_trace: $1 is no option, see the head of scripts/linux_trace.sh" >&2; exit 2 ;;
    esac
    shift 2
done
work=${1:-out/linux}
[[ -r $vp ]] || { echo "linux_trace: $vp is not there" >&2; exit 2; }
mkdir -p "$work"
work=$(cd "$work" && pwd)
vp=$(cd "$(dirname "$vp")" && pwd)/$(basename "$vp")
decode=$(dirname "$vp")/../decoder/pes-decode
linux/build_module.sh ${suites:+--suite "$suites"} ${mirror:+--mirror "$mirror"} "$work"
name=linux_trace packages_of=$work
# shellcheck source=linux/debian.sh
source linux/debian.sh
require_tools riscv64-linux-gnu-gcc riscv64-unknown-elf-gcc
choose_suite "$suites"
out=$work/trace
rm -rf "$out"
mkdir -p "$out"
cd "$out"
fail() {
    echo "linux_trace: $1" >&2
    exit 1
}

compile() { # program option...
    riscv64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static "${@:2}" -I"$source_folder/linux/perf" \
        -I"$source_folder/firmware/perf" -I"$source_folder/linux/trace" \
        "$source_folder/tests/e2e/linux_trace/$1.c" "$source_folder/linux/perf/sifive_linux_perf.c" -o "$1.elf"
}
compile records -finstrument-functions -finstrument-functions-exclude-file-list=sifive_linux_perf
compile bad_use
compile fuzz
compile keeps
compile events

# One object file in two programs: the linker leaves its calls as they are.
riscv64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -ffreestanding -fno-pic -mno-relax -mcmodel=medany -march=rv64gc \
    -mabi=lp64d -finstrument-functions -c "$source_folder/tests/e2e/linux_trace/work.c" -o work.o
compile same_work work.o
riscv64-unknown-elf-gcc --specs="$(dirname "$vp")/../sdk/pes.specs" -O2 -Wall -Wextra -Werror -DBARE_METAL \
    "$source_folder/tests/e2e/linux_trace/same_work.c" work.o -o bare_same_work.elf

in_guest() { # command...
    timeout 1200 "$vp" exec --cache "$cache" --write --quiet -- "$@" 2>guest.log || fail "$* ends with $?: $(cat guest.log)"
}
decoded() {
    rm -rf perf
    "$decode" trace trace.rtd --elf records.elf --perf --fixed --strict >decoded.txt || fail "the trace does not decode"
}
# Of each pair of records the difference of a counter.
differences() { # counter
    sed -n 's/.*\[Perf Cntr\].*\[Value=\([0-9]*\)\].*/\1/p' "perf/records.perfchannel$1" |
        awk 'NR % 2 { before = $1; next } { print $1 - before }'
}
# What the loop of n rounds adds to the one of none, for n = 0, 1, 10, 100, 1000.
check_rounds() { # counter instructions-a-round
    differences "$1" | awk -v each="$2" '
        NR == 1 { n = 0; base = $1 }
        { if ($1 - base != each * n) exit 1; n = n == 0 ? 1 : 10 * n }
        END { exit NR != 5 }' || fail "counter $1 does not count what the loops do: $(differences "$1" | paste -sd' ')"
}

check_records() { # harts funnels
    local hart mask
    for ((hart = 0; hart < $1; ++hart)); do
        mask=$((1 << hart))
        in_guest taskset $mask ./records.elf "$1" "$2" manual 65536
        decoded
        check_rounds 2 4
        check_rounds 3 1
        check_rounds 4 1
        # Another process has turns on the same hart.
        in_guest sh -c "taskset $mask sh -c 'while :; do :; done' & taskset $mask ./records.elf $1 $2 manual 65536"
        decoded
        check_rounds 2 4
        echo "from one record of five counters to the next: $(differences 1 | head -n 1) cycles"
        in_guest taskset $mask ./records.elf "$1" "$2" calls 0
        decoded
        [[ $(grep -c "^\[$hart\].*Func Enter.*ffl:.*:tree" perf/records.callret) == 63 &&
            $(grep -c "^\[$hart\].*Func Exit" perf/records.callret) == 63 ]] ||
            fail "hart $hart: not every call and return is recorded"
    done
    if [[ $1 == 2 ]]; then
        in_guest ./records.elf 2 "$2" threads 65536
        decoded
        for hart in 0 1; do
            [[ $(grep -c "^\[$hart\].*Perf Cntr\]" perf/records.perfchannel2) == 20 ]] ||
                fail "hart $hart: not every record of its thread is there"
        done
    fi
    in_guest taskset 1 ./records.elf "$1" "$2" timer 65536
    decoded
    awk '/Perf Cntr\]/ { ++all; inside += /ffl:.*:loop/ } END { exit !(all > 20 && inside > 0.9 * all) }' \
        perf/records.perfchannel2 || fail "records of the timer are not in the loop"
}

# Of each record its kind, and the instructions and branches up to it.
records_of() { # program
    rm -rf perf
    "$decode" trace same_work.rtd --elf "$1" --perf --fixed --strict >decoded.txt || fail "the trace of $1 does not decode"
    paste -d' ' <(sed -n 's/.*\[Func \(Enter\|Exit\).*/\1/p' perf/*.callret) \
        <(sed -n 's/.*\[Perf Cntr\].*\[Value=\([0-9]*\)\].*/\1/p' perf/*.perfchannel2) \
        <(sed -n 's/.*\[Perf Cntr\].*\[Value=\([0-9]*\)\].*/\1/p' perf/*.perfchannel3)
}
# From one record to the next the program does what it does without an operating system. Beside it the two libraries
# have a part of their own, from the reading of one record to that of the next: constant for each pair of kinds. Of the
# second outermost call: a read may be a branch late until the caches have all of it. The callers of outermost calls are
# not recorded, which the libraries do in another way: without their records.
check_same_work() { # harts funnels registers
    "$vp" run bare_same_work.elf --quiet --guest-files . --set "harts=$1" --set "trace.registers=$3" -- "$1" "$2" ||
        fail "bare_same_work.elf ends with $?"
    records_of bare_same_work.elf >bare.txt
    in_guest taskset 1 ./same_work.elf "$1" "$2"
    records_of same_work.elf >linux.txt
    paste -d' ' bare.txt linux.txt | awk '
        NF != 6 || $1 != $4 { exit wrong = 1 }
        $1 == "Enter" && ++depth == 1 { ++outermost; fresh = 1; next }
        $1 == "Exit" && depth-- == 1 { next }
        outermost == 2 && !fresh {
            ++compared
            pair = kind " to " $1
            work = $2 - instructions " " $3 - branches
            own = $5 - linux_instructions - ($2 - instructions)
            own_branches = $6 - linux_branches - ($3 - branches)
            if (!(pair in owns)) { owns[pair] = own; branches_of[pair] = own_branches }
            late += own_branches - branches_of[pair] # a counter read beside a branch in flight may miss it
            if (owns[pair] != own || late < -1 || late > 1) {
                print pair ": " owns[pair] ", then " own " instructions, " late " branches more"
                exit wrong = 1
            }
            if (!seen[pair, work]++) ++various[pair]
        }
        { fresh = 0; kind = $1; instructions = $2; branches = $3; linux_instructions = $5; linux_branches = $6 }
        END {
            if (wrong || compared < 400 || various["Enter to Exit"] < 9) exit 1
            for (pair in owns)
                print pair ": the library under Linux has " owns[pair] " instructions and " branches_of[pair] \
                    " branches more"
        }' || fail "the same program does not do the same under Linux: bare.txt, linux.txt"
}

# The commands of docs/tutorial.md inside Linux, but for its preparation, print what the page shows; with another kernel
# or compiler numbers are a little different, and those below 20,000 are not compared.
check_tutorial() {
    local tree=$out/tutorial section
    rm -rf "$tree"
    mkdir -p "$tree/cache/pes-vp"
    ln -s "$cache" "$tree/cache/pes-vp/linux"
    ln -s "$source_folder"/{examples,linux,firmware} "$tree"
    section=$(sed -n '/^## The same inside Linux$/,/^## Where/p' "$source_folder/docs/tutorial.md")
    awk '/^```sh$/ { inside = ++blocks > 1; next } /^```/ { inside = 0 } inside' <<<"$section" >tutorial.sh
    awk '/^```$/ && !inside { inside = 1; next } /^```sh$/ { inside = 2; next } /^```$/ { inside = 0 } inside == 1' \
        <<<"$section" >tutorial.expected
    [[ $(wc -l <tutorial.expected) -ge 20 ]] || fail "docs/tutorial.md has too few blocks inside Linux"
    (
        cd "$tree"
        export XDG_CACHE_HOME=$tree/cache PATH=${vp%/*}:${decode%/*}:$PATH
        timeout 1200 bash -euo pipefail "$out/tutorial.sh"
    ) >tutorial.printed || fail "the commands of docs/tutorial.md inside Linux fail"
    paste -d'|' tutorial.expected tutorial.printed | awk -F'|' '
        {
            split($1, page, / +/)
            split($2, here, / +/)
            apart = here[2] > page[2] ? here[2] - page[2] : page[2] - here[2]
            if (NF != 2 || page[1] != here[1] || (NR <= 3 && $1 != $2) || (page[2] >= 20000 && apart > page[2] / 20)) {
                print "docs/tutorial.md: " $1 ", printed: " $2
                exit 1
            }
        }' || fail "docs/tutorial.md shows something else"
}

# Each event of the software trace module is emitted by the thread that runs, by its name.
check_events() {
    timeout 1200 "$vp" exec --cache "$cache" --quiet --osd-trace events.osd --osd-threads on -- taskset 1 ./events.elf
    "$decode" trace --format osd events.osd --csv events.csv >/dev/null
    awk -F, '$3 == "thread-switch" || $3 == "thread-name" { thread = $6 }
        $3 == "event" { ++count; right += thread == ($4 == "0x0100" ? "first" : "second") }
        END { exit !(count == 6 && right == 6) }' events.csv || fail "events are not told with their threads"
}

check_mistakes() { # harts funnels
    in_guest taskset 1 ./bad_use.elf "$1" "$2" >mistakes.txt
    cat mistakes.txt
    ! grep BAD mistakes.txt && grep -q '^good no driver' mistakes.txt || fail "a mistake is not told"
    in_guest taskset 1 ./keeps.elf "$1" "$2" >keeps.txt
    cat keeps.txt
    ! grep BAD keeps.txt || fail "a trace is disturbed"
    "$decode" trace keeps.rtd --elf keeps.elf --perf >decoded.txt || fail "what handlers record does not decode"
    grep -q "^ *$(sed -n 's/^records //p' keeps.txt)  manual" decoded.txt || fail "records of handlers are missing"
    in_guest ./fuzz.elf 10000 | grep -x '10000 calls, then a session that works' || fail "the driver does not work any more"
}

for registers in sifive standard; do
    for harts in 1 2; do
        [[ $registers-$harts != standard-1 ]] || continue
        cache=$out/$registers-$harts
        "$vp" exec --prepare --suite "$suite" ${mirror:+--mirror "$mirror"} --module "$work/pes_trace.ko" --cache "$cache" --set harts=$harts \
            --set trace.registers=$registers >prepare.log 2>&1 || fail "exec --prepare: $(tail -n 3 prepare.log)"
        echo "linux_trace: $harts harts, $registers registers" >&2
        check_records $harts $((harts - 1))
        check_same_work $harts $((harts - 1)) $registers
        check_mistakes $harts $((harts - 1))
        check_events
        [[ $registers-$harts != sifive-1 ]] || check_tutorial
    done
done
echo "linux_trace: passed"
