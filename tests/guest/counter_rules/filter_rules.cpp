// SPDX-License-Identifier: Apache-2.0
// Which modes a counter counts in: mhpmevent's inhibit bits, and mcountinhibit.
#include "tests/guest/counter_rules/check.h"
#include "tests/guest/counter_rules/counters.h"

namespace pes::rules {

namespace {

/// norm:mhpmevent_inh_op: all 32 combinations of the five bits.
void mode_filters(Mode mode) {
    Group group("cp_xinh_inhibits_xmode", mode);
    for (uint64_t bits = 0; bits < 32; ++bits) {
        const uint64_t inhibits = bits << 58;
        reset_counter();
        // Machine mode, which brings the hart to the mode, counts only where it is what is looked
        // at.
        const uint64_t around = mode == Mode::Machine ? 0 : kMinh;
        write_csr<kEventCsr>(kEvent | inhibits | around);
        settle();
        uint64_t counted = 0;
        if (mode == Mode::Machine) {
            write_csr<kCounterCsr>(0);
            count();
            settle();
            counted = read_csr<kCounterCsr>();
        } else {
            write_csr<kCounterCsr>(0);
            count_in(mode);
            settle();
            counted = read_csr<kCounterCsr>();
        }
        const bool inhibited = (inhibits & inhibit_of(mode)) != 0;
        group.check((counted != 0) != inhibited, inhibits, counted);
    }
    reset_counter();
}

/// mcountinhibit (privileged specification, 3.1.12): the counter stands, and keeps what it has.
void inhibited(Mode mode) {
    Group group("mcountinhibit", mode);
    constexpr uint64_t kBit = uint64_t{1} << kCounter;
    reset_counter();
    write_csr<kEventCsr>(kEvent | (mode == Mode::Machine ? 0 : kMinh));
    write_csr<kCounterCsr>(0);
    set_csr<csr::kMcountinhibit>(kBit);
    settle();
    const uint64_t before = read_csr<kCounterCsr>();
    count_in(mode);
    settle();
    group.check(read_csr<kCounterCsr>() == before, before, read_csr<kCounterCsr>());
    write_csr<kCounterCsr>(77); // writing it is not counting
    settle();
    group.check(read_csr<kCounterCsr>() == 77, read_csr<kCounterCsr>());
    clear_csr<csr::kMcountinhibit>(kBit);
    count_in(mode);
    settle();
    group.check(read_csr<kCounterCsr>() > 77, read_csr<kCounterCsr>());
    reset_counter();
}

/// A hart without the hypervisor extension has no VSINH and VUINH (Sscofpmf, 2).
void absent_modes() {
    Group group("mhpmevent_absent_modes", Mode::Machine);
    write_csr<kEventCsr>(kVsinh | kVuinh);
    group.check(read_csr<kEventCsr>() == 0, read_csr<kEventCsr>());
    reset_counter();
}

} // namespace

void filter_rules() {
    for (const Mode mode : kModes) {
        mode_filters(mode);
        inhibited(mode);
    }
    absent_modes();
}

} // namespace pes::rules
