# SPDX-License-Identifier: Apache-2.0
# A page with its tables replaced: what is between `<!-- table NAME -->` and the next `<!-- end of ... -->` is
# then what follows a line `table NAME` in the variable `printed`, if there is one.
function print_table(name, lines, count, i, inside) {
    count = split(printed, lines, "\n")
    for (i = 1; i <= count; ++i) {
        if (inside && lines[i] !~ /^\|/) inside = 0
        if (inside) print lines[i]
        if (lines[i] == "table " name) inside = 1
    }
}
/^<!-- end of / && skip { skip = 0; print "" }
!skip
/^<!-- table / && index("\n" printed "\n", "\ntable " $3 "\n") { print ""; print_table($3); skip = 1 }
