#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/linux_devices.sh [--firmware FILE] [--vp FILE] [--set KEY=VALUE...] [WORK_DIRECTORY]
# Boots the kernel that scripts/linux.sh has put into its work directory (out/linux) on a platform with
# virtio devices, whose drivers are modules of the same kernel: random numbers, a folder of the host,
# read-only and written, a disk with ext4, and a console at a socket. Compares what the guest reads and
# writes with what is here.
# Exit code 77: linux.sh has not run.
set -euo pipefail
shopt -s extglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."

firmware=/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin
vp=build/release/platform/pes-vp
settings=(--set clock_hz=1000000000 --set dram.size=512MiB --set entropy.enabled=true)
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || { echo "linux_devices: $1 needs a value" >&2; exit 2; }
    case $1 in
    --firmware) firmware=$2 ;;
    --vp) vp=$2 ;;
    --set) settings+=(--set "$2") ;;
    *) echo "linux_devices: $1 is no option, see the head of scripts/linux_devices.sh" >&2; exit 2 ;;
    esac
    shift 2
done
work=${1:-out/linux}
PATH=$PATH:/usr/sbin # of mke2fs
name=linux_devices packages_of=$work
source linux/debian.sh
for tool in dpkg-deb cpio xz mke2fs debugfs fsck.ext4; do
    command -v "$tool" >/dev/null || { echo "linux_devices: $tool is not installed" >&2; exit 77; }
done
[[ -s $work/suite && -s $work/kernel ]] || { echo "linux_devices: run scripts/linux.sh first" >&2; exit 77; }
work=$(cd "$work" && pwd)
packages_of=$work
suite=$(<"$work/suite")
devices=$work/devices
modules=(virtio_mmio virtio_console virtio-rng netfs 9pnet 9pnet_virtio 9p virtio_blk crc32c_generic crc16 mbcache jbd2
    ext4)

fail() {
    echo "linux_devices: $1" >&2
    exit 1
}

write_init() {
    cat <<EOF
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
exec </dev/console >/dev/console 2>&1
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
for module in ${modules[*]}; do
    [ ! -e /lib/\$module.ko ] || busybox insmod /lib/\$module.ko
done
EOF
    cat <<'EOF'
echo "== numbers $(busybox dd if=/dev/hwrng bs=32 count=1 2>/dev/null | busybox wc -c)"
busybox mount -t 9p -o trans=virtio,version=9p2000.L host /share
echo "== folder $(busybox sha256sum </share/data)"
echo "== link $(busybox readlink /share/link)"
echo "== run $(/share/busybox echo yes)"
busybox cat /share/link >/dev/null 2>&1 && echo "== leak"
if busybox cp /share/data /share/copy 2>/dev/null; then
    busybox mkdir /share/made && busybox mv /share/copy /share/made/copy && echo "== written"
fi
busybox umount /share
busybox mount -t ext4 /dev/vda /disk
echo "== disk $(busybox sha256sum </disk/data)"
busybox cp /disk/data /disk/copy
busybox sync
busybox umount /disk
busybox mount -t ext4 /dev/vda /disk
echo "== again $(busybox sha256sum </disk/copy)"
busybox umount /disk
exec 3<>/dev/hvc0
echo "ready" >&3
read -r words <&3
echo "heard $words" >&3
echo "== hvc0 $words"
echo "== end"
busybox poweroff -f
EOF
}

build_image() {
    local root=$devices/root files=$devices/files
    rm -rf "$devices"
    mkdir -p "$root"/{bin,dev,lib,proc,sys,share,disk} "$devices"/{share,content}
    unpack_packages "$files" "${modules[@]}"
    cp "$files/usr/bin/busybox" "$root/bin/"
    add_modules "$files" "$root/lib" "${modules[@]}" >/dev/null
    write_init >"$root/init"
    chmod 755 "$root/init"
    pack_initramfs "$root" "$devices/initramfs"
    head -c 1000003 "$work/kernel" >"$devices/share/data"
    cp "$root/bin/busybox" "$devices/share/"
    ln -s /etc/passwd "$devices/share/link"
    cp "$devices/share/data" "$devices/content/"
    truncate -s 32M "$devices/disk.img"
    mke2fs -q -t ext4 -d "$devices/content" "$devices/disk.img"
    rm -rf "$files"
}

# The client of the virtio console: says some words when the guest is ready, and hears what it answers.
talk() { # error stream of the run, log
    local port="" line
    for ((turn = 0; turn < 600; ++turn)); do
        port=$(sed -n 's/^pes-vp: --virtio-console: .*:\([0-9]*\)$/\1/p' "$1")
        [[ -z $port ]] || break
        sleep 0.1
    done
    [[ $port ]] || return 1
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    while IFS= read -r line <&3; do
        line=${line%$'\r'}
        echo "$line"
        [[ $line != ready ]] || echo "some words" >&3
    done >"$2"
}

boot() { # log, options...
    : >"$1.err"
    talk "$1.err" "$1.hvc0" &
    "$vp" run --quiet --firmware "$firmware" --kernel "$work/kernel" --initrd "$devices/initramfs" \
        --append "earlycon console=hvc0 console=ttyS0 cryptomgr.notests" "${settings[@]}" --max-cycles 20000000000 \
        --share "$devices/share" --disk "$devices/disk.img" --virtio-console tcp:0 "${@:2}" </dev/null 2>"$1.err" |
        sed -u 's/\r//g; s/\x1b\[[0-9;]*m//g' >"$1"
    wait
    cat "$1.err" >&2
    local line
    for line in 'numbers 32' "folder $sum  -" 'link /etc/passwd' 'run yes' "disk $sum  -" "again $sum  -" \
        'hvc0 some words' end; do
        grep -qxF "== $line" "$1" || fail "$1 has no line '== $line'"
    done
    grep -qx 'heard some words' "$1.hvc0" || fail "$1.hvc0 has no answer"
    grep -q 'EXT4-fs (vda): mounted' "$1.hvc0" || fail "$1.hvc0 has no messages of the kernel"
    ! grep -q '^== leak' "$1" || fail "the guest has read a file of the host outside of the folder"
}

build_image
read -r sum _ <<<"$(sha256sum "$devices/share/data")"
image=$(sha256sum <"$devices/disk.img")
boot "$devices/read.log"
! grep -q '^== written' "$devices/read.log" || fail "a folder that is read-only has been written"
[[ $(sha256sum <"$devices/disk.img") == "$image" ]] || fail "the image of the disk has changed"
echo "linux_devices: numbers, folder and disk are read, and hvc0 answers"

boot "$devices/write.log" --share-write --disk-write
grep -qx '== written' "$devices/write.log" || fail "the folder has not been written"
cmp "$devices/share/data" "$devices/share/made/copy" || fail "the folder has another copy"
fsck.ext4 -fn "$devices/disk.img" >"$devices/fsck.log" 2>&1 || fail "fsck.ext4 finds mistakes in the image"
debugfs -R "dump copy $devices/copy" "$devices/disk.img" 2>/dev/null
cmp "$devices/share/data" "$devices/copy" || fail "the disk has another copy"
echo "linux_devices: folder and disk are written"
