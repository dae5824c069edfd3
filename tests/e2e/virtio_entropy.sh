#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: virtio_entropy.sh PES_VP PROGRAM WORK_DIRECTORY
# A driver of the entropy device: the same numbers in the same cycles on both paths, with any quantum
# and behind a checkpoint; the settings of its time; a platform without it.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

run() { # name options...
    "$vp" run "$program" --quiet --max-cycles 100000000 --stats "$1.stats" --console "$1.out" \
        --set entropy.enabled=true "${@:2}" || fail "$1: exit code $?"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$1.stats" >"$1.json"
}

same() { # name, as name
    cmp "$2.out" "$1.out" || fail "$1: other numbers than $2"
    cmp "$2.json" "$1.json" || fail "$1: other counts than $2"
}

for harts in 1 2; do
    for path in step fast; do
        run $path.$harts --path $path --set harts=$harts
        same $path.$harts step.$harts
    done
done
# Of splitmix64 with seed 1; the second request takes nine bytes of 16.
[[ $(sed -n '1p;2p' step.1.out) == $'c15c0289ec2d0a91\n67ec8e65a18debbe5e' ]] || fail "other numbers"
[[ $(wc -l <step.1.out) == 20 ]] || fail "not all requests are answered"
for quantum in 1 777; do
    run quantum.$quantum --set quantum=$quantum
    same quantum.$quantum step.1
done

cycles() { sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' "$1.json" | head -n 1; }
run slow --set entropy.request_cycles=20000
run narrow --set entropy.bytes_per_cycle=1
run seed --set entropy.seed=2
(($(cycles slow) > $(cycles step.1) + 21 * 17000)) || fail "request_cycles changes nothing"
(($(cycles narrow) > $(cycles step.1))) || fail "bytes_per_cycle changes nothing"
! cmp -s seed.out step.1.out || fail "the seed changes nothing"

# In the middle of requests, of their answers, and between them.
for path in step fast; do
    for cycle in 3000 3500 4000 10000 20001 30002 40003; do
        "$vp" run "$program" --quiet --set entropy.enabled=true --checkpoint-at $cycle saved \
            --max-cycles $cycle >first.out && fail "ends before cycle $cycle"
        run restored --path $path --restore saved
        cat first.out restored.out >both.out
        cmp both.out step.1.out || fail "other numbers behind cycle $cycle"
        cmp restored.json step.1.json || fail "other counts behind cycle $cycle"
    done
done

# Without the setting nothing is there: the first access traps (load access fault).
code=0
"$vp" run "$program" --quiet --log-level off || code=$?
[[ $code == $((128 + 5)) ]] || fail "without the device: exit code $code"
"$vp" run "$program" --dump-dtb with --set entropy.enabled=true
"$vp" run "$program" --dump-dtb without
grep -qa 'virtio_mmio@10001000' with || fail "the device tree has no node of the device"
! grep -qa virtio without || fail "the device tree has a node of a device that is not there"
