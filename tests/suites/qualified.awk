# SPDX-License-Identifier: Apache-2.0
# Usage: awk -f qualified.awk [-v modes=us] [-v ranges="0x.. 0x.. ..."] [-v traps=KIND] DETAILED_COMMITS
# The rule of a trace filter on what commits.awk gives with detail=1: the addresses of the instructions in these modes,
# in one of these ranges (first address, and first behind it), and in handlers of traps of this kind: "interrupt", or
# "exception".
function wide(number) {
    return sprintf("%16s", substr(number, 3))
}

function in_ranges(address,    i) {
    for (i = 1; i < count; i += 2)
        if (wide(address) >= wide(range[i]) && wide(address) < wide(range[i + 1]))
            return 1
    return count == 0
}

BEGIN { count = split(ranges, range, " ") }
$1 == "trap" {
    open[depth++] = $2 == traps
    next
}
{
    inside = traps == ""
    for (i = 0; i < depth; i++)
        inside = inside || open[i]
    if (inside && (modes == "" || index(modes, $2)) && in_ranges($1))
        print $1
    if (($3 == "0x30200073" || $3 == "0x10200073") && depth)
        depth--
}
