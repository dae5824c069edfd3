# SPDX-License-Identifier: Apache-2.0
# From a disassembly, then addresses: fails with those that are no load. With count=1 it says how many are.
FNR == NR {
    if ($2 ~ /^(l[bhwd]u?|fl[wd])$/)
        load[substr($1, 1, length($1) - 1)] = 1
    next
}
$1 in load { ++loads; next }
!count { print "no load: " $1; failed = 1 }
END {
    if (count)
        print loads + 0
    exit failed
}
