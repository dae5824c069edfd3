#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: virtio_disk.sh PES_VP PROGRAM WORK_DIRECTORY
# A guest that changes a sector of a disk eight times: the same bytes in the same cycles on both
# paths and behind checkpoints; an image that stays as it is unless writes are kept.
set -euo pipefail
vp=$1 program=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

sector() { printf "%512s" '' | tr ' ' "$1"; } # letter
{ sector 8; sector a; sector x; } >original
for letter in b c d e f g h i; do sector $letter; done >expected
cp original image

run() { # name options...
    "$vp" run "$program" --quiet --log-level error --max-cycles 100000000 --stats "$1.stats" \
        --console "$1.out" --disk image "${@:2}" || fail "$1: exit code $?"
    sed -E '/"(host_seconds|mips)"/d; /"host_path"/,$d' "$1.stats" >"$1.json"
}

for harts in 1 2; do
    for path in step fast; do
        run $path.$harts --path $path --set harts=$harts
        cmp expected $path.$harts.out || fail "$path.$harts: other bytes"
        cmp step.$harts.json $path.$harts.json || fail "$path.$harts: other counts"
    done
done
cmp original image || fail "the image has changed"

for cycle in 100 20000 50000 77777 100000; do
    run first --checkpoint-at $cycle saved
    run restored --restore saved
    cmp restored.json step.1.json || fail "other counts behind cycle $cycle"
    tail -c "$(stat -c %s restored.out)" expected | cmp - restored.out || fail "other bytes behind $cycle"
done

refused() { # part of the message, options...
    local code=0
    "$vp" run "$program" --quiet "${@:2}" >/dev/null 2>message.txt || code=$?
    [[ $code == 2 && $(wc -l <message.txt) == 1 ]] || fail "exit code $code: $(cat message.txt)"
    grep -qF -- "$1" message.txt || fail "$(cat message.txt)"
}
printf 7 | dd of=image bs=1 conv=notrunc status=none
refused 'the image of --disk' --disk image --restore saved
cp original image
refused "--disk 'none' cannot be opened: No such file" --disk none
refused "--disk '.' is no regular file" --disk .
refused "--disk 'message.txt' has 0 bytes, expected a multiple of 512" --disk message.txt
refused '--disk-write needs --disk IMAGE' --disk-write
refused "image" --disk image --stats image
cmp original image || fail "a mistake has changed the image"

run kept --disk-write
cmp expected kept.out || fail "other bytes with --disk-write"
cmp kept.json step.1.json || fail "other counts with --disk-write"
{ sector 8; sector i; sector x; } >written
cmp written image || fail "the image does not have what was written"

# Behind a checkpoint, with the image that the first part has left.
for cycle in 20000 50000 77777; do
    cp original image
    "$vp" run "$program" --quiet --log-level error --disk image --disk-write --checkpoint-at $cycle saved \
        --max-cycles $cycle --console first.out || [[ $? == 124 ]] || fail "first with --disk-write"
    cp image left
    run restored --disk-write --restore saved
    cmp restored.json step.1.json || fail "other counts behind cycle $cycle with --disk-write"
    cmp written image || fail "other image behind cycle $cycle"
    refused 'the image of --disk' --disk image --disk-write --restore saved
    cp left image
    refused '--disk-write is given in the checkpoint and not given here' --disk image --restore saved
done
