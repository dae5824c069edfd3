#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/linux.sh [OPTION...] [WORK_DIRECTORY]     (default: out/linux)
#   --firmware FILE   SBI firmware                (default: fw_dynamic.bin of this machine's opensbi)
#   --vp FILE         pes-vp                      (default: build/release/platform/pes-vp)
#   --suite NAME,...  Debian releases to boot     (default: the one booted there before, else trixie,forky,sid)
#                     the first one whose packages can be fetched, or have been
#   --mirror URL      where its packages are      (default: the mirror that apt is set up for)
#   --set KEY=VALUE   further settings of pes-vp; may be repeated
#   --compare RUNS    then boots to power-off RUNS times, in turns with qemu-system-riscv64, and prints the
#                     least CPU time of each
#   --stepped CYCLES  then runs so many cycles on both execution paths and compares console, counters, crossings
#                     and memory; the firmware is an ELF file that begins with _start
# Boots Debian's unmodified riscv64 kernel, counts and samples a program with Debian's perf, powers off,
# and checks that perf counted, that it took as many samples as cycles passed, and that each sample is where
# the interrupt of a counter was taken, and says how far that is from its cause. With
# --set extensions.sstc=true it also checks that the kernel sets its timer without the firmware. The packages
# are fetched once. Exit code 77: they could not be fetched.
set -euo pipefail
shopt -s extglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

firmware=/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin
vp=build/release/platform/pes-vp
suites=
mirror=
compared=0
stepped=0
settings=(--set clock_hz=1000000000 --set dram.size=512MiB)
period=100003 # cycles from one sample to the next
timer_calls=r8000000000000005 # the firmware's own count of set_timer, as perf names it

while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || { echo "linux: $1 needs a value" >&2; exit 2; }
    case $1 in
    --firmware) firmware=$2 ;;
    --vp) vp=$2 ;;
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    --set) settings+=(--set "$2") ;;
    --compare)
        [[ $2 =~ ^[1-9][0-9]*$ ]] || { echo "linux: --compare $2, expected a number of runs from 1 on" >&2; exit 2; }
        compared=$2
        ;;
    --stepped)
        [[ $2 =~ ^[1-9][0-9]*$ ]] || { echo "linux: --stepped $2, expected a number of cycles from 1 on" >&2; exit 2; }
        stepped=$2
        ;;
    *) echo "linux: $1 is no option, see the head of scripts/linux.sh" >&2; exit 2 ;;
    esac
    shift 2
done
work=${1:-out/linux}
decode=$(dirname "$vp")/../decoder/pes-decode
for file in "$firmware" "$vp" "$decode"; do
    [[ -r $file ]] || { echo "linux: $file is not there" >&2; exit 2; }
done
mkdir -p "$work"
work=$(cd "$work" && pwd)
name=linux packages_of=$work
source linux/debian.sh
require_tools apt-get dpkg-deb cpio readelf
((compared == 0)) || require_tools qemu-system-riscv64

# What the machine does from its first program to power-off.
write_init() {
    cat <<EOF
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
exec </dev/console >/dev/console 2>&1
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
export HOME=/ TERM=dumb PERF_PAGER=cat
program="busybox awk BEGIN{for(i=0;i<4000;i++)s+=i*i;print(s)}"
echo "== perf stat"
perf stat -e cycles:u,instructions:u,branches:u,branch-misses:u,L1-dcache-loads:u,$timer_calls \$program
echo "== perf record"
perf record -o /tmp/perf.data -e cycles:u -c $period \$program
echo "== perf report"
perf report -i /tmp/perf.data --stdio --sort dso 2>/dev/null | busybox grep -v '^\$'
echo "== perf script"
perf script -i /tmp/perf.data -F ip 2>/dev/null
echo "== end"
busybox poweroff -f
EOF
}

build_image() {
    local root=$work/root
    rm -rf "$root" "$work/files"
    mkdir -p "$root"/{bin,dev,lib,proc,sys,tmp}
    unpack_packages "$work/files"
    cp "$work/files/usr/bin/busybox" "$work/files/usr/bin/perf" "$root/bin/"
    add_libraries "$work/files" "$root" "$root/bin/perf"
    write_init >"$root/init"
    chmod 755 "$root/init"
    add_kernel "$work/files" "$work/kernel"
    echo "$suite" >"$work/suite"
    pack_initramfs "$root" "$work/initramfs"
    rm -rf "$work/files"
}

append="earlycon console=ttyS0 cryptomgr.notests"

