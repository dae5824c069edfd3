#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: rtl_replay.sh PES_VP FIRMWARE_DIRECTORY SOURCE_DIRECTORY PACKAGE VERILATOR IVERILOG \
#     WORK_DIRECTORY                            either simulator may be empty, not both
# Stimulus files of whole programs, and one written by hand, replay without a difference in
# simulators that have no code of pes-vp: the RTL in Verilator, a second block in Icarus Verilog. Of
# blocks with one error, the first difference is found in the cycle that the file determines.
set -euo pipefail
vp=$1 firmware=$2 source=$3 package=$4 verilator=$5 iverilog=$6 work=$7
if [[ -z $verilator && -z $iverilog ]]; then
    echo "neither verilator nor iverilog found: no stimulus file is replayed"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }

# --- Files ----------------------------------------------------------------------------------------

record() { # name options...
    local status=0
    "$vp" run "${@:2}" --quiet --console "$work/console" --counter-stimulus "$work/$1.stim" \
        --stats "$work/$1.json" </dev/null 2>"$work/messages" || status=$?
    [[ $status == 0 || $status == 124 ]] || fail "$1: exit code $status"
    # The last line has the cycles of the run.
    local cycles
    cycles=$(grep -o '"cycles": [0-9]*' "$work/$1.json" | head -n 1 | tr -dc 0-9)
    [[ $(tail -n 1 "$work/$1.stim") == "e $cycles" ]] || fail "$1: not $cycles cycles"
}

record pes_test "$firmware/pes_test.elf"
record workload "$firmware/workload.elf" --max-cycles 60000
record overflow --firmware "$firmware/pes_firmware.elf" --kernel "$firmware/overflow_test.elf" \
    --max-cycles 200000
record sampled "$firmware/sampled_work_all_modes.elf" --max-cycles 50000
cp "$source/tests/e2e/rtl_replay/by_hand.stim" "$work/by_hand.stim"
files=(by_hand pes_test workload overflow sampled)
# For pes_hpm alone: causes of Sspesa, and another profile with its own shape.
record causes "$firmware/sampling_methods.elf" --max-cycles 200000 --set extensions.sspesa=true \
    --set extensions.smcsrind=true --set extensions.smctr=true
grep -q '^t ' "$work/causes.stim" || fail "no cause of a threshold in causes.stim"
record u74 "$firmware/workload_u74.elf" --max-cycles 150000 --set counters.profile=u74

# What counts does not matter, nor does the execution path that the user leaves open.
for kind in rtl lockstep; do
    record "pes_test_$kind" "$firmware/pes_test.elf" --counters $kind
    cmp "$work/pes_test.stim" "$work/pes_test_$kind.stim"
