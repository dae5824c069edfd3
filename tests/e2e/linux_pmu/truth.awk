# SPDX-License-Identifier: Apache-2.0
# Of the exact profile (docs/truth.md): whether the events of user mode of a program that is linked at base are as many as
# counted.
NR == 1 {
    for (i = 1; i <= NF; ++i)
        if ($i == event)
            column = i
    next
}
$2 == "U" && length($4) == length(base) && index($4, substr(base, 1, 4)) == 1 { sum += $column }
END {
    if (sum != counted || sum == 0)
        print event ": counted " counted ", in truth " sum
    exit sum != counted || sum == 0
}
