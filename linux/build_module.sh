#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: linux/build_module.sh [--suite NAME,...] [--mirror URL] DIRECTORY
#   --suite NAME,...  Debian releases, the first one whose packages can be fetched, or have been
#                     (default: the one that scripts/linux.sh has booted in DIRECTORY, else trixie,forky,sid)
#   --mirror URL      where its packages are (default: the mirror that apt is set up for)
# Builds linux/pmu and linux/trace for Debian's kernel in DIRECTORY: DIRECTORY/pes_pmu.ko, pes_trace.ko.
# Exit code 77: the packages cannot be fetched.
set -euo pipefail
shopt -s extglob
# shellcheck disable=SC2034 # for debian.sh
name=build_module mirror='' suites=''
# shellcheck disable=SC2034
while [[ ${1:-} == --* ]]; do
    case $1 in
    --suite) suites=$2 ;;
    --mirror) mirror=$2 ;;
    *) echo "$name: $1 is no option, see the head of linux/build_module.sh" >&2; exit 2 ;;
    esac
    shift 2
done
[[ $# == 1 ]] || { echo "$name: expected one directory" >&2; exit 2; }
mkdir -p "$1"
directory=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034
packages_of=$directory
# shellcheck source=linux/debian.sh
source "$here/debian.sh"
cross=riscv64-linux-gnu-
# The programs of Debian's kernel build are riscv64's own.
require_tools apt-get dpkg-deb make ${cross}gcc ${cross}strip qemu-riscv64

choose_suite "$suites"
fetch_headers "$suite"
tree=$directory/headers module=$directory/module
rm -rf "$tree" "$module"
mkdir -p "$tree"
for package in "$packages_of/$suite"/headers/*.deb "$packages_of/$suite"/packages/libc6_*.deb; do
    dpkg-deb -x "$package" "$tree"
done
[[ -e $tree/lib ]] || ln -s usr/lib "$tree/lib" # where the programs look for ld.so

emulate() { # program...
    local program
    for program in "$@"; do
        mv "$program" "$program.riscv64"
        printf '#!/bin/sh\nexec qemu-riscv64 -L "%s" "%s.riscv64" "$@"\n' "$tree" "$program" >"$program"
        chmod 755 "$program"
    done
}
tools=$(echo "$tree"/usr/lib/linux-kbuild-*/scripts)
emulate "$tools/basic/fixdep" "$tools/mod/modpost.real-lsb-64"
cp "$tools/mod/modpost.real-lsb-64" "$tools/mod/modpost" # which would start the other one itself

# What the kernel's compiler can and an older one may not. None of it changes the layout of a structure.
configuration=$(echo "$tree"/usr/src/linux-headers-*-riscv64)
for feature in CC_HAS_{MIN_FUNCTION_ALIGNMENT,COUNTED_BY,COUNTED_BY_PTR,MULTIDIMENSIONAL_NONSTRING,ASSUME} \
    TOOLCHAIN_HAS_{ZACAS,ZABHA}; do
    sed -i -E "/CONFIG_${feature}[= ]/d" "$configuration/include/config/auto.conf" \
        "$configuration/include/generated/autoconf.h"
done

for part in pmu trace; do
    rm -rf "$module"
    cp -r "$here/$part" "$module"
    # Without types for BPF, for which pahole would be needed.
    make -s -C "$tree"/usr/src/linux-headers-*-common O="$configuration" M="$module" ARCH=riscv \
        CROSS_COMPILE=$cross CC=${cross}gcc KCFLAGS=-Werror CONFIG_DEBUG_INFO_BTF_MODULES= modules
    ${cross}strip -g -o "$directory/pes_$part.ko" "$module/pes_$part.ko"
    echo "$name: $directory/pes_$part.ko is for $(kernel_of "$suite")" >&2
done
