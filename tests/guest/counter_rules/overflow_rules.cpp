// SPDX-License-Identifier: Apache-2.0
// What sets OF and requests the interrupt, and what does not.
#include "tests/guest/counter_rules/check.h"
#include "tests/guest/counter_rules/counters.h"

namespace pes::rules {

namespace {

/// norm:mhpmevent_of_op, mhpmevent_of_bit_set, hpmcounter_overflow, count_overflow_interrupt,
/// LCOFIP_op.
void set_on_overflow(Mode mode) {
    Group group("cp_of_set_on_overflow", mode);
    const uint64_t around = mode == Mode::Machine ? 0 : kMinh;
    static constexpr uint64_t kInhibits[] = {uint64_t{0}, kMinh | kSinh | kUinh, kMinh, kSinh,
                                             kUinh};
    for (const uint64_t inhibits : kInhibits) {
        static constexpr uint64_t kBefore[] = {uint64_t{0}, kOf};
        for (const uint64_t before : kBefore) {
            reset_counter();
            write_csr<kCounterCsr>(~uint64_t{0});
            write_csr<kEventCsr>(kEvent | inhibits | around | before);
            count_in(mode);
            settle();
            const uint64_t event = read_csr<kEventCsr>();
            const uint64_t value = read_csr<kCounterCsr>();
            const bool counts = (inhibits & inhibit_of(mode)) == 0;
            group.check((event & kOf) == (counts ? kOf : before), inhibits | before, event);
            group.check(counts ? value != 0 && ~value != 0 : ~value == 0, inhibits | before, value);
            group.check(pending() == (counts && before == 0), inhibits | before, pending());
        }
    }
    reset_counter();
}

/// norm:count_overflow_trigger: writes of the counter overflow nothing.
void writes_do_not_overflow(Mode mode) {
    Group group("cp_overflow_hw_only", mode);
    reset_counter();
    static constexpr uint64_t kValues[] = {~uint64_t{0}, uint64_t{0}, uint64_t{1} << 63,
                                           uint64_t{0}};
    for (const uint64_t value : kValues) {
        write_csr<kCounterCsr>(value);
        run(mode, [] { settle(); });
        group.check((read_csr<kEventCsr>() & kOf) == 0, value, read_csr<kEventCsr>());
        group.check(!pending(), value);
    }
}

/// norm:LCOFIP_op: nor does setting OF.
void of_does_not_interrupt(Mode mode) {
    Group group("cp_lcofip_hw_only", mode);
    reset_counter();
    static constexpr uint64_t kEvents[] = {kOf, uint64_t{0}, kOf};
    for (const uint64_t event : kEvents) {
        write_csr<kEventCsr>(event);
        run(mode, [] { settle(); });
        group.check(!pending(), event);
        group.check((read_csr<kEventCsr>() & kOf) == event, event, read_csr<kEventCsr>());
    }
    reset_counter();
}

/// Once OF is set further overflows request nothing; when software has cleared it they do again.
void requests_again(Mode mode) {
    Group group("overflow_again", mode);
    const uint64_t event = kEvent | (mode == Mode::Machine ? 0 : kMinh);
    reset_counter();
    for (unsigned turn = 0; turn < 3; ++turn) {
        write_csr<kCounterCsr>(~uint64_t{0});
        write_csr<kEventCsr>(event);
        count_in(mode);
        settle();
        group.check(pending(), turn);
        write_csr<csr::kMip>(0);
        write_csr<kCounterCsr>(~uint64_t{0}); // OF stays
        count_in(mode);
        settle();
        group.check(!pending() && (read_csr<kEventCsr>() & kOf) != 0, turn, read_csr<kEventCsr>());
    }
    reset_counter();
}

} // namespace

void overflow_rules() {
    for (const Mode mode : kModes) {
        set_on_overflow(mode);
        writes_do_not_overflow(mode);
        of_does_not_interrupt(mode);
        requests_again(mode);
    }
}

} // namespace pes::rules
