#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: etrace-reference.sh PES_VP PES_DECODE FIRMWARE_DIRECTORY OBJDUMP WORK_DIRECTORY
# E-Trace against the reference flow of its specification (riscv-trace-spec). Programs run here: the
# instructions that the reference decoder lists of our packets, and those that pes-decode lists,
# have to be those that retire in the waveform of the commit stage of the same run. And the
# reference encoder's packets of the same instructions have to give them to pes-decode.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=suite.sh
source "$(dirname "$0")/suite.sh"
here=$(dirname "$0")
vp=$1 decode=$2 firmware=$3 objdump=$4 work=$5
find_suite riscv-trace-spec
flow=$suite/referenceFlow
if [[ ! -f $flow/scripts/decoder_model.py ]]; then
    echo "skipped: $flow/scripts/decoder_model.py is absent"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is absent"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work/toolchain/bin"

# shellcheck source-path=SCRIPTDIR source=trace_programs.sh
source "$here/trace_programs.sh"
# Those that the reference encoder gets as well: its input has no traps here.
without_traps=" hello bench_fp_matmul bench_int_mix bench_mem_walk "

# What the decoder reads of the program. It knows some instructions by name; all that stay in
# sequence are the same to it.
cat >"$work/toolchain/bin/riscv64-unknown-elf-objdump" <<END
#!/usr/bin/env bash
"$objdump" "\$@" | awk -F'\t' -v OFS='\t' '
    NF >= 3 && \$3 !~ /^(beq|bne|blt|bge|bltu|bgeu|jal|jalr|c\.j|c\.jal|c\.jr|c\.jalr|c\.beqz|c\.bnez|[ms]ret)\$/ {
        \$3 = "wfi"
        NF = 3
    }
    { print }'
END
chmod +x "$work/toolchain/bin/riscv64-unknown-elf-objdump"

# What is fixed for an encoder, as docs/e-trace.md has it.
cat >"$work/static.ini" <<'END'
[Required Attributes]
bpred_size_p=0
cache_size_p=0
call_counter_size_p=0
context_width_p=1
time_width_p=1
ecause_width_p=6
iaddress_lsb_p=1
iaddress_width_p=64
nocontext_p=1
notime_p=1
privilege_width_p=2
return_stack_size_p=5
END

# The reference encoder has no implicit returns, and fills irdepth with ones.
sed 's/^return_stack_size_p=.*/return_stack_size_p=0/' "$work/static.ini" >"$work/encoder.ini"

user_config() { # name file-stem
    cat <<END
[required]
file-stem = $2
object-files = $firmware/$1.elf
[codec]
resync-max = 1
full-address = false
implicit-except = false
si-jump = false
implicit-return = false
branch-prediction = false
jump-target-cache = false
[flags]
use-rv32-isa = false
END
}

trace() { # name harts cycles kind: $out.etr, and $out.commits.HART
    local status=0 clock
    "$vp" run "$firmware/$1.elf" --quiet --max-cycles "$3" --console "$out.console" --trace "$out.etr" \
        --trace-program "$4" --set trace.registers=standard --set trace.protocol=e-trace --set harts="$2" \
        "${filter_options[@]}" --vcd "$out.vcd" --vcd-groups commit 2>"$out.errors" || status=$?
    if ((status != 0 && status != 124)); then
        head -n 1 "$out.errors"
        return 1
    fi
    clock=$(sed -n 's/^clock_hz = //p' "$out.etr.toml")
    commits_of "$out.vcd" "$out.commits" $((1000000000 / clock))
    rm -f "$out.vcd"
}

list_ours() { # program.elf trace: $2.list.HART
    "$decode" trace "$2" --strict --elf "$1" --instructions "$2.flow" >"$2.log" 2>&1 || return 1
    grep -v '^#' "$2.flow" | sed -E 's/^\[([0-9]+)\] [^ ]+/\1/; t; s/^[^ ]+/0/' |
        sed -nE 's/^([0-9]+) 0x0*([0-9a-f]+) .*/\1 0x\2/p' | awk -v out="$2.list" '{ print $2 > (out "." $1) }'
}

reference() { # script static-config arguments: in $work
    (cd "$work" && RISCV_TOOLCHAIN=$work/toolchain python3 -W ignore "$flow/scripts/$1" -c "$work/$2.ini" \
        "${@:3}") >"$out.log" 2>&1
}

compare() { # judge commits list
    if [[ ! -s $2 ]]; then
        echo "nothing retired"
        return 1
    fi
    if ! cmp -s "$2" "$3"; then
        echo "$1 lists $(wc -l <"$3") instructions, of $(wc -l <"$2")," \
            "first difference in $(cmp "$2" "$3" 2>&1 | sed 's/.*, //')"
        return 1
    fi
}

