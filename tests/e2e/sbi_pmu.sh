#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: sbi_pmu.sh PES_VP FIRMWARE PAYLOAD EXPECTATIONS OPENSBI_DIRECTORY rtl|no_rtl U74_RTL \
#     WORK_DIRECTORY                                                         U74_RTL: as rtl
# The PMU test payload on our firmware must print EXPECTATIONS/expected.txt, whatever simulates the
# counters and the hart; with overflow interrupts the same but for what sscofpmf.txt lists with a
# reason, and no_snapshot.txt unless snapshot memory is switched on. On Debian's OpenSBI the differences that opensbi_VERSION.txt lists come on top, and
# opensbi_VERSION_sscofpmf.txt with overflow interrupts. With the counters of the U74 it is u74.txt, and
# opensbi_VERSION_u74.txt. OPENSBI_DIRECTORY may be empty.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 expectations=$4 opensbi=$5 rtl=$6 u74_rtl=$7 work=$8
rm -rf "$work"
mkdir -p "$work"

transcript() { # name firmware options...
    "$vp" run --firmware "$2" --kernel "$payload" "${@:3}" --max-cycles 100000000 |
        tr -d '\r' >"$work/$1.console"
    grep -qx '== end' "$work/$1.console" || { echo "$1: the payload did not end"; exit 1; }
    sed -n '/^== begin$/,/^== end$/p' "$work/$1.console" | grep -v '^==' >"$work/$1.txt"
}

# The core as it is: no overflow interrupt, no privilege filters.
core=(--set counters.sscofpmf=false --set counters.smcntrpmf=false)
snapshot=(--set boot.pmu_snapshot=true)

cases() { grep -v -e '^#' -e '^$' "$1"; }

cases "$expectations/expected.txt" >"$work/expected.txt"
repeated=$(sed 's/: .*//' "$work/expected.txt" | sort | uniq -d)
[[ -z $repeated ]] || { echo "expected twice: $repeated"; exit 1; }

compare() { # name tables...
    awk -f "$expectations/compare.awk" "$work/expected.txt" "${@:2}" "$work/$1.txt" ||
        { echo "$1: not as expected"; exit 1; }
}

# Counters in RTL see every instruction, which the fast path does not offer.
runs=("--counters tlm --path step" "--counters tlm --path fast")
[[ $rtl == no_rtl ]] || runs+=("--counters rtl --path step" "--counters lockstep --path step")
for options in "${runs[@]}"; do
    name=ours${options// /_}
    # shellcheck disable=SC2086 # several options in one word
    transcript "$name" "$firmware" "${core[@]}" "${snapshot[@]}" $options
    compare "$name"
    # shellcheck disable=SC2086
    transcript "$name-overflow" "$firmware" "${snapshot[@]}" $options
    compare "$name-overflow" "$expectations/sscofpmf.txt"
done
transcript no_snapshot "$firmware" "${core[@]}"
compare no_snapshot "$expectations/no_snapshot.txt"
runs=("--path step" "--path fast")
[[ $u74_rtl == no_rtl ]] || runs+=("--counters rtl" "--counters lockstep")
for options in "${runs[@]}"; do
    # shellcheck disable=SC2086
    transcript "u74${options// /_}" "$firmware" --set counters.profile=u74 "${snapshot[@]}" $options
    compare "u74${options// /_}" "$expectations/u74.txt"
done

[[ -n $opensbi ]] || exit 0
for image in fw_jump.elf fw_dynamic.elf; do
    transcript "$image" "$opensbi/$image" "${core[@]}"
    transcript "$image-overflow" "$opensbi/$image"
    version=$(sed -n 's/^OpenSBI v\([0-9]*\.[0-9]*\).*/\1/p' "$work/$image.console")
    table=$expectations/opensbi_$version
    if [[ ! -f $table.txt ]]; then
        echo "OpenSBI $version has no table of differences here"
        exit 77
    fi
    compare "$image" "$table.txt"
    compare "$image-overflow" "$expectations/sscofpmf.txt" "$table.txt" "${table}_sscofpmf.txt"
    transcript "$image-u74" "$opensbi/$image" --set counters.profile=u74
    compare "$image-u74" "$expectations/u74.txt" "$table.txt" "${table}_u74.txt"
done
