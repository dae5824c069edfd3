# SPDX-License-Identifier: Apache-2.0
# Usage: awk -f commits.awk -v out=PREFIX -v period=NANOSECONDS WAVE
# The instructions that retire in a waveform of the commit stage (--vcd-groups commit): the address
# of each, in order, in PREFIX.0 for hart 0, PREFIX.1 for hart 1.
# With -v detail=1, "ADDRESS MODE WORD": its privilege (u, s, m) and the instruction; and in front of the
# first instruction of a handler "trap exception CAUSE" or "trap interrupt CAUSE", by mcause, or "trap delegated",
# if it is the supervisor's.
function hexadecimal(bits,    text, at) {
    if (bits in known)
        return known[bits]
    text = bits
    while (length(text) % 4)
        text = "0" text
    known[bits] = "0x"
    for (at = 1; at <= length(text); at += 4)
        known[bits] = known[bits] digit[substr(text, at, 4)]
    return known[bits]
}

function commit(hart, port,    cause, kind) {
    if (!detail) {
        print hexadecimal(value[pc[hart, port]]) > (out "." hart)
        return
    }
    if (trapped[hart] && mode[value[level[hart]]] != "m") {
        print "trap delegated" > (out "." hart)
    } else if (trapped[hart]) {
        cause = value[mcause[hart]]
        kind = length(cause) == 64 ? "interrupt" : "exception"
        print "trap", kind, hexadecimal(kind == "interrupt" ? last_bits(cause) : cause) > (out "." hart)
    }
    trapped[hart] = 0
    print hexadecimal(value[pc[hart, port]]), mode[value[level[hart]]], hexadecimal(value[word[hart, port]]) > (out "." hart)
}

function last_bits(bits) {
    sub(/^10*/, "", bits)
    return bits
}

function cycles_until(end,    hart, port) {
    for (; cycle < end; cycle += period)
        for (hart = 0; hart < harts; hart++) {
            for (port = 0; port < 2; port++)
                if (value[valid[hart, port]] == 1)
                    commit(hart, port)
            if (value[trap[hart]] == 1)
                trapped[hart] = 1
        }
}

BEGIN {
    split("0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", nibble)
    for (i = 1; i <= 16; i++)
        digit[nibble[i]] = substr("0123456789abcdef", i, 1)
    mode["11"] = "m"
    mode["1"] = "s"
    mode[""] = "u"
}

/^\$scope module hart/ { hart = harts++ }
/^\$var/ && $5 ~ /^commit_valid\(/ { valid[hart, substr($5, 14, 1)] = $4 }
/^\$var/ && $5 ~ /^commit_pc\(/ { pc[hart, substr($5, 11, 1)] = $4 }
/^\$var/ && $5 ~ /^commit_instr\(/ { word[hart, substr($5, 14, 1)] = $4 }
/^\$var/ && $5 == "priv_lvl_q" { level[hart] = $4 }
/^\$var/ && $5 == "mcause_q" { mcause[hart] = $4 }
/^\$var/ && $5 == "trap_valid" { trap[hart] = $4 }
/^#/ { cycles_until(substr($1, 2) + 0) }
/^b/ {
    sub(/^b0*/, "", $1)
    value[$2] = $1
}
/^[01]/ { value[substr($1, 2)] = substr($1, 1, 1) }
END { cycles_until(cycle + period) }
