#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: systemc.sh BUILD_DIRECTORY SOURCE_DIRECTORY CXX WORK_DIRECTORY
# The SystemC package as a user has it: installed into a prefix, and nothing else. The example builds against it, with
# a router and a memory of its own, and the program has the cycles, events and output that it has on pes-vp.
set -euo pipefail
build=$1 source=$2 cxx=$3 work=$4
fail() {
    echo "systemc: $1" >&2
    exit 1
}
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
cmake --install "$build" --prefix "$work/prefix" --component systemc >"$work/install.log"
cp -r "$source/examples/systemc" "$work/source"
cp -r "$source/tests/e2e/systemc" "$work/tests"

configure() { # source, build folder, options
    cmake -S "$1" -B "$2" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release "${@:3}" 2>&1
}
for part in source tests; do
    configure "$work/$part" "$work/$part/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLE="$work/source" \
        >"$work/configure.log" || fail "$(cat "$work/configure.log")"
    cmake --build "$work/$part/build" >"$work/build.log" 2>&1 || fail "$(cat "$work/build.log")"
done
platform=$work/source/build/my-platform

# No path of this build, no link-time optimisation and no name of ours but pes::kit is in the archive.
archive=$work/prefix/lib/libpes-vp.a
[[ -f $archive ]] || archive=$(find "$work/prefix" -name libpes-vp.a)
! readelf -SW "$archive" | grep -q 'gnu.lto' || fail "objects for link-time optimisation"
names=$(nm -C --defined-only --extern-only "$archive" | grep ' ' | grep -v 'pes::kit' || true)
[[ -z $names ]] || fail "names: $(head -n 5 <<<"$names")"
! grep -rl "$build" "$work/prefix" --include='*.cmake' --include='*.h' || fail "a path of the build"

# The program of the example.
guest=(riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -nostdlib -O2)
"${guest[@]}" -I "$source/examples" -T "$source/examples/program.ld" "$source/examples/start.S" \
    "$source/examples/runtime.c" "$work/source/program.c" -o "$work/program.elf"

# What pes-vp counts, one a line, as the example prints it.
judge() { # program, settings
    local program=$1 options=()
    shift
    for setting in "$@"; do options+=(--set "$setting"); done
    "$build/platform/pes-vp" run "$program" --set htif.enabled=false "${options[@]}" --quiet \
        --console "$work/console.expected" --stats "$work/stats.json"
    counts >"$work/counts.expected"
}
counts() {
    python3 -c '
import json, sys
stats = json.load(open(sys.argv[1]))
print("cycles", stats["cycles"])
print("instructions", stats["instret"])
for name, count in stats["events"].items():
    print(name, count)' "$work/stats.json"
}
same() { # what it is, program, settings
    judge "${@:2}"
    "$platform" "${@:2}" >"$work/console" 2>"$work/counts" || fail "$1: $(cat "$work/counts")"
    diff "$work/counts.expected" "$work/counts" || fail "$1: other counts"
    diff "$work/console.expected" "$work/console" || fail "$1: other output"
}
same "the program" "$work/program.elf"
grep -q 'samples  *[1-9]' "$work/console" || fail "no interrupt of a counter came: $(cat "$work/console")"
same "a small quantum" "$work/program.elf" quantum=100
# With a latency at which no threshold is reached while the hart waits for the kernel: that is told late (docs/systemc.md).
same "slow memory" "$work/program.elf" timing.memory_latency=90

# The same counters, as RTL beside the model, where they were built.
if "$build/platform/pes-vp" run "$work/program.elf" --counters rtl --set htif.enabled=false --quiet --console /dev/null \
    2>"$work/rtl.log"; then
    same "counters in RTL" "$work/program.elf" counters.model=rtl
    same "counters in lockstep" "$work/program.elf" counters.model=lockstep
fi

# A memory that refuses direct access, and one that withdraws it again and again.
judge "$work/program.elf"
for every in 0 50 977; do
    "$work/tests/build/without_dmi" "$work/program.elf" "$every" >"$work/console" 2>"$work/counts" ||
        fail "DMI $every: $(cat "$work/counts")"
    diff "$work/counts.expected" "$work/counts" || fail "DMI $every: other counts"
    diff "$work/console.expected" "$work/console" || fail "DMI $every: other output"
done

# Two platforms at once, with different programs and settings, have the results of each alone.
"${guest[@]}" -T "$source/examples/program.ld" -I "$source/examples" -DFINISHER=0x00100000 "$source/examples/start.S" \
    "$source/examples/runtime.c" "$source/examples/hello.c" "$source/tests/e2e/systemc/finish.c" -Wl,--wrap=main \
    -o "$work/hello.elf"
