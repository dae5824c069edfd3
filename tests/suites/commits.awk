# SPDX-License-Identifier: Apache-2.0
# Usage: awk -f commits.awk -v out=PREFIX -v period=NANOSECONDS WAVE
# The instructions that retire in a waveform of the commit stage (--vcd-groups commit): the address
# of each, in order, in PREFIX.0 for hart 0, PREFIX.1 for hart 1.
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

function cycles_until(end,    hart, port) {
    for (; cycle < end; cycle += period)
        for (hart = 0; hart < harts; hart++)
            for (port = 0; port < 2; port++)
                if (value[valid[hart, port]] == 1)
                    print hexadecimal(value[pc[hart, port]]) > (out "." hart)
}

BEGIN {
    split("0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", nibble)
    for (i = 1; i <= 16; i++)
        digit[nibble[i]] = substr("0123456789abcdef", i, 1)
}

/^\$scope module hart/ { hart = harts++ }
/^\$var/ && $5 ~ /^commit_valid\(/ { valid[hart, substr($5, 14, 1)] = $4 }
/^\$var/ && $5 ~ /^commit_pc\(/ { pc[hart, substr($5, 11, 1)] = $4 }
/^#/ { cycles_until(substr($1, 2) + 0) }
/^b/ {
    sub(/^b0*/, "", $1)
    value[$2] = $1
}
/^[01]/ { value[substr($1, 2)] = substr($1, 1, 1) }
END { cycles_until(cycle + period) }
