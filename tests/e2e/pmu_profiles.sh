#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: pmu_profiles.sh PES_VP FIRMWARE PAYLOAD EXAMPLE_PROFILE OPENSBI_DIRECTORY rtl|no_rtl \
#     WORK_DIRECTORY                                                OPENSBI_DIRECTORY may be empty
# A supervisor under our firmware and under Debian's OpenSBI sees the counters of the chosen PMU
# profile and counts one known loop by its events, whatever simulates the counters and the hart. What
# is wrong with a profile file is one sentence and exit code 2.
set -euo pipefail
vp=$1 firmware=$2 payload=$3 example=$4 opensbi=$5 rtl=$6 work=$7
rm -rf "$work"
mkdir -p "$work"

# The loop has 1000 integer loads and 1000 conditional branches, and no store or jump. The order of the
# lines is the payload's: branches, L1D reads and writes of the SBI, then raw selectors.
expect() { # name counters width counts...
    local events=("0x5 data 0x0" "0x10000 data 0x0" "0x10002 data 0x0")
    for selector in 0x5 0x9 0x200 0x4000 0x600 0x201 0x301 0x6 0x8000 0x202 0x19 0x80001; do
        events+=("0x20000 data $selector")
    done
    {
        echo "programmable counters: $2"
        [[ $2 == 0 ]] || echo "counter 3: CSR 0xc03, $3 bits"
        local counts=("${@:4}")
        for i in "${!events[@]}"; do
            local count=${counts[$i]}
            [[ $count == - ]] && count="not supported"
            echo "event ${events[$i]}: $count"
        done
    } >"$work/$1.expected"
}
#                  SBI          cva6       u74              file       u74 of nothing in the loop
expect cva6     6 64 1000 1000 0   1000 1000  - - -            - -        0 - -  - -
expect u74      2 40 1000 - 0      - -        1000 1000 1000   0 0        - 0 0  - -
expect example  4 48 1000 1000 -   0 0        0 - 0            1000 1000  0 - 0  0 -
expect cv32e40p 0 0  - - -         - -        - - -            - -        - - -  - -

check() { # profile firmware options...
    local name=$1
    "$vp" run --firmware "$2" --kernel "$payload" "${@:3}" --max-cycles 100000000 |
        tr -d '\r' >"$work/$name.console"
    grep -qx '== end' "$work/$name.console" || { echo "$*: the payload did not end"; exit 1; }
    sed -n '/^== begin$/,/^== end$/p' "$work/$name.console" | grep -v '^==' |
        diff "$work/$name.expected" - || { echo "$*: not as expected"; exit 1; }
}

declare -A choice=([example]="counters.profile_file=$example")
for profile in cva6 u74 cv32e40p; do choice[$profile]=counters.profile=$profile; done
for profile in cva6 u74 example cv32e40p; do
    check $profile "$firmware" --set "${choice[$profile]}" --path step
    check $profile "$firmware" --set "${choice[$profile]}" --path fast
    [[ -n $opensbi ]] || continue
    check $profile "$opensbi/fw_jump.elf" --set "${choice[$profile]}"
    count=$(sed -n 's/^Boot HART MHPM Count *: //p' "$work/$profile.console")
    wanted=$(sed -n 's/^programmable counters: //p' "$work/$profile.expected")
    [[ $count == "$wanted" ]] || { echo "$profile: OpenSBI finds $count counters"; exit 1; }
done
if [[ $rtl == rtl ]]; then
    check u74 "$firmware" --set counters.profile=u74 --counters rtl
    check u74 "$firmware" --set counters.profile=u74 --counters lockstep
fi

# The statistics name the events of the profile.
"$vp" run --firmware "$firmware" --kernel "$payload" --set counters.profile=u74 --stats "$work/stats" \
    >/dev/null
grep -q '"profile": "u74"' "$work/stats" && grep -q '"conditional-branch": [1-9]' "$work/stats" ||
    { echo "the statistics do not have the events of u74"; exit 1; }

refused() { # sentence sed-script
    sed "$2" "$example" >"$work/bad.toml"
    local status=0
    "$vp" run --firmware "$firmware" --kernel "$payload" --set counters.profile_file="$work/bad.toml" \
        >"$work/out" 2>"$work/error" || status=$?
    [[ $status == 2 && ! -s $work/out && $(wc -l <"$work/error") == 1 ]] ||
        { echo "$2: exit code $status"; cat "$work/error"; exit 1; }
    grep -q "^pes-vp: $work/bad.toml:[0-9]*: $1" "$work/error" || { cat "$work/error"; exit 1; }
}
refused "unknown key 'speed'" '/^width/ s/.*/speed = 3/'
refused "the key 'width' is missing" '/^width/ d'
refused "width = 65 is not valid" 's/^width.*/width = 65/'
refused "counters = 30 is not valid" 's/^counters.*/counters = 30/'
refused "selector = 0x101 is there twice" 's/^selector = 0x102/selector = 0x101/'
refused "name = 'int-load' is there twice" 's/"int-store"/"int-load"/'
refused "source = 'loads' is no event" 's/"integer-load"/"loads"/'
refused "selector = 0x1101 is outside selector_mask" 's/0x101/0x1101/'
refused "not valid TOML" 's/^width.*/width = /'
if "$vp" run "$payload" --set counters.profile_file="$work/none.toml" 2>"$work/error" ||
    ! grep -q "none.toml" "$work/error"; then
    echo "a profile file that is not there"
    exit 1
fi
