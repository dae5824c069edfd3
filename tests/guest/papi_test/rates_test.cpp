// SPDX-License-Identifier: Apache-2.0
// The calls that return rates, over loops whose instructions are known.
#include "platform.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/kernels.h"
#include "tests/guest/papi_test/tests.h"

namespace pes::papi_test {

namespace {

constexpr long kIterations = 20'000;

/// What a call returned; -1 where it returned nothing.
struct Answer {
    float real = -1;
    float virt = -1;
    long long count = -1;
    float rate = -1;

    long long real_microseconds() const { return static_cast<long long>(real * 1e6F); }
    long long virtual_microseconds() const { return static_cast<long long>(virt * 1e6F); }
    long long thousandths() const { return static_cast<long long>(rate * 1e3F); }
};

void expect_zero(const Answer& answer) {
    expect("no time yet", answer.real_microseconds(), 0);
    expect("nor virtual time", answer.virtual_microseconds(), 0);
    expect("nor counts", answer.count, 0);
    expect("nor a rate", answer.thousandths(), 0);
}

int ipc(Answer& a) {
    return PAPI_ipc(&a.real, &a.virt, &a.count, &a.rate);
}

int flips(Answer& a) {
    return PAPI_flips_rate(PAPI_FP_INS, &a.real, &a.virt, &a.count, &a.rate);
}

void test_ipc() {
    Answer first;
    Answer second;
    const long long start = PAPI_get_real_usec();
    expect("ipc", ipc(first), PAPI_OK);
    expect_zero(first);
    mixed_loop(kIterations);
    expect("ipc again", ipc(second), PAPI_OK);
    const long long microseconds = PAPI_get_real_usec() - start;
    expect_between("instructions", second.count, 5 * kIterations, 5 * kIterations + 3000);
    expect_between("real time", second.real_microseconds(), microseconds / 2, microseconds + 1);
    expect_between("virtual time", second.virtual_microseconds(), microseconds / 2,
                   microseconds + 1);
    const long long cycles = second.real_microseconds() * (PES_CLOCK_HZ / 1'000'000);
    expect_between("instructions per cycle, in thousandths", second.thousandths(),
                   980 * second.count / cycles, 1050 * second.count / cycles);
    expect("third call", ipc(first), PAPI_OK);
    expect_between("counts since the second", first.count, 0, 4000);

    Answer other;
    expect("another rate meanwhile", flips(other), PAPI_EINVAL);
    expect("nothing is returned", other.count, -1);
    expect("stop", PAPI_rate_stop(), PAPI_OK);
    expect("stop twice", PAPI_rate_stop(), PAPI_ENOEVNT);
}

void test_flips() {
    Answer first;
    Answer second;
    expect("flips", flips(first), PAPI_OK);
    float_loop(kIterations); // the checks use floating point, too, so they wait
    expect("flips again", flips(second), PAPI_OK);
    expect_zero(first);
    expect("floating-point instructions", second.count, kIterations);
    expect_between("millions a second, in thousandths", second.thousandths(),
                   990 * second.count / second.virtual_microseconds(),
                   1010 * second.count / second.virtual_microseconds());
    expect("stop", PAPI_rate_stop(), PAPI_OK);
    expect("flips of a preset not here",
           PAPI_flips_rate(PAPI_VEC_SP, &first.real, &first.virt, &first.count, &first.rate),
           PAPI_ENOEVNT);
    expect("flops of a preset not here",
           PAPI_flops_rate(PAPI_FP_OPS, &first.real, &first.virt, &first.count, &first.rate),
           PAPI_ENOEVNT);
    expect("flops of instructions",
           PAPI_flops_rate(PAPI_FP_INS, &first.real, &first.virt, &first.count, &first.rate),
           PAPI_ENOEVNT);
}

void test_epc() {
    float real = 0;
    float virt = 0;
    float rate = -1;
    long long reference = -1;
    long long core = -1;
    long long events = -1;
    expect("epc", PAPI_epc(PAPI_LD_INS, &real, &virt, &reference, &core, &events, &rate), PAPI_OK);
    expect("no events yet", events, 0);
    mixed_loop(kIterations);
    expect("epc again", PAPI_epc(PAPI_LD_INS, &real, &virt, &reference, &core, &events, &rate),
           PAPI_OK);
    expect_between("loads", events, kIterations, kIterations + 600);
    expect_between("cycles", core, 5 * kIterations, 20 * kIterations);
    expect("no reference cycles", reference, 0);
    expect_between("loads per cycle, in millionths", static_cast<long long>(rate * 1e6F),
                   1'000'000 * events / core - 1, 1'000'000 * events / core + 1);
    expect("another event", PAPI_epc(0, &real, &virt, &reference, &core, &events, &rate),
           PAPI_EINVAL);
    expect("stop", PAPI_rate_stop(), PAPI_OK);
    expect("cycles per cycle",
           PAPI_epc(PAPI_TOT_CYC, &real, &virt, &reference, &core, &events, &rate), PAPI_OK);
    expect("again", PAPI_epc(PAPI_TOT_CYC, &real, &virt, &reference, &core, &events, &rate),
           PAPI_OK);
    expect("are one, in thousandths", static_cast<long long>(rate * 1e3F), 1000);
    expect("stop", PAPI_rate_stop(), PAPI_OK);
    expect("an event not here",
           PAPI_epc(PAPI_L3_TCM, &real, &virt, &reference, &core, &events, &rate), PAPI_ENOEVNT);
    expect("nowhere", PAPI_epc(0, nullptr, &virt, &reference, &core, &events, &rate), PAPI_EINVAL);
}

} // namespace

void test_rates() {
    test_ipc();
    test_flips();
    test_epc();
    Answer answer;
    expect("ipc nowhere", PAPI_ipc(nullptr, &answer.virt, &answer.count, &answer.rate),
           PAPI_EINVAL);
    expect("flips nowhere",
           PAPI_flips_rate(PAPI_FP_INS, &answer.real, &answer.virt, nullptr, &answer.rate),
           PAPI_EINVAL);
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, PAPI_LD_INS), PAPI_OK);
    expect("start", PAPI_start(set), PAPI_OK);
    expect("a rate beside a set that runs", ipc(answer), PAPI_EISRUN);
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
    expect("region", PAPI_hl_region_begin("rate"), PAPI_OK);
    expect("a rate stops regions", ipc(answer), PAPI_OK);
    expect("they are stopped", PAPI_hl_stop(), PAPI_ENOTRUN);
    expect("stop", PAPI_rate_stop(), PAPI_OK);
}

} // namespace pes::papi_test