pair() { # settings of the program, settings of hello
    "$work/tests/build/two_platforms" "$work/program.elf" "$work/console.a" "$work/counts.a" $1 -- \
        "$work/hello.elf" "$work/console.b" "$work/counts.b" $2 >"$work/pair.log" 2>&1 || fail "$(cat "$work/pair.log")"
    judge "$work/program.elf" $1
    diff "$work/counts.expected" "$work/counts.a" && diff "$work/console.expected" "$work/console.a" ||
        fail "two platforms: the first one"
    judge "$work/hello.elf" $2
    diff "$work/counts.expected" "$work/counts.b" && diff "$work/console.expected" "$work/console.b" ||
        fail "two platforms: the second one"
}
pair "" ""
pair "quantum=1000" "timing.memory_latency=90"
pair "clock_hz=100000000" "hart.path=step"

# Traces, byte for byte: without a funnel, with one, with two; a slow probe or port holds the hart.
for funnels in 0 1 2; do
    for slow in "" "trace.fifo_bytes=128 trace.probe_divider=7" "trace.registers=standard" \
        "trace.registers=standard trace.fifo_bytes=128 trace.probe_divider=7"; do
        keys="trace.funnel.count=$((funnels > 1 ? 1 : funnels)) $slow"
        judge "$work/program.elf" $keys
        "$build/platform/pes-vp" run "$work/program.elf" --set htif.enabled=false $(printf -- '--set %s ' $keys) \
            --quiet --console "$work/console.expected" --trace "$work/trace.expected" --stats "$work/stats.json"
        counts >"$work/counts.expected"
        "$work/tests/build/traced" "$work/program.elf" "$funnels" "$work/trace" $keys >"$work/console" \
            2>"$work/counts" || fail "trace: $(cat "$work/counts")"
        diff "$work/counts.expected" "$work/counts" || fail "$funnels funnels $slow: other counts"
        diff "$work/console.expected" "$work/console" || fail "$funnels funnels $slow: other output"
        cmp "$work/trace.expected" "$work/trace" || fail "$funnels funnels $slow: another trace"
        diff "$work/trace.expected.toml" "$work/trace.toml" || fail "$funnels funnels $slow: another description"
    done
done
"$build/decoder/pes-decode" trace "$work/trace" --strict --statistics "$work/decoded.txt" >"$work/decode.log" || fail "pes-decode"

# Software traces into SRAM and into a memory that is not ours.
"${guest[@]}" -c "$source/examples/runtime.c" -o "$work/runtime.o"
"${guest[@]/%gcc/g++}" -std=gnu++20 -fno-exceptions -fno-rtti -I "$source" -I "$source/examples" \
    -T "$source/examples/program.ld" "$source/examples/start.S" "$source/tests/e2e/systemc/traced_memory.cpp" \
    "$work/runtime.o" -o "$work/traced_memory.elf" 2>"$work/guest.log" || fail "$(cat "$work/guest.log")"
judge "$work/traced_memory.elf"
"$work/tests/build/traced" "$work/traced_memory.elf" 0 - >"$work/console" 2>"$work/counts" || fail "$(cat "$work/counts")"
diff "$work/counts.expected" "$work/counts" && diff "$work/console.expected" "$work/console" || fail "trace in memory"

# Harts on one bus: locks of AMOs and of LR/SC, code of one hart for another, interrupts between them. The program ends
# with the number of the step that failed.
for harts in 2 4; do
    for quantum in 1000 77; do
        "$work/tests/build/several_harts" "$build/firmware/harts_memory_$harts.elf" "$harts" quantum=$quantum \
            2>"$work/harts.txt" || fail "$harts harts, quantum $quantum: step $? $(cat "$work/harts.txt")"
    done
done

# An interrupt from a wire that is not ours arrives in the cycle in which the CLINT's would.
"${guest[@]}" -I "$source/examples" -T "$source/examples/program.ld" "$source/examples/start.S" \
    "$source/examples/runtime.c" "$source/tests/e2e/systemc/sleep.c" -o "$work/sleep.elf"
judge "$work/sleep.elf"
for kind in clint edge before waits outside; do
    "$work/tests/build/wires" "$work/sleep.elf" "$kind" >"$work/console" 2>"$work/error" || fail "$kind: $(cat "$work/error")"
    [[ $kind == outside ]] && continue
    diff "$work/console.expected" "$work/console" || fail "wires: $kind"
    diff <(head -n 1 "$work/counts.expected") "$work/error" || fail "wires: cycles, $kind"
