// SPDX-License-Identifier: Apache-2.0
// User code alone, by the hardware's filters (Sscofpmf): counts are exact, and the overflow handler
// is called once for every full period. The program has a trap vector of its own, which must get
// what is not the library's.
#include "firmware/boot/csr.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/kernels.h"
#include "tests/guest/papi_test/tests.h"

extern "C" {
void in_user_mode(void (*function)(long), long argument);
void test_trap_entry();
extern const char test_vectors[];
extern volatile uint64_t software_interrupts;
}

namespace pes::papi_test {

namespace {

constexpr long kIterations = 30'000;
constexpr int kPeriod = 997;

unsigned calls;
unsigned outside;

void note(int, void* address, long long, void*) {
    const auto at = reinterpret_cast<uint64_t>(address);
    ++calls;
    outside += at < reinterpret_cast<uint64_t>(mixed_loop) ||
                       at >= reinterpret_cast<uint64_t>(mixed_loop_end)
                   ? 1
                   : 0;
}

int user_set(int event) {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, event), PAPI_OK);
    PAPI_option_t option{};
    option.domain.eventset = set;
    option.domain.domain = PAPI_DOM_ALL + 1;
    expect("no such domain", PAPI_set_opt(PAPI_DOMAIN, &option), PAPI_EINVAL_DOM);
    option.domain.domain = PAPI_DOM_USER;
    expect("user domain", PAPI_set_opt(PAPI_DOMAIN, &option), PAPI_OK);
    option.domain.domain = 0;
    expect("domain", PAPI_get_opt(PAPI_DOMAIN, &option), PAPI_OK);
    expect("is user", option.domain.domain, PAPI_DOM_USER);
    return set;
}

long long count_user(int event) {
    int set = user_set(event);
    long long value = 0;
    expect("start", PAPI_start(set), PAPI_OK);
    in_user_mode(mixed_loop, kIterations);
    expect("stop", PAPI_stop(set, &value), PAPI_OK);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    return value;
}

/// The U74's events, of whose counters minstret has no filters, and whose loads are two events.
bool is_u74() {
    return PAPI_query_event(PAPI_BR_CN) == PAPI_OK;
}

/// One native event, which an iteration has one of.
int sampled_event() {
    return is_u74() ? PAPI_BR_CN : PAPI_LD_INS;
}

void sample_user() {
    const int event = sampled_event();
    int set = user_set(event);
    calls = 0;
    outside = 0;
    expect("overflow by hardware", PAPI_overflow(set, event, kPeriod, PAPI_OVERFLOW_HARDWARE, note),
           PAPI_OK);
    long long value = 0;
    expect("start", PAPI_start(set), PAPI_OK);
    in_user_mode(mixed_loop, kIterations);
    expect("stop", PAPI_stop(set, &value), PAPI_OK);
    expect("events while sampling", value, kIterations);
    expect("samples", calls, kIterations / kPeriod);
    expect("samples outside the loop", outside, 0);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

} // namespace

/// An interrupt that is the program's, while the library has its own vectors in place.
void test_program_vectors() {
    constexpr uint64_t kVectored = 1;
    const uint64_t vector = read_csr<csr::kStvec>();
    const uint64_t status = read_csr<csr::kSstatus>() & kStatusSie;
    const uint64_t ours = reinterpret_cast<uint64_t>(test_vectors) | kVectored;
    write_csr<csr::kStvec>(ours);
    set_csr<csr::kSie>(kInterruptSsi);
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, PAPI_LD_INS), PAPI_OK);
    expect("overflow by timer",
           PAPI_overflow(set, PAPI_LD_INS, kPeriod, PAPI_OVERFLOW_FORCE_SW, note), PAPI_OK);
    calls = 0;
    expect("start", PAPI_start(set), PAPI_OK);
    for (unsigned round = 1; round <= 3; ++round) {
        set_csr<csr::kSip>(kInterruptSsi);
        mixed_loop(kIterations);
        expect("interrupts of the program", static_cast<long long>(software_interrupts), round);
    }
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    expect_between("calls of the handler beside them", calls, 3, 3 * kIterations / kPeriod + 1);
    expect("the program's vector is back", read_csr<csr::kStvec>() == ours, 1);
    expect("its enable bit, too", read_csr<csr::kSie>() & kInterruptSsi, kInterruptSsi);
    expect("and the timer's is not", read_csr<csr::kSie>() & kInterruptSti, 0);
    expect("interrupts as before", read_csr<csr::kSstatus>() & kStatusSie, status);
    clear_csr<csr::kSie>(kInterruptSsi);
    write_csr<csr::kStvec>(vector);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

void test_user_mode() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    const int event = sampled_event();
    expect("add", PAPI_add_event(set, event), PAPI_OK);
    const int hardware = PAPI_overflow(set, event, kPeriod, PAPI_OVERFLOW_HARDWARE, note);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    if (hardware == PAPI_ENOSUPP) {
        say("no overflow interrupt: user code is not counted alone");
        return;
    }
    expect("hardware overflow", hardware, PAPI_OK);
    const uint64_t vector = read_csr<csr::kStvec>();
    write_csr<csr::kStvec>(reinterpret_cast<uint64_t>(test_trap_entry));
    // mixed_loop: la is two instructions, then five an iteration, ret; the way back is one ecall,
    // which traps and so does not retire.
    expect("loads of user code", count_user(PAPI_LD_INS), kIterations);
    if (is_u74()) {
        expect("conditional branches of user code", count_user(PAPI_BR_CN), kIterations);
    } else {
        expect("instructions of user code", count_user(PAPI_TOT_INS), 2 + 5 * kIterations + 1);
        expect("branches of user code", count_user(PAPI_BR_INS), kIterations + 1);
    }
    sample_user();
    write_csr<csr::kStvec>(vector);
}

} // namespace pes::papi_test
