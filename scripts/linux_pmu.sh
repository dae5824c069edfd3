#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/linux_pmu.sh [OPTION...] [WORK_DIRECTORY]  (default: out/linux, which scripts/linux.sh shares)
#   --firmware FILE   default: build/release/firmware/pes_firmware.elf
#   --vp FILE         pes-vp                      (default: build/release/platform/pes-vp)
#   --suite NAME,...  Debian releases, as for linux/build_module.sh
#   --mirror URL      where its packages are      (default: the mirror that apt is set up for)
#   --set KEY=VALUE   further settings of pes-vp; may be repeated
# Builds the driver linux/pmu, loads it into Debian's unmodified kernel and samples the loads of a program
# with each method of docs/linux-pmu.md. It checks that perf counts what the platform counted, that each
# precise sample names a load, the very one that made the counter overflow, and that the branches of each
# sample are a path through the program that leads to it. It prints what a sample costs with each method.
# Exit code 77: the packages could not be fetched.
set -euo pipefail
shopt -s extglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

firmware=build/release/firmware/pes_firmware.elf
vp=build/release/platform/pes-vp
suites=
mirror=
# A tick of `time` is a cycle: the program says how many it took.
settings=(--set clock_hz=1000000000 --set dram.size=512MiB --set clint.cycles_per_tick=1)
delegated=(--set boot.pmu_delegated=true --set extensions.smcsrind=true --set extensions.smcdeleg=true
    --set extensions.sspesa=true)
skidless=(--set extensions.ssplcofi=true --set extensions.smctr=true)
period=1009
# Where each method's program is linked, so that what it did can be told from what the others did.
declare -A base=([plain]=0x1000000 [sbi]=0x2000000 [count]=0x3000000 [lcofi]=0x4000000 [sspesa]=0x5000000
    [ssplcofi]=0x6000000 [branches]=0x7000000 [calls]=0x8000000)

while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || { echo "linux_pmu: $1 needs a value" >&2; exit 2; }
    case $1 in
    --firmware) firmware=$2 ;;
    --vp) vp=$2 ;;
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    --set) settings+=(--set "$2") ;;
    *) echo "linux_pmu: $1 is no option, see the head of scripts/linux_pmu.sh" >&2; exit 2 ;;
    esac
    shift 2
done
work=${1:-out/linux}
for file in "$firmware" "$vp"; do
    [[ -r $file ]] || { echo "linux_pmu: $file is not there" >&2; exit 2; }
done
mkdir -p "$work"
work=$(cd "$work" && pwd)
linux/build_module.sh ${suites:+--suite "$suites"} ${mirror:+--mirror "$mirror"} "$work"
name=linux_pmu packages_of=$work
# shellcheck source=linux/debian.sh
source linux/debian.sh
cross=riscv64-linux-gnu-
require_tools cpio readelf ${cross}gcc ${cross}objdump
choose_suite "$suites"

test=tests/e2e/linux_pmu out=$work/pmu
rm -rf "$out"
mkdir -p "$out"
fail() {
    echo "linux_pmu: $1" >&2
    exit 1
}

build_root() {
    local root=$out/root method
    mkdir -p "$root"/{bin,dev,lib,proc,sys,tmp}
    unpack_packages "$out/files"
    cp "$out/files/usr/bin/busybox" "$out/files/usr/bin/perf" "$root/bin/"
    add_libraries "$out/files" "$root" "$root/bin/perf"
    add_kernel "$out/files" "$out/kernel"
    rm -rf "$out/files"
    cp "$work/pes_pmu.ko" "$root/"
    for method in "${!base[@]}"; do
        ${cross}gcc -O2 -Wall -Wextra -Werror -nostdlib -static -fno-stack-protector \
            -fno-tree-loop-distribute-patterns -Wl,-Ttext-segment="${base[$method]}" $test/loads.c \
            -o "$root/bin/$method"
    done
}

write_init() { # commands from stdin
    cat >"$out/root/init"
    cat >>"$out/root/init" <<'EOF'
busybox dmesg | busybox grep -E 'WARNING|BUG|Oops|Call Trace'
echo "== end"
busybox poweroff -f
EOF
    chmod 755 "$out/root/init"
}

start_commands() {
    cat <<'EOF'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
exec </dev/console >/dev/console 2>&1
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
export HOME=/ TERM=dumb PERF_PAGER=cat
# The program of a method, its samples, and the fields of the first ones that are printed.
record() { # method fields lines options...
    method=$1 fields=$2 lines=$3
    shift 3
    echo "== $method"
    perf record -N -B -o /tmp/perf.data "$@" $method
    perf script -i /tmp/perf.data -F $fields >/tmp/script
    echo "$(busybox wc -l </tmp/script) samples"
    busybox head -n $lines /tmp/script
    echo "== end of $method"
}
EOF
}