done

# A program that cannot go on.
printf '.globl _start\n_start: csrw mtvec, zero\n.word 0\n' >"$work/loop.s"
"${guest[@]}" -T "$source/examples/program.ld" "$work/loop.s" -o "$work/loop.elf"
! "$platform" "$work/loop.elf" >"$work/console" 2>"$work/counts" || fail "a trap loop has exit code 0"
grep -q '^the trap handler at 0x0 cannot run: its first instruction has raised exception 1; the trap had cause 2 at 0x8' \
    "$work/counts" || fail "a trap loop: $(cat "$work/counts")"

# A mistake that a program makes again and again is told as by pes-vp: ten times, and how often at the end.
"${guest[@]}" -I "$source/examples" -T "$source/examples/program.ld" "$source/examples/start.S" \
    "$source/examples/runtime.c" "$source/tests/e2e/systemc/finish.c" -DFINISHER=0x00100000 -Wl,--wrap=main \
    "$source/tests/e2e/systemc/complete.c" -o "$work/complete.elf"
"$platform" "$work/complete.elf" >"$work/console" 2>"$work/counts" || fail "repeated: $(cat "$work/counts")"
[[ $(grep -c 'which is not an enabled id' "$work/console") == 11 ]] || fail "repeated: $(tail -n 12 "$work/console")"
grep -q 'more messages of this kind are counted' "$work/console" || fail "repeated: the rest is not counted"
tail -n 1 "$work/console" | grep -q '\[plic\] .*repeated 1,000 times: context 0 completes 0x5' ||
    fail "repeated: $(tail -n 1 "$work/console")"

# Mistakes are one sentence.
mistake() { # what, expected sentence
    local status=0
    "$work/tests/build/unbound" "$1" "${3:-}" >"$work/out" 2>"$work/error" || status=$?
    [[ $status == 2 && $(cat "$work/error") == "$2" ]] || fail "$1: status $status, $(cat "$work/error")"
}
mistake bus "cpu.bus is not bound, expected a TLM-2.0 target socket"
mistake socket "clint.socket is not bound, expected a TLM-2.0 initiator socket"
mistake mti "cpu.mti is not bound, expected an sc_signal<bool>"
mistake timer "cpu has no timer, expected a call of use() with a Clint or a function"
mistake index "cpu: index 1 with harts = 1, expected a smaller index"
mistake setting "setting: unknown key 'counters.widht', did you mean 'counters.width'?"
mistake csr "cpu has no CSR 0x5c0, expected one of docs/hart.md"
mistake memory "cpu: program '$work/program.elf' has a byte at 0x80000100 that debug transport does not reach, expected \
memory there" "$work/program.elf"
mistake elf "cpu: program '/nonexistent.elf' cannot be read: No such file or directory" \
    /nonexistent.elf

lacks() { # what, words, options
    ! configure "$work/source" "$work/lacks" "${@:3}" >"$work/configure.log" || fail "$1: configured"
    tr -s ' \n' ' ' <"$work/configure.log" | grep -qF "$2" || fail "$1: $(cat "$work/configure.log")"
    rm -rf "$work/lacks"
}
here=(-DCMAKE_PREFIX_PATH="$work/prefix")
mkdir -p "$work/other/sysc/kernel"
printf '#define SC_VERSION_MAJOR      3\n#define SC_VERSION_MINOR 0\n#define SC_VERSION_PATCH 1\n' \
    >"$work/other/sysc/kernel/sc_ver.h"
library=$(realpath -s "$(dirname "$("$cxx" -print-file-name=libsystemc.so)")")
lacks "no SystemC" "SystemC not found, expected Debian's libsystemc-dev" "${here[@]}" \
    -DCMAKE_IGNORE_PATH="$library;${library#/usr}"
lacks "another SystemC" "$work/other is SystemC 3.0.1, expected 2.3.4" "${here[@]}" \
    -DPES_VP_SYSTEMC_INCLUDE="$work/other"
printf '#!/bin/sh\nexec %s -U__GNUC__ -D__GNUC__=9 "$@"\n' "$cxx" >"$work/old-c++"
chmod +x "$work/old-c++"
if "$cxx" --version | grep -q 'Free Software'; then
    cxx=$work/old-c++
    lacks "an old compiler" "pes-vp is C++20, but $work/old-c++ is GCC 9." "${here[@]}"
fi
