// SPDX-License-Identifier: Apache-2.0
// scountovf: what it shows to whom; and who may access what.
#include "tests/guest/counter_rules/check.h"
#include "tests/guest/counter_rules/counters.h"

namespace pes::rules {

namespace {

void write_all_of(uint32_t pattern) {
    for_each_index([pattern]<unsigned N>() {
        if constexpr (N >= 3) {
            write_csr<csr::kMhpmevent3 + N - 3>((pattern >> N & 1) != 0 ? kOf : 0);
        }
    });
}

/// Bit n: mhpmeventn has OF.
uint32_t implemented() {
    write_all_of(~uint32_t{0});
    uint32_t bits = 0;
    for_each_index([&bits]<unsigned N>() {
        if constexpr (N >= 3) {
            bits |= (read_csr<csr::kMhpmevent3 + N - 3>() & kOf) != 0 ? uint32_t{1} << N : 0;
        }
    });
    write_all_of(0);
    return bits;
}

/// The value that `mode` reads; false if it traps.
bool read_overflows(Mode mode, uint64_t& value) {
    return returned(mode, run(mode, [&value] { value = read_csr<csr::kScountovf>(); }));
}

/// norm:scountovf_op: all, none, and one after the other.
void shadow(Mode mode, uint32_t there) {
    Group group("cp_scountovf_shadow", mode);
    write_csr<csr::kMcounteren>(~uint64_t{0});
    for (unsigned n = 1; n < 33; ++n) {
        const uint32_t pattern = n == 1    ? 0
                                 : n == 2  ? ~uint32_t{0}
                                 : n == 32 ? 0
                                           : uint32_t{1} << n;
        write_all_of(pattern);
        uint64_t value = ~uint64_t{0};
        const bool read = read_overflows(mode, value);
        group.check(read && value == (pattern & there), pattern, value);
    }
    write_all_of(0);
}

/// norm:scountovf_mmode_read_access, scountovf_smode_read_access.
void masked(Mode mode, uint32_t there) {
    Group group("cp_scountovf_mcounteren", mode);
    static constexpr uint32_t kWritten[] = {~uint32_t{0}, 0x5555'5555U, 0xAAAA'AAAAU};
    for (const uint32_t written : kWritten) {
        write_all_of(written);
        for (unsigned n = 0; n < 34; ++n) {
            const uint32_t enabled = n == 32 ? 0 : n == 33 ? ~uint32_t{0} : uint32_t{1} << n;
            write_csr<csr::kMcounteren>(enabled);
            const uint32_t shown =
                written & there & (mode == Mode::Machine ? ~uint32_t{0} : enabled);
            uint64_t value = ~uint64_t{0};
            const bool read = read_overflows(mode, value);
            group.check(read && value == shown, enabled, value);
        }
    }
    write_all_of(0);
    write_csr<csr::kMcounteren>(~uint64_t{0});
}

/// Read-only, and not for U; M's registers are not for others.
void access(Mode mode) {
    Group group("cp_sscofpmf_access", mode);
    uint64_t value = 0;
    group.check(read_overflows(mode, value) == (mode != Mode::User));
    group.check(illegal(run(mode, [] { write_csr<csr::kScountovf>(0); })));
    group.check(illegal(run(mode, [] { write_csr<csr::kScountovf>(~uint64_t{0}); })));
    group.check(illegal(run(mode, [] { set_csr<csr::kScountovf>(8); })));
    group.check(illegal(run(mode, [] { clear_csr<csr::kScountovf>(8); })));
    const bool machine = mode == Mode::Machine;
    group.check(returned(mode, run(mode, [] { read_csr<kEventCsr>(); })) == machine);
    group.check(returned(mode, run(mode, [] { write_csr<kEventCsr>(0); })) == machine);
    group.check(returned(mode, run(mode, [] { read_csr<kCounterCsr>(); })) == machine);
    group.check(returned(mode, run(mode, [] { write_csr<csr::kMcountinhibit>(0); })) == machine);
    group.check(returned(mode, run(mode, [] { read_csr<csr::kMcyclecfg>(); })) == machine);
}

/// hpmcounter3, cycle and instret below M: mcounteren for S, and scounteren too for U.
void counter_access(Mode mode) {
    Group group("counteren", mode);
    static constexpr uint64_t kMachine[] = {0U, 1U, 4U, 8U, ~0U};
    for (const uint64_t machine : kMachine) {
        static constexpr uint64_t kSupervisor[] = {0U, 1U, 4U, 8U, ~0U};
        for (const uint64_t supervisor : kSupervisor) {
            write_csr<csr::kMcounteren>(machine);
            write_csr<csr::kScounteren>(supervisor);
            const uint64_t open = mode == Mode::Machine      ? ~uint64_t{0}
                                  : mode == Mode::Supervisor ? machine
                                                             : machine & supervisor;
            const Taken cycle = run(mode, [] { read_csr<csr::kCycle>(); });
            const Taken instret = run(mode, [] { read_csr<csr::kCycle + 2>(); });
            const Taken counter = run(mode, [] { read_csr<csr::kCycle + kCounter>(); });
            group.check(returned(mode, cycle) == ((open & 1) != 0), machine, supervisor);
            group.check(returned(mode, instret) == ((open & 4) != 0), machine, supervisor);
            group.check(returned(mode, counter) == ((open & 8) != 0), machine, supervisor);
            group.check(illegal(run(mode, [] { write_csr<csr::kCycle>(0); })));
        }
    }
    write_csr<csr::kMcounteren>(~uint64_t{0});
    write_csr<csr::kScounteren>(~uint64_t{0});
}

} // namespace

void access_rules() {
    reset_counter();
    const uint32_t there = implemented();
    for (const Mode mode : kModes) {
        if (mode != Mode::User) {
            shadow(mode, there);
            masked(mode, there);
        }
        access(mode);
        counter_access(mode);
    }
}

} // namespace pes::rules
