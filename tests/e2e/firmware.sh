#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: firmware.sh PES_VP FIRMWARE PAYLOAD OBJCOPY QEMU WORK_DIRECTORY      QEMU may be empty
# The firmware alone boots a supervisor payload as OpenSBI does, and prints nothing of its own but
# errors.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 objcopy=$4 qemu=$5 work=$6
rm -rf "$work"
mkdir -p "$work"
"$objcopy" -O binary "$firmware" "$work/firmware.bin"
"$objcopy" -O binary "$payload" "$work/payload.bin"

boot() { # name firmware kernel options...
    local out=$work/$1.txt
    "$vp" run --firmware "$2" --kernel "$3" "${@:4}" --max-cycles 50000000 | tr -d "\r" >"$out"
    diff "$out" - <<'EOF' ||
payload: hart 0, device tree found, SBI 3.0, 25 counters
payload: a counter that overflows counts cycles and instructions
EOF
        { echo "$1: not what the payload prints"; exit 1; }
}
boot elf "$firmware" "$payload" --dump "given_tree@$work/given.dtb"
# What the firmware closes it has reserved, in the platform's tree and in one with room and an entry of its own.
reserved() { # tree
    [[ $(fdtget -t x "$1" /reserved-memory/firmware@80000000 reg) == "0 80000000 0 80000" ]] &&
        fdtget -p "$1" /reserved-memory/firmware@80000000 | grep -qx no-map
}
if command -v fdtget >/dev/null; then
    reserved "$work/given.dtb" || { echo "the machine layer is not in /reserved-memory"; exit 1; }
    "$vp" run --dump-dtb "$work/platform.dtb"
    {
        dtc -q -I dtb -O dts "$work/platform.dtb"
        echo '/ { reserved-memory { #address-cells = <2>; #size-cells = <2>; ranges;'
        echo '    buffer@84000000 { reg = <0 0x84000000 0 0x1000>; }; }; };'
    } | dtc -q -I dts -O dtb -p 4096 -o "$work/other.dtb" -
    boot other_tree "$firmware" "$payload" --dtb "$work/other.dtb" --dump "given_tree@$work/given_other.dtb"
    reserved "$work/given_other.dtb" || { echo "an existing /reserved-memory is not extended"; exit 1; }
    [[ $(fdtget -l "$work/given_other.dtb" /reserved-memory | wc -l) == 2 ]]
fi
boot raw_payload "$firmware" "$work/payload.bin" --path step
boot raw "$work/firmware.bin" "$work/payload.bin" --path fast
boot two_harts "$firmware" "$payload" --set harts=2
# As distributions pack their kernels.
gzip -c "$work/payload.bin" >"$work/payload.gz"
boot gzip "$firmware" "$work/payload.gz"
if command -v zstd >/dev/null; then
    zstd -q "$work/payload.bin" -o "$work/payload.zst"
    boot zstd "$firmware" "$work/payload.zst"
fi

refused() { # name exit_code pattern command...
    local out=$work/$1.txt status=0
    "${@:4}" </dev/null >"$out" 2>&1 || status=$?
    if [[ $status != "$2" ]] || ! grep -q "$3" "$out"; then
        echo "$1: exit code $status, expected $2 and '$3' in:"
        cat "$out"
        exit 1
    fi
}
head -c 500 "$work/payload.gz" >"$work/cut.gz"
refused cut_kernel 2 "kernel '.*cut.gz' ends within its gzip data" \
    "$vp" run --firmware "$firmware" --kernel "$work/cut.gz"
# Nobody says where to go: DRAM + 2 MiB, where there is no instruction.
refused no_payload 130 'cause 0x2  pc 0x80200000' "$vp" run "$firmware" --max-cycles 50000000
[[ -n $qemu ]] || exit 0
# A loader that has no kernel names address 0.
refused no_next_stage 1 'a2 names a next stage at 0x0 in mode 1, expected' \
    "$qemu" -M virt -nographic -bios "$firmware"