done
# Watching changes nothing.
"$vp" run "$firmware/pes_test.elf" --quiet --console "$work/console" --stats "$work/unwatched.json"
same() { sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$work/$1.json"; }
diff <(same pes_test) <(same unwatched) || fail "--counter-stimulus changes the run"

# The first cycle in which the overflow line is high, out of the file alone.
overflow_cycle() { # file
    awk '$1 == "n" { at += $2 } $1 == "p" || $1 == "1" || $1 == "2" { ++at }
         $1 == "l" && $4 == 1 { print at + 1; exit }' "$1"
}

# --- Simulators -----------------------------------------------------------------------------------

replay=$source/examples/rtl-replay
rtl=(pes_counter_file pes_counter pes_threshold pes_sample_buffer pes_sample_capture
    pes_sample_registers pes_hpm)

build_verilator() { # directory with the RTL, options...
    "$verilator" --binary -Wno-lint -Wno-style -Wno-fatal -O3 --top-module replay --Mdir "$1/obj" \
        "${@:2}" "$package" "${rtl[@]/#/$1/}" "$replay/replay.sv" >"$1/log" 2>&1 ||
        { cat "$1/log"; fail "verilator: $1"; }
}
run_verilator() { # directory file
    "$1/obj/Vreplay" "+stimulus=$work/$2.stim" 2>&1 | grep -E '^(PASS|FAIL)' || true
}
build_iverilog() { # directory with plain_hpm.v
    "$iverilog" -g2012 -DREPLAY_BLOCK=plain_hpm -s replay -o "$1/replay.vvp" "$1/plain_hpm.v" \
        "$replay/replay.sv"
}
run_iverilog() { # directory file
    vvp -n "$1/replay.vvp" "+stimulus=$work/$2.stim" 2>&1 | grep -E '^(PASS|FAIL)' || true
}

# plant FILE TEXT WRONG: TEXT occurs once.
plant() {
    [[ $(grep -cF -- "$2" "$1") == 1 ]] || fail "$1 has not once: $2"
    local content
    content=$(<"$1")
    printf '%s\n' "${content/"$2"/"$3"}" >"$1"
}

passes() { # simulator directory files...
    local file result
    for file in "${@:3}"; do
        result=$("run_$1" "$2" "$file")
        echo "$1, $file: $result"
        [[ $result == "PASS: $(tail -n 1 "$work/$file.stim" | cut -d ' ' -f 2) cycles, "* ]] ||
            fail "$1 does not pass $file"
    done
}
fails() { # simulator directory file beginning
    local result
    result=$("run_$1" "$2" "$3")
    echo "$1, mutant $(basename "$2"), $3: $result"
    [[ $result == "FAIL: $4"* ]] || fail "expected FAIL: $4"
}

late="cycle $(overflow_cycle "$work/overflow.stim"): overflow_irq_o is 0, expected 1"

if [[ -n $verilator ]]; then
    cp -r "$source/hw/hpm/rtl" "$work/rtl"
    for name in inhibit late; do cp -r "$source/hw/hpm/rtl" "$work/rtl_$name"; done
    rtl=("${rtl[@]/%/.sv}")
    build_verilator "$work/rtl"
    passes verilator "$work/rtl" "${files[@]}" causes
    cp -r "$source/hw/hpm/rtl" "$work/rtl_u74"
    build_verilator "$work/rtl_u74" -GPROFILE=1 -GPULSES=61 -GCOUNTERS=2 -GWIDTH=40 -GFREEZES=0 \
        -GSMCNTRPMF=0
    passes verilator "$work/rtl_u74" u74
    # The wrong shape is no success.
    fails verilator "$work/rtl" u74 "cycle 1: the file has another number of pulse pins"
    # The pulse of cycle 6 of the file by hand, in which counter 3 is inhibited, counts.
    plant "$work/rtl_inhibit/pes_counter_file.sv" "run && !inhibit_i[n]" "run"
    build_verilator "$work/rtl_inhibit"
    fails verilator "$work/rtl_inhibit" by_hand "cycle 7: mhpmcounter3 (CSR 0xb03) is 0x4, expected 0x3"
    # The request comes one cycle late.
    plant "$work/rtl_late/pes_counter_file.sv" "  assign overflow_irq_o = |overflowed_o;" \
        "  always_ff @(posedge clk_i) overflow_irq_o <= |overflowed_o;"
    build_verilator "$work/rtl_late"
    fails verilator "$work/rtl_late" by_hand "cycle 11: overflow_irq_o is 0, expected 1"
    fails verilator "$work/rtl_late" overflow "$late"
fi
if [[ -n $iverilog ]]; then
    for name in plain plain_inhibit plain_late; do
        mkdir "$work/$name"
        cp "$replay/plain_hpm.v" "$work/$name"
    done
    build_iverilog "$work/plain"
    passes iverilog "$work/plain" "${files[@]}"
    plant "$work/plain_inhibit/plain_hpm.v" "held = inhibit[n] || " "held = "
    build_iverilog "$work/plain_inhibit"
    fails iverilog "$work/plain_inhibit" by_hand \
        "cycle 7: mhpmcounter3 (CSR 0xb03) is 0x4, expected 0x3"
    plant "$work/plain_late/plain_hpm.v" "      overflow_irq_o <= request;" \
        "      overflow_irq_o <= late; late <= request;"
    plant "$work/plain_late/plain_hpm.v" "  reg        request;" "  reg        request, late;"
    plant "$work/plain_late/plain_hpm.v" "      overflow_irq_o <= 0;" \
        "      overflow_irq_o <= 0; late <= 0;"
    build_iverilog "$work/plain_late"
    fails iverilog "$work/plain_late" by_hand "cycle 11: overflow_irq_o is 0, expected 1"
    fails iverilog "$work/plain_late" overflow "$late"
fi

# A file that is cut off is not a success.
head -n -1 "$work/by_hand.stim" >"$work/cut.stim"
for simulator in ${verilator:+verilator} ${iverilog:+iverilog}; do
    directory=$work/plain
    [[ $simulator == iverilog ]] || directory=$work/rtl
    fails "$simulator" "$directory" cut "cycle 33: the stimulus file has no end"
done
# Mistakes.
status=0
"$vp" run "$firmware/pes_test.elf" --path fast --counter-stimulus "$work/no.stim" \
    2>"$work/error" || status=$?
[[ $status == 2 ]] && grep -q "hart.path = fast excludes --counter-stimulus" "$work/error" ||
    fail "--path fast: $(cat "$work/error")"
[[ ! -e $work/no.stim ]] || fail "a file is left behind"