ours() { # name harts cycles kind
    out=$work/$1-$4
    trace "$@" || return 1
    if ! list_ours "$firmware/$1.elf" "$out.etr"; then
        echo "pes-decode fails: $(grep -v '^$' "$out.etr.log" | tail -n 1)"
        return 1
    fi
    for ((hart = 0; hart < $2; hart++)); do
        compare pes-decode "$out.commits.$hart" "$out.etr.list.$hart" || return 1
    done
}

theirs() { # name harts: of the trace of htm-plain
    out=$work/$1-htm-plain
    user_config "$1" none >"$out.user.ini"
    python3 "$here/etrace_reference.py" strip "$out.etr.toml" "$out.etr" "$out.te_inst_raw"
    for ((hart = 0; hart < $2; hart++)); do
        if ! reference decoder_model.py static -u "$out.user.ini" -i "$out.$hart.te_inst_raw"; then
            echo "decoder_model.py fails: $(grep -v '^$' "$out.log" | tail -n 1)"
            return 1
        fi
        sed -i 's/^/0x/' "$out.$hart.decoder.trace"
        compare decoder_model.py "$out.commits.$hart" "$out.$hart.decoder.trace" || return 1
    done
}

encoded() { # program.elf stem commits: of $2_input
    out=$work/$2
    user_config "$2" "$2" >"$out.user.ini"
    if ! reference encoder_model.py encoder -u "$out.user.ini"; then
        echo "encoder_model.py fails: $(grep -v '^$' "$out.log" | tail -n 1)"
        return 1
    fi
    local stream=${out}_input.te_inst_raw
    printf 'protocol = "e-trace"\nreturn_stack_size = 0\n' >"$stream.toml"
    if ! list_ours "$1" "$stream"; then
        echo "pes-decode fails: $(grep -v '^$' "$stream.log" | tail -n 1)"
        return 1
    fi
    compare pes-decode "$3" "$stream.list.0"
}

encoded_commits() { # name: those of htm-plain
    python3 "$here/etrace_reference.py" ingress "$objdump" "$firmware/$1.elf" "$work/$1-htm-plain.commits.0" \
        >"$work/$1-encoded_input"
    encoded "$firmware/$1.elf" "$1-encoded" "$work/$1-htm-plain.commits.0"
}

# A test file of the reference flow: an exception behind a return, without the boot code of Spike.
encoded_spike() { # name
    python3 "$here/etrace_reference.py" spike "$objdump" "$flow/tests/test_files/$1.riscv" \
        "$flow/tests/test_files/$1.spike_pc_trace" "$work/$1.retired" >"$work/$1-encoded_input"
    encoded "$flow/tests/test_files/$1.riscv" "$1-encoded" "$work/$1.retired"
}

latched() {
    out=$work/trace_standard_filters-htm-plain
    if ! latched_trace "$out.etr" "$out.commits" --set trace.protocol=e-trace; then
        echo "the program fails"
        return 1
    fi
    printf 'protocol = "e-trace"\ntimestamp_bits = 40\nsource_bits = 0\n' >"$out.etr.toml"
    if ! list_ours "$firmware/trace_standard_filters.elf" "$out.etr"; then
        echo "pes-decode fails: $(grep -v '^$' "$out.etr.log" | tail -n 1)"
        return 1
    fi
    compare pes-decode "$out.commits.0" "$out.etr.list.0" && theirs trace_standard_filters 1
}

check() { # what command...
    if reason=$("${@:2}"); then
        pass
        echo "$1: agrees"
    else
        fail "$1" "$reason"
    fi
}

for program in "${programs[@]}"; do
    read -r name harts cycles <<<"$program"
    for kind in htm-plain htm btm; do
        check "pes-decode $name $kind" ours "$name" "$harts" "$cycles" "$kind"
    done
    check "reference decoder $name" theirs "$name" "$harts"
    if [[ $without_traps == *" $name "* ]]; then
        check "reference encoder $name" encoded_commits "$name"
    fi
    rm -f "$work/$name"-*.{flow,list.?,commits.?,trace,te_inst,te_inst_raw,etr}
done
for line in "${filtered[@]}"; do
    choose_filter "$line"
    for kind in htm-plain htm btm; do
        check "pes-decode $name $kind ${filter_options[*]}" ours "$name" 1 "$cycles" "$kind"
    done
    check "reference decoder $name ${filter_options[*]}" theirs "$name" 1
    rm -f "$work/$name"-*.{flow,list.?,commits.?,trace,te_inst,te_inst_raw,etr}
done
check "reference decoder trace_standard_filters" latched
check "reference encoder test_discon_branch_exception" encoded_spike test_discon_branch_exception
finish etrace-reference "programs"
