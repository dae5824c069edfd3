#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: papi.sh PES_VP FIRMWARE PROGRAMS OPENSBI COUNTERS rtl|no_rtl WORK_DIRECTORY
# The PAPI layer in payloads under our firmware and under OpenSBI (OPENSBI is its directory, or
# empty): every call and error; estimates of a multiplexed set beside the counts that the platform
# knows; the hottest bucket of a histogram beside the platform's. COUNTERS: the ways to run the
# counters, separated by commas. rtl: those of the profile u74, too.
set -euo pipefail
vp=$1 firmware=$2 programs=$3 opensbi=$4 counters=$5 u74_rtl=$6 work=$7
rm -rf "$work"
mkdir -p "$work"

boot() { # firmware program options...
    "$vp" run --firmware "$1" --kernel "$programs/$2.elf" "${@:3}" --max-cycles 100000000 | tr -d '\r'
}

calls() { # name firmware options...
    boot "$2" papi_test "${@:3}" >"$work/$1.txt"
    tail -1 "$work/$1.txt" | grep -q '^papi_test: [1-9][0-9]* checks, 0 failures$' ||
        { cat "$work/$1.txt"; exit 1; }
    # The last error by PAPI_perror, with and without a text in front, and by PAPI_set_debug: once.
    local line
    for line in 'perror: no such event on this machine' 'no such event on this machine' \
        'level: invalid argument' 'PAPI: no such event set'; do
        [[ $(grep -cFx "$line" "$work/$1.txt") == 1 ]] || { echo "$1: not once: $line"; exit 1; }
    done
    # Three times 2000 loads in the region, and the library's own.
    local loads
    loads=$(sed -n 's/.*"name":"loop","region_count":"3".*"PAPI_LD_INS":{"region_value":"\([0-9]*\)".*/\1/p' "$work/$1.txt")
    ((loads >= 6000 && loads < 7000)) || { echo "$1: $loads loads in region loop"; exit 1; }
}

# The two counters of the U74: what fits, the presets of the thesis, known loops, samples.
u74_calls() { # name firmware options...
    boot "$2" papi_u74_test --set counters.profile=u74 "${@:3}" >"$work/$1.txt"
    tail -1 "$work/$1.txt" | grep -q '^papi_u74_test: [1-9][0-9]* checks, 0 failures$' ||
        { cat "$work/$1.txt"; exit 1; }
}

# What the platform counts in two runs of the kernel, which no way to run the counters changes.
truth() { # name firmware options...
    for rounds in 40000 80000; do
        boot "$2" "papi_steady_$rounds" "${@:3}" --stats "$work/$1.$rounds.json" >"$work/$1.txt"
    done
}

# Estimates within 5 % of the counts of 40000 rounds, the difference of those two.
estimates() { # name truth firmware options...
    boot "$3" papi_multiplex "${@:4}" >"$work/$1.txt"
    awk '
        FNR == 1 { ++file }
        file < 3 && match($1, /^"[a-z0-9-]+":$/) {
            name = substr($1, 2, RLENGTH - 3)
            sub(",", "", $2)
            if (!((file, name) in count)) count[file, name] = $2
        }
        file == 3 && $1 == "estimate" {
            name = $2 == "instructions" ? "instret" : $2
            truth = count[2, name] - count[1, name]
            error = ($3 - truth) / truth
            printf "%-15s estimate %9d, true %9d, %+.2f %%\n", $2, $3, truth, 100 * error
            if (error > 0.05 || error < -0.05) wrong = 1
            ++events
        }
        END { exit wrong || events != 9 }
    ' "$work/$2.40000.json" "$work/$2.80000.json" "$work/$1.txt"
}

# The bucket with most samples is the one in which the platform saw most instructions retire.
hottest() { # name firmware options...
    boot "$2" papi_profil "${@:3}" --truth "$work/truth.csv" >"$work/$1.txt"
    local sampled exact
    sampled=$(awk '$1 == "bucket" && $3 > most { most = $3; at = $2 } END { print at }' "$work/$1.txt")
    # The supervisor starts 2 MiB above the firmware, and buckets of 64 bytes with it.
    exact=$(while IFS=, read -r _ _ _ pc count _; do
        [[ $pc != 0x802* ]] || echo $((pc / 64 * 64)) "$count"
    done <"$work/truth.csv" |
        awk '{ sum[$1] += $2 }
             END {
                 for (at in sum) if (sum[at] > most) { most = sum[at]; found = at }
                 printf "%.0f\n", found
             }')
    echo "$1: hottest bucket $sampled, truly $exact"
    [[ -n $sampled && $sampled == "$exact" ]]
}

stops() { # options...
    local status=0
    "$vp" run --firmware "$firmware" --kernel "$programs/papi_stop_on_error.elf" "$@" \
        --max-cycles 10000000 >"$work/stop.txt" || status=$?
    [[ $status == 1 && $(tr -d '\r' <"$work/stop.txt") == 'PAPI: no such event set' ]] ||
        { echo "PAPI_VERB_ESTOP: exit code $status"; cat "$work/stop.txt"; exit 1; }
}
stops

calls step "$firmware" --path step
calls fast "$firmware" --path fast
# With Sspesa the addresses of loads are loads; without it none is, they are those behind.
causes=(--set extensions.smcsrind=true --set extensions.smcdeleg=true --set extensions.sspesa=true)
calls causes "$firmware" "${causes[@]}"
grep -m 1 -E 'overflow: ([1-9][0-9]*) addresses in the loop, \1 of its load' "$work/causes.txt" ||
    { grep overflow: "$work/causes.txt"; exit 1; }
grep -m 1 -E 'overflow: [1-9][0-9]* addresses in the loop, 0 of its load' "$work/fast.txt"
two=(--set counters.programmable=2)
calls two_counters "$firmware" "${two[@]}"
truth plain "$firmware"
for way in ${counters//,/ }; do
    calls "$way" "$firmware" --counters "$way"
    stops --counters "$way"
    estimates "estimates_$way" plain "$firmware" --counters "$way"
    hottest "hottest_$way" "$firmware" --counters "$way"
done
truth two "$firmware" "${two[@]}"
estimates estimates_two two "$firmware" "${two[@]}" --path step
u74=(--set counters.profile=u74)
truth u74 "$firmware" "${u74[@]}"
u74_calls u74_step "$firmware" --path step
u74_calls u74_fast "$firmware" --path fast
estimates u74_estimates_step u74 "$firmware" "${u74[@]}" --path step
estimates u74_estimates_fast u74 "$firmware" "${u74[@]}" --path fast
hottest u74_hottest "$firmware" "${u74[@]}"
if [[ $u74_rtl == rtl ]]; then
    u74_calls u74_rtl "$firmware" --counters rtl
    u74_calls u74_lockstep "$firmware" --counters lockstep
    estimates u74_estimates_rtl u74 "$firmware" "${u74[@]}" --counters rtl
    estimates u74_estimates_lockstep u74 "$firmware" "${u74[@]}" --counters lockstep
fi
if [[ -n $opensbi ]]; then
    calls opensbi "$opensbi/fw_jump.elf"
    truth opensbi "$opensbi/fw_jump.elf"
    estimates estimates_opensbi opensbi "$opensbi/fw_jump.elf"
    hottest hottest_opensbi "$opensbi/fw_jump.elf"
    u74_calls u74_opensbi "$opensbi/fw_jump.elf"
    truth u74_opensbi "$opensbi/fw_jump.elf" "${u74[@]}"
    estimates u74_estimates_opensbi u74_opensbi "$opensbi/fw_jump.elf" "${u74[@]}"
fi