# Seconds of CPU time, user and system.
cpu_time() {
    local TIMEFORMAT='%U %S'
    { time "$@" </dev/null >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

compare_boots() {
    local root=$work/boot ours=() qemus=() run
    rm -rf "$root"
    mkdir -p "$root"/{bin,dev}
    cp "$work/root/bin/busybox" "$root/bin/"
    cat >"$root/init" <<'EOF'
#!/bin/busybox sh
/bin/busybox poweroff -f
EOF
    chmod 755 "$root/init"
    pack_initramfs "$root" "$work/boot.initramfs"
    local files=(--firmware "$firmware" --kernel "$work/kernel" --initrd "$work/boot.initramfs")
    for ((run = 0; run < compared; ++run)); do
        ours+=("$(cpu_time "$vp" run "${files[@]}" --append "$append" "${settings[@]}" --stats "$work/boot.json")")
        qemus+=("$(cpu_time qemu-system-riscv64 -M virt -m 512M -nographic -kernel "$work/kernel" \
            -initrd "$work/boot.initramfs" -append "$append")")
    done
    least() { printf '%s\n' "$@" | sort -g | head -n 1; }
    awk -v ours="$(least "${ours[@]}")" -v qemu="$(least "${qemus[@]}")" \
        -v instructions="$(sed -n 's/.*"instret": *\([0-9]*\).*/\1/p' "$work/boot.json" | head -n 1)" 'BEGIN {
            printf "linux: boot to power-off, %.0f million instructions: %.1f s of CPU time, QEMU %.1f s, %.1f times\n",
                instructions / 1e6, ours, qemu, ours / qemu }'
}

# Without what the host does for it: the path, its time.
compare_paths() {
    local path reached=124 memory=$((512 << 20)) code file
    rm -f "$work"/{step,fast}.*
    for path in step fast; do
        code=0
        "$vp" run --quiet --firmware "$firmware" --kernel "$work/kernel" --initrd "$work/initramfs" --append "$append" \
            "${settings[@]}" --path "$path" --max-cycles "$stepped" --crossings "$work/$path.crossings" \
            --stats "$work/$path.json" --dump "_start:$memory@$work/$path.memory" \
            </dev/null >"$work/$path.console" || code=$?
        ((code == reached)) || fail "the path $path ended with code $code before cycle $stepped"
        sed -i '/"host_path"/,$d; /"host_seconds"/d; /"mips"/d' "$work/$path.json"
    done
    for file in "$work"/step.*; do # crossings of each hart
        cmp "$file" "$work/fast.${file##*/step.}" || fail "the paths differ in ${file##*/step.}"
    done
    echo "linux: $stepped cycles are the same on both paths, $(wc -l <"$work/step.console") lines of console"
    rm "$work"/{step,fast}.memory
}

choose_suite "$suites"
echo "linux: Debian $suite"
build_image

# Without the tests of crypto algorithms the kernel is up in half the time.
log=$work/$(basename "$firmware").log
rm -f "$work"/crossings*
"$vp" run --firmware "$firmware" --kernel "$work/kernel" --initrd "$work/initramfs" \
    --append "$append" "${settings[@]}" \
    --crossings "$work/crossings.csv" --max-cycles 10000000000 </dev/null | sed -u 's/\r//g; s/\x1b\[[0-9;]*m//g' | tee "$log"

fail() {
    echo "linux: $1" >&2
    exit 1
}
# perf prints no :u behind cache events.
count_of() { awk -v event="${1%:u}" '$2 == event || $2 == event ":u" { print $1; exit }' "$log"; }
grep -qx '== end' "$log" || fail "the run did not come to its end"
for event in cycles:u instructions:u branches:u branch-misses:u L1-dcache-loads:u; do
    [[ $(count_of "$event") =~ ^[0-9]+$ ]] || fail "perf stat did not count $event"
done
calls=$(count_of $timer_calls)
if [[ " ${settings[*]} " == *" extensions.sstc=true "* ]]; then
    grep -q 'riscv-timer: Timer interrupt in S-mode is available via sstc extension' "$log" ||
        fail "the kernel does not use Sstc"
    [[ $calls == 0 ]] || fail "the kernel asked the firmware for its timer ${calls:-some} times"
else
    ((${calls:-0} > 0)) || fail "perf stat did not count the calls that set the timer"
fi
samples=$(sed -n 's/.*perf record: Captured.* (\([0-9]*\) samples).*/\1/p' "$log")
expected=$(($(count_of cycles:u) / period))
((expected > 50)) || fail "the program took $(count_of cycles:u) cycles, too few to sample"
# The two runs of the program differ by its addresses and by what is in the caches.
(( ${samples:-0} * 20 >= expected * 19 && samples * 20 <= expected * 21 )) ||
    fail "perf record took ${samples:-no} samples, expected $expected within 5 %"
echo "linux: $samples samples of $period cycles, $expected expected"
# The truth of perf's samples: docs/truth.md.
sed -n '/^== perf script/,/^== end/s/^ *\([0-9a-f][0-9a-f]*\) *$/\1/p' "$log" >"$work/addresses"
cat "$work"/crossings.csv* | awk 'NR == 1 || !/^hart,/' >"$work/crossings" # of all harts
"$decode" skid "$work/crossings" --samples "$work/addresses" --elf "$work/root/bin/busybox" | tee "$work/skid"
grep -q "$samples samples, 0 without a crossing" "$work/skid" || fail "perf has samples where no counter crossed"
((stepped == 0)) || compare_paths
((compared == 0)) || compare_boots
