#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: prepare.sh [--suite NAME,...] [--mirror URL] [--module FILE]... AGENT DIRECTORY
#   --suite NAME,...  Debian releases (default: trixie,forky,sid): the first one whose packages can be
#                     fetched, or have been
#   --mirror URL      where its packages are (default: the mirror that apt is set up for)
#   --module FILE     a module of that kernel, loaded behind Debian's; may be repeated
# Makes the Linux of `pes-vp exec`: DIRECTORY/kernel, Debian's own for riscv64, and DIRECTORY/initramfs with
# AGENT as the first process, busybox, perf and the libraries of C and C++. Its files stay in DIRECTORY/root, for
# their symbols. Exit code 77: the packages cannot be fetched; 2: a mistake of the user's, told in a sentence.
set -euo pipefail
shopt -s extglob
# shellcheck disable=SC2034 # for debian.sh
name="pes-vp exec" mirror='' suites='' own_modules=()
# shellcheck disable=SC2034
while [[ ${1:-} == --* ]]; do
    case $1 in
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    --module) own_modules+=("$2") ;;
    *) echo "$name: $1 is no option of prepare.sh" >&2; exit 2 ;;
    esac
    shift 2
done
agent=$1 directory=$2
# shellcheck disable=SC2034
packages_of=$directory
# shellcheck source=linux/debian.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
require_tools apt-get dpkg-deb cpio readelf tar xz

# In the order in which they need each other.
modules=(virtio_mmio netfs 9pnet 9pnet_virtio 9p overlay virtio-rng virtio_blk)
mkdir -p "$directory"
choose_suite "$suites"
kernel=$(kernel_of "$suite")
for module in "${own_modules[@]}"; do
    version=$(readelf -p .modinfo -- "$module" 2>/dev/null | sed -n 's/.*\bvermagic=\([^ ]*\).*/\1/p' || true)
    [[ $version != "$kernel" ]] || continue
    what="is for kernel $version"
    [[ -n $version ]] || what='is no module'
    echo "$name: --module: '${module//[[:cntrl:]]/?}' $what, expected an uncompressed module for $suite's kernel, $kernel" >&2
    exit 2
done
files=$directory/files root=$directory/root
rm -rf "$files" "$root"
mkdir -p "$root"/{bin,lib,modules}
unpack_packages "$files" "${modules[@]}"
cp "$agent" "$root/init"
cp "$files/usr/bin/busybox" "$files/usr/bin/perf" "$root/bin/"
chmod 755 "$root/init"
ln -s busybox "$root/bin/sh" # which programs start
ln -s busybox "$root/bin/taskset"
add_libraries "$files" "$root" "$root/bin/perf"
add_modules "$files" "$root/modules" "${modules[@]}" >"$root/modules/list"
for module in "${own_modules[@]}"; do
    cp "$module" "$root/modules/"
    basename "$module"
done >"$root/modules/own"
add_kernel "$files" "$directory/kernel"
pack_initramfs "$root" "$directory/initramfs"
rm -rf "$files"
echo "$name: Debian $suite's kernel and programs are in $directory" >&2
