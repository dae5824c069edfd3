// SPDX-License-Identifier: Apache-2.0
// cycle and instret: Smcntrpmf's filters, and mcountinhibit.
#include "tests/guest/counter_rules/check.h"
#include "tests/guest/counter_rules/counters.h"

namespace pes::rules {

namespace {

/// Smcntrpmf, 2: the five bits of mhpmevent, without OF.
template <uint16_t Configuration, uint16_t Counter>
void filters(const char* rule, Mode mode) {
    Group group(rule, mode);
    write_csr<Configuration>(~uint64_t{0});
    group.check(read_csr<Configuration>() == (kMinh | kSinh | kUinh), read_csr<Configuration>());
    for (uint64_t bits = 0; bits < 8; ++bits) {
        const uint64_t inhibits = bits << 60;
        // In another mode M is inhibited too, so that what counts there is that mode's.
        write_csr<Configuration>(inhibits | (mode == Mode::Machine ? 0 : kMinh));
        settle();
        write_csr<Counter>(0);
        count_in(mode);
        settle();
        const uint64_t counted = read_csr<Counter>();
        const bool inhibited = (inhibits & inhibit_of(mode)) != 0;
        group.check((counted != 0) != inhibited, inhibits, counted);
    }
    write_csr<Configuration>(0);
}

template <uint16_t Counter>
void inhibited(const char* rule, uint64_t bit) {
    Group group(rule, Mode::Machine);
    set_csr<csr::kMcountinhibit>(bit);
    settle();
    const uint64_t before = read_csr<Counter>();
    count();
    settle();
    group.check(read_csr<Counter>() == before, before, read_csr<Counter>());
    clear_csr<csr::kMcountinhibit>(bit);
    settle();
    group.check(read_csr<Counter>() > before, before, read_csr<Counter>());
}

/// They wrap without a word.
template <uint16_t Counter>
void wraps(const char* rule) {
    Group group(rule, Mode::Machine);
    reset_counter();
    write_csr<Counter>(~uint64_t{0} - 3);
    settle();
    const uint64_t value = read_csr<Counter>();
    group.check(value < 10000, value);
    group.check(!pending());
}

} // namespace

void fixed_rules() {
    for (const Mode mode : kModes) {
        filters<csr::kMcyclecfg, csr::kMcycle>("mcyclecfg", mode);
        filters<csr::kMinstretcfg, csr::kMinstret>("minstretcfg", mode);
    }
    inhibited<csr::kMcycle>("mcountinhibit_cy", 1);
    inhibited<csr::kMinstret>("mcountinhibit_ir", 4);
    wraps<csr::kMcycle>("mcycle_wraps");
    wraps<csr::kMinstret>("minstret_wraps");
}

} // namespace pes::rules
