# SPDX-License-Identifier: Apache-2.0
# Usage: awk -f pipeline_arrows.awk LOG
# The arrows of a Kanata log, from its texts alone: each goes from the youngest older writer of a register to an
# instruction that reads it, and a retired instruction has one for every writer that was in the pipeline when it was
# issued. Prints the number of arrows; exit code 1 and a sentence if one is wrong or missing.
function wrong(text) { print text > "/dev/stderr"; failed = 1; exit 1 }

# Registers by the text of the disassembly: fills `written` and `reads` of an instruction.
function registers(id, text,    op, rest, n, i, part, first) {
    op = text; sub(/ .*/, "", op)
    rest = text; if (!sub(/^[^ ]+ /, "", rest)) rest = ""
    n = split(rest, part, /[,()]/)
    first = 1
    if (op ~ /^(csr|mret|sret|wfi)/) any[id] = 1
    if (op == "ret") { reads[id, ++count[id]] = "ra"; return }
    if (op == "jal" && n == 1) { written[id] = "ra"; return }
    if (op == "jalr" && n == 1) { written[id] = "ra"; reads[id, ++count[id]] = part[1]; return }
    if (op !~ /^(sb|sh|sw|sd|fsw|fsd|j|jr|b(eq|ne|lt|ge|gt|le)(u|z)?|fence|fence\.i|csr[wsc]i?|sfence\.vma|ecall|ebreak|wfi|mret|sret|\..byte)$/) {
        if (is_register(part[1])) written[id] = part[1]
        first = 2
    }
    for (i = first; i <= n; ++i)
        if (is_register(part[i])) reads[id, ++count[id]] = part[i]
    if (written[id] == "zero") delete written[id]
}
function is_register(name) { return name ~ /^(ra|sp|gp|tp|[ast][0-9]+|f[ast][0-9]+)$/ }

# The latest writer of a register that an instruction sees; -1: not in the log.
function latest(id, r,    t) {
    t = thread[id]
    if (away[id] && (t, r, batch[t]) in behind) return behind[t, r, batch[t]]
    return (t, r) in writer ? writer[t, r] : -1
}

BEGIN { FS = "\t" }
$1 == "C=" || $1 == "C" { cycle += $2 }
$1 == "I" { thread[$2] = $4; ids = $2 + 1 }
$1 == "L" && $3 == 0 { text[$2] = $4; sub(/^[^ ]*: /, "", text[$2]); registers($2, text[$2]) }
$1 == "L" && $3 == 1 { away[$2] = $4 ~ /^thrown away/ }
$1 == "S" && $4 ~ /X/ && !($2 in issue) { issue[$2] = cycle - 1 }
$1 == "W" {
    if (!($2 in thread) || !($3 in thread) || $3 >= $2 || $4 != 0) wrong("line " NR ": no such arrow")
    if (($2, $3) in arrow) wrong("line " NR ": twice")
    arrow[$2, $3] = 1; ++arrows
    producer[$2, ++producers[$2]] = $3
}
$1 == "R" { last[$2] = cycle - 1; flushed[$2] = $4 }

# `writer`: the latest writers of each register that an instruction which retires can see; `behind`: those that
# only the instructions thrown away behind the last one can see.
END {
    if (failed) exit 1
    for (id = 0; id < ids; ++id) {
        t = thread[id]
        if (away[id] != 1) batch[t] = id
        # In a system instruction, bits 24:20 are a register to the core, too, which the text does not show.
        for (n = 1; (id in any) && n <= producers[id]; ++n)
            if (latest(id, written[producer[id, n]]) == producer[id, n]) seen[id, producer[id, n]] = 1
        for (n = 1; n <= count[id]; ++n) {
            p = latest(id, reads[id, n])
            if (p < 0) continue
            if ((id, p) in arrow) { seen[id, p] = 1; continue }
            if (!flushed[id] && (id in issue) && last[p] >= issue[id]) wrong("no arrow from " p ", " text[p] ", to " id ", " text[id])
        }
        if (!(id in written)) continue
        if (!flushed[id]) writer[t, written[id]] = id
        if (id in issue) behind[t, written[id], batch[t]] = id
    }
    for (pair in arrow) {
        split(pair, end, SUBSEP)
        if (!(pair in seen)) wrong("arrow from " end[2] ", " text[end[2]] ", to " end[1] ", " text[end[1]])
        if (!flushed[end[1]] && flushed[end[2]]) wrong("arrow to " end[1] " from what is flushed")
        if (!flushed[end[1]] && last[end[2]] < issue[end[1]]) wrong("arrow to " end[1] " from what has left")
    }
    print arrows + 0
}
