#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: overflow.sh PES_VP FIRMWARE FIRMWARE_V6 PAYLOAD PAYLOAD_V6 OPENSBI_DIRECTORY \
#     rtl|no_rtl U74_RTL WORK_DIRECTORY               OPENSBI_DIRECTORY may be empty; U74_RTL: as rtl
# A supervisor's profiler on interrupt 13 gets floor(events / period) samples of user code, whatever
# simulates the counters and the hart, and each filter flag keeps out its mode: in the ratified order,
# and with the firmware built for the v6 draft in the draft's.
set -euo pipefail
vp=$1 firmware=$2 firmware_v6=$3 payload=$4 payload_v6=$5 opensbi=$6 rtl=$7 u74_rtl=$8 work=$9
rm -rf "$work"
mkdir -p "$work"

run() { # name firmware payload options...
    "$vp" run --firmware "$2" --kernel "$3" "${@:4}" --max-cycles 200000000 | tr -d '\r' >"$work/$1.txt"
}

cat >"$work/expected.txt" <<'EOF'
overflow_test: 100000 branches, period 1000: 100 samples
overflow_test: 99999 branches, period 1000: 99 samples
overflow_test: 100000 branches, period 997: 100 samples
overflow_test: 20000 branches, period 100: 200 samples
overflow_test: 999 branches, period 1000: 0 samples
overflow_test: 0 failures
EOF
# Counters in RTL see every instruction, which the fast path does not offer.
runs=("--counters tlm --path step" "--counters tlm --path fast")
[[ $rtl == no_rtl ]] || runs+=("--counters rtl --path step" "--counters lockstep --path step")
u74="--set counters.profile=u74"
runs+=("$u74 --path step" "$u74 --path fast")
[[ $u74_rtl == no_rtl ]] || runs+=("$u74 --counters rtl" "$u74 --counters lockstep")
for options in "${runs[@]}"; do
    name=${options// /_}
    # shellcheck disable=SC2086 # several options in one word
    run "ours$name" "$firmware" "$payload" $options
    diff "$work/expected.txt" "$work/ours$name.txt" || { echo "$options: not as expected"; exit 1; }
done
run v6 "$firmware_v6" "$payload_v6"
diff "$work/expected.txt" "$work/v6.txt" || { echo "v6 flags: not as expected"; exit 1; }

# The orders are really different: flags of one mean other modes to the other.
for pair in "$firmware $payload_v6" "$firmware_v6 $payload"; do
    # shellcheck disable=SC2086
    if run crossed $pair || ! grep -q '^FAIL counts in supervisor mode: 500, expected 0$' "$work/crossed.txt"; then
        echo "$pair: the filter flags should not be understood"
        exit 1
    fi
done

# Debian's OpenSBI finds the extension by itself and gives the same samples.
[[ -n $opensbi ]] || exit 0
for profile in cva6 u74; do
    run opensbi "$opensbi/fw_jump.elf" "$payload" --set counters.profile=$profile
    sed -n '/^FAIL\|^overflow_test/p' "$work/opensbi.txt" | diff "$work/expected.txt" - ||
        { echo "OpenSBI, $profile: not as expected"; exit 1; }
done
