#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: timer.sh PES_VP FIRMWARE PAYLOAD OPENSBI_DIRECTORY QEMU rtl|no_rtl WORK_DIRECTORY
#        OPENSBI_DIRECTORY and QEMU may be empty
# The supervisor's timer with Sstc and without it, under both firmwares and on both paths.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 opensbi=$4 qemu=$5 rtl=$6 work=$7
rm -rf "$work"
mkdir -p "$work"

cat >"$work/without.txt" <<'EOF'
timer_test: no stimecmp
timer_test: calls: 10 interrupts
timer_test: legacy calls: 10 interrupts
timer_test: 0 failures
EOF
cat >"$work/with.txt" <<'EOF'
timer_test: stimecmp
timer_test: calls: 10 interrupts
timer_test: legacy calls: 10 interrupts
timer_test: stimecmp: 10 interrupts
timer_test: 0 failures
EOF

compare() { # name expected
    tr -d '\r' <"$work/$1.out" | sed -n '/^FAIL\|^unexpected\|^timer_test/p' | diff "$work/$2.txt" - ||
        { echo "$1: not as expected"; exit 1; }
}
boot() { # name expected firmware options...
    "$vp" run --firmware "$3" --kernel "$payload" "${@:4}" --max-cycles 200000000 </dev/null >"$work/$1.out" ||
        { cat "$work/$1.out"; exit 1; }
    compare "$1" "$2"
}
sstc=(--set extensions.sstc=true)
for path in step fast; do
    boot "without_$path" without "$firmware" --path $path
    boot "with_$path" with "$firmware" --path $path "${sstc[@]}"
done
[[ $rtl == no_rtl ]] || boot with_lockstep with "$firmware" --counters lockstep "${sstc[@]}"
if [[ -n $opensbi ]]; then
    boot opensbi_without without "$opensbi/fw_jump.elf"
    boot opensbi_with with "$opensbi/fw_jump.elf" "${sstc[@]}"
fi
if [[ -n $qemu ]]; then # its harts have Sstc
    timeout 60 "$qemu" -M virt -nographic -icount shift=0 -bios "$firmware" -kernel "$payload" \
        </dev/null >"$work/qemu.out"
    compare qemu with
fi