boot() { # name options...
    local log=$out/$1.log
    pack_initramfs "$out/root" "$out/initramfs"
    echo "linux_pmu: booting with $1" >&2
    timeout 1500 "$vp" run --firmware "$firmware" --kernel "$out/kernel" --initrd "$out/initramfs" \
        --append "earlycon console=ttyS0 cryptomgr.notests" "${settings[@]}" "${@:2}" --max-cycles 20000000000 \
        </dev/null | sed 's/\r//g; s/\x1b\[[0-9;]*m//g' >"$log"
    grep -qx '== end' "$log" || fail "the run did not come to its end: $log"
    ! grep -E 'WARNING|BUG|Oops' "$log" || fail "the kernel complains: $log"
}

section() { # log method
    sed -n "/^== $2\$/,/^== end of $2\$/p" "$out/$1.log"
}
cycles_of() { section "$@" | sed -n 's/^\([0-9]*\) cycles$/\1/p'; }
samples_of() { section "$@" | sed -n 's/^\([0-9]*\) samples$/\1/p'; }
addresses_of() { section "$@" | sed -n 's/^ *\([0-9a-f][0-9a-f]*\) *$/\1/p'; }

build_root

# The kernel's own driver, for comparison: through the firmware.
{
    start_commands
    cat <<EOF
echo "== plain"
plain
echo "== end of plain"
record sbi ip 100000 -e r5:u -c $period
EOF
} | write_init
boot kernel

{
    start_commands
    cat <<EOF
busybox insmod /pes_pmu.ko
echo "== count"
perf stat -e pes/loads/u,pes/stores/u,pes/branches/u,pes/instructions/u count
echo "== end of count"
record lcofi ip 100000 -e pes/loads/u -c $period
record sspesa ip 100000 -e pes/loads/pu -c $period
busybox rmmod pes_pmu
EOF
} | write_init
boot sspesa "${delegated[@]}" --truth "$out/truth.csv" --crossings "$out/crossings.csv"

{
    start_commands
    cat <<EOF
busybox insmod /pes_pmu.ko
record ssplcofi ip 100000 -e pes/loads/ppu -c $period
record branches ip,brstack 40 -b -e pes/loads/ppu -c $period
record calls ip,brstack 40 -j any_call,any_ret,u -e pes/loads/ppu -c $period
EOF
} | write_init
boot ssplcofi "${delegated[@]}" "${skidless[@]}" --crossings "$out/skidless.csv"

# What perf counted is what the platform charged to the instructions of that program.
check_count() { # event column
    local counted
    counted=$(section sspesa count | awk -v event="pes/$1/u" '$2 == event { print $1 }')
    awk -F, -v counted="${counted:-nothing}" -v event="$2" -v base="${base[count]}" -f $test/truth.awk "$out/truth.csv" ||
        fail "perf stat counted ${counted:-no} $1"
}
check_count loads load
check_count stores store
check_count branches branch

disassemble() { ${cross}objdump -d --no-show-raw-insn "$out/root/bin/$1"; }

# Each sample is at a load: the one whose event the platform says it was, sample by sample.
check_causes() { # log method crossings
    local samples
    addresses_of "$1" "$2" >"$out/$2.samples"
    samples=$(wc -l <"$out/$2.samples")
    ((samples > 100)) || fail "$2: $samples samples"
    awk -F, -v prefix="${base[$2]:0:4}" -v digits=${#base[$2]} 'length($9) == digits && index($9, prefix) == 1 {
        print substr($9, 3) }' "$out/$3" >"$out/$2.causes"
    cmp "$out/$2.samples" "$out/$2.causes" || fail "$2: the samples are not at the causes of the overflows"
    disassemble "$2" | awk -f $test/loads.awk - "$out/$2.samples" || fail "$2: samples that are no loads"
    echo "linux_pmu: $2: $samples samples, each at the load that made the counter overflow"
}
check_causes sspesa sspesa crossings.csv
check_causes ssplcofi ssplcofi skidless.csv
for run in kernel/sbi sspesa/lcofi; do
    method=${run#*/}
    addresses_of "${run%/*}" "$method" >"$out/$method.samples"
    at_loads=$(disassemble "$method" | awk -v count=1 -f $test/loads.awk - "$out/$method.samples")
    echo "linux_pmu: $method: $(wc -l <"$out/$method.samples") samples, $at_loads at a load"
done

for method in branches calls; do
    section ssplcofi $method | grep ' 0x.*/0x' >"$out/$method.stacks"
    disassemble $method | awk -v all="$([[ $method == branches ]] && echo 1)" -f $test/branches.awk - \
        "$out/$method.stacks" || fail "$method: no path through the program"
done

plain=$(cycles_of kernel plain)
echo "linux_pmu: $plain cycles without samples; a sample every $period loads:"
for run in kernel/sbi sspesa/lcofi sspesa/sspesa ssplcofi/ssplcofi ssplcofi/branches; do
    log=${run%/*} method=${run#*/}
    awk -v method="$method" -v plain="$plain" -v with="$(cycles_of "$log" "$method")" \
        -v samples="$(samples_of "$log" "$method")" 'BEGIN {
            printf "  %-10s %4d samples, %d cycles, %.1f %% more, %d a sample\n", method, samples, with,
                100 * (with - plain) / plain, (with - plain) / samples }'
done
