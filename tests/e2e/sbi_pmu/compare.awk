# SPDX-License-Identifier: Apache-2.0
# awk -f compare.awk EXPECTED DIFFERENCES... TRANSCRIPT
# The transcript has the cases of EXPECTED in their order; where a file of DIFFERENCES lists one, with a
# reason in front, its answer is that one's, the last file's if several do. A listing that is not a
# difference is an error, too.
function case_name(line) {
    return substr(line, 1, match(line, /: [^:]*$/) - 1)
}
function fail(message) {
    print message
    failed = 1
}
FNR == 1 {
    ++file
    reason = ""
}
file == 1 {
    expected[++count] = $0
    next
}
file < ARGC - 1 && (/^#/ || /^$/) { next }
file < ARGC - 1 && /^reason: / {
    reason = substr($0, 9)
    next
}
file < ARGC - 1 {
    name = case_name($0)
    if (reason == "") {
        fail("no reason in front of: " $0)
    }
    if (name in listed && listed_in[name] == file) {
        fail("listed twice: " $0)
    }
    replaced[name] = name in listed
    listed[name] = $0
    listed_in[name] = file
    next
}
{
    ++seen
    name = case_name(expected[seen])
    if (!(name in listed)) {
        if ($0 != expected[seen]) {
            fail("a difference without a reason: '" $0 "', expected '" expected[seen] "'")
        }
        next
    }
    if ($0 != listed[name]) {
        fail("not as listed: '" $0 "', listed is '" listed[name] "'")
    } else if ($0 == expected[seen] && !replaced[name]) {
        fail("listed, but no difference: " $0)
    }
    delete listed[name]
}
END {
    if (seen != count) {
        fail("the transcript has " seen " cases, expected " count)
    }
    for (name in listed) {
        fail("listed, but not a case: " listed[name])
    }
    exit failed
}
