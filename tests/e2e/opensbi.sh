#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: opensbi.sh PES_VP OPENSBI_DIRECTORY PAYLOAD OBJCOPY COUNTERS WORK_DIRECTORY
# Debian's OpenSBI, unmodified, finds the platform's devices and counters in the device tree and
# starts a supervisor payload: fw_jump and fw_dynamic, ELF files and raw images, on both paths,
# and once with COUNTERS, lockstep if the build has CVA6's counters in RTL.
set -euo pipefail
vp=$1 opensbi=$2 payload=$3 objcopy=$4 counters=$5 work=$6
rm -rf "$work"
mkdir -p "$work"
"$objcopy" -O binary "$payload" "$work/payload.bin"

boot() { # name firmware kernel options...
    local out=$work/$1.txt
    "$vp" run --firmware "$2" --kernel "$3" "${@:4}" --max-cycles 50000000 | tr -d "\r" >"$out"
    # 16 firmware counters follow the last hardware counter, mhpmcounter8.
    grep -qx 'payload: hart 0, device tree found, SBI 1.0, 25 counters' "$out"
    grep -qx "payload: a counter that overflows $overflow cycles and instructions" "$out"
}
overflow=counts
boot jump "$opensbi/fw_jump.elf" "$payload"
boot jump_raw "$opensbi/fw_jump.bin" "$work/payload.bin"
boot dynamic "$opensbi/fw_dynamic.elf" "$payload" --path step
boot dynamic_raw "$opensbi/fw_dynamic.bin" "$work/payload.bin" --path fast
boot counters "$opensbi/fw_jump.elf" "$payload" --counters "$counters"
cmp "$work/jump.txt" "$work/counters.txt"

for line in 'Platform Name             : pes-vp,virtual-platform' \
    'Platform HART Count       : 1' \
    'Platform Timer Device     : aclint-mtimer @ 12500000Hz' \
    'Platform Console Device   : uart8250' \
    'Platform Shutdown Device  : sifive_test' \
    'Boot HART Base ISA        : rv64imafdc' \
    'Boot HART ISA Extensions  : sscofpmf,time' \
    'Boot HART PMP Count       : 8' \
    'Boot HART MHPM Count      : 6'; do
    grep -qF "$line" "$work/jump.txt" || { echo "missing: $line"; exit 1; }
done

# A tree that was written out and given back is the same machine.
"$vp" run --dump-dtb "$work/platform.dtb"
boot given_tree "$opensbi/fw_jump.elf" "$payload" --dtb "$work/platform.dtb"
cmp "$work/jump.txt" "$work/given_tree.txt"

# Without the extension OpenSBI finds none, as it does with every CSR that is not there.
overflow="does not count"
boot no_overflow "$opensbi/fw_jump.elf" "$payload" --set counters.sscofpmf=false
grep -qx 'Boot HART ISA Extensions  : time' "$work/no_overflow.txt"

# A kernel so large that fw_jump moves the device tree into it. fw_dynamic leaves the tree where it is.
(cat "$work/payload.bin"; head -c 36000000 /dev/zero | tr '\0' 'k') >"$work/large.bin"
overflow=counts
boot large_dynamic "$opensbi/fw_dynamic.bin" "$work/large.bin" 2>"$work/large_dynamic.err"
boot large_jump "$opensbi/fw_jump.elf" "$work/large.bin" 2>"$work/large_jump.err"
grep -q "the firmware has written to 0x82200000, which is part of kernel '$work/large.bin' (0x80200000 to " \
    "$work/large_jump.err" || { echo "large kernel: $(cat "$work/large_jump.err")"; exit 1; }
! grep -q "has written to" "$work/large_dynamic.err" || { cat "$work/large_dynamic.err"; exit 1; }
