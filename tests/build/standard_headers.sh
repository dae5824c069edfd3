#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: standard_headers.sh SOURCE_DIRECTORY
# Every source includes the standard headers of what it names, itself or by headers of this project. A build with
# precompiled headers would not notice.
set -euo pipefail
cd "$1"
git ls-files -- 'hw/*.cpp' 'hw/*.h' 'platform/*.cpp' 'platform/*.h' 'decoder/*.cpp' 'decoder/*.h' 'tb/*.cpp' 'tb/*.h' \
    'tests/*.cpp' 'tests/*.h' ':!tests/guest' ':!tests/bench/programs' ':!tests/differential/directed' |
    xargs awk '
    function names(list, header,    count, part, i) {
        count = split(list, part, " ")
        for (i = 1; i <= count; ++i) header_of[part[i]] = header
    }
    BEGIN {
        names("string to_string stoul stoull", "string"); names("string_view", "string_view"); names("vector", "vector")
        names("map multimap", "map"); names("set multiset", "set"); names("unordered_map", "unordered_map")
        names("optional nullopt", "optional"); names("array to_array", "array"); names("span", "span")
        names("function", "functional"); names("deque", "deque"); names("variant visit get_if monostate", "variant")
        names("unique_ptr shared_ptr make_unique make_shared weak_ptr", "memory"); names("filesystem", "filesystem")
        names("sort stable_sort find_if any_of all_of none_of min max clamp transform copy fill reverse lower_bound " \
              "upper_bound count_if max_element min_element equal replace find for_each remove_if unique rotate " \
              "shuffle partition adjacent_find binary_search fill_n copy_n copy_if mismatch", "algorithm")
        names("ifstream ofstream", "fstream"); names("istringstream ostringstream stringstream", "sstream")
        names("memcpy memcmp memset strlen strerror", "cstring"); names("numeric_limits", "limits")
        names("popcount countr_zero countl_zero bit_cast has_single_bit bit_width", "bit")
        names("from_chars to_chars", "charconv"); names("accumulate iota gcd", "numeric")
        names("back_inserter", "iterator")
        # What may stand for a header: it is specified to include it, or to declare the same.
        instead["string_view"] = "string"; instead["iterator"] = "string vector map"
    }
    FNR == 1 { path = FILENAME }
    { sub(/\/\/.*/, "") }
    /^#include </ { split($0, part, /[<>]/); has[path, part[2]] = 1; next }
    /^#include "/ { split($0, part, "\""); included[path] = included[path] " " part[2]; next }
    {
        line = $0
        gsub(/"([^"\\]|\\.)*"/, "", line)
        while (match(line, /std::(ranges::)?[a-z_]+/)) {
            word = substr(line, RSTART, RLENGTH); sub(/.*::/, "", word)
            if (word in header_of) used[path, header_of[word]] = word
            line = substr(line, RSTART + RLENGTH)
        }
    }
    function found(file, header,    key, count, part, i) {
        key = file SUBSEP header
        if (key in known) return known[key]
        known[key] = 0 # while it is looked for
        if (key in has) return known[key] = 1
        count = split(included[file], part, " ")
        for (i = 1; i <= count; ++i) if (found(part[i], header)) return known[key] = 1
        return 0
    }
    END {
        for (key in used) {
            split(key, part, SUBSEP)
            right = found(part[1], part[2])
            count = split(instead[part[2]], other, " ")
            for (i = 1; i <= count && !right; ++i) right = found(part[1], other[i])
            if (!right) { print part[1] ": std::" used[key] " without <" part[2] ">"; failed = 1 }
        }
        exit failed
    }'
