# SPDX-License-Identifier: Apache-2.0
# From a disassembly, then lines of perf script -F ip,brstack, the newest transfer first: each transfer is one of
# the program, to where it can lead. With all=1 every transfer was recorded: between two of them, and from the
# newest to the sample, the program goes straight on.
function is_transfer(mnemonic) { return mnemonic ~ /^(b[a-z]+|j|jal|jr|jalr|ret|ecall)$/ }
function is_unconditional(mnemonic) { return mnemonic ~ /^(j|jal|jr|jalr|ret)$/ }
function complain(what) {
    print FNR ": " what
    failed = 1
}
function check_transfer(from, to) {
    ++transfers
    if (!(from in mnemonic) || !is_transfer(mnemonic[from]))
        complain(from " is no transfer")
    else if (mnemonic[from] == "ret" ? !(to in behind_call) : target[from] != to)
        complain(from " does not lead to " to)
}
function check_straight(from, to,    i) {
    if (!(from in number) || !(to in number) || number[from] > number[to])
        return complain("no straight way from " from " to " to)
    for (i = number[from]; i < number[to]; ++i)
        if (is_unconditional(mnemonic[address[i]]))
            return complain("a jump between " from " and " to)
}
FNR == NR {
    if ($1 !~ /^[0-9a-f]+:$/ || NF < 2)
        next
    here = substr($1, 1, length($1) - 1)
    address[++count] = here
    number[here] = count
    mnemonic[here] = $2
    if (was_call)
        behind_call[here] = 1
    was_call = $2 ~ /^(jal|jalr)$/
    operands = $3
    sub(/.*,/, "", operands)
    target[here] = operands
    next
}
{
    ++samples
    for (i = 2; i <= NF; ++i) {
        split($i, part, "/")
        from = substr(part[1], 3)
        to = substr(part[2], 3)
        check_transfer(from, to)
        if (all)
            check_straight(to, i == 2 ? $1 : later)
        later = from
    }
}
END {
    printf "linux_pmu: %d samples with %d transfers, %s\n", samples, transfers,
        failed ? "not all of them possible" : "all of them possible"
    exit failed || transfers < 100
}
