// SPDX-License-Identifier: Apache-2.0
// Real and virtual time. The base is the `time` CSR, which nobody can stop: the cycle CSR stands
// still while the SBI holds it for an event. Cycles are time times the clock ratio, so their
// resolution is that of `time`. Virtual time leaves out the library's interrupts.
#include "platform.h"

#include "firmware/boot/csr.h"
#include "firmware/papi/library.h"

namespace pes::papi {

namespace {

constexpr uint64_t kNanoseconds = 1'000'000'000;
constexpr uint64_t kMicroseconds = 1'000'000;

long long in_units(uint64_t time, uint64_t units_per_second) {
    return static_cast<long long>(static_cast<unsigned __int128>(time) * units_per_second /
                                  PES_TIMEBASE_HZ);
}

} // namespace

uint64_t now() {
    return read_csr<csr::kTime>();
}

uint64_t virtual_time() {
    return now() - library.start_time - library.interrupt_time;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" long long PAPI_get_real_cyc(void) {
    return in_units(now(), PES_CLOCK_HZ);
}
extern "C" long long PAPI_get_real_nsec(void) {
    return in_units(now(), kNanoseconds);
}
extern "C" long long PAPI_get_real_usec(void) {
    return in_units(now(), kMicroseconds);
}
extern "C" long long PAPI_get_virt_cyc(void) {
    return library.initialized == PAPI_NOT_INITED ? PAPI_ENOINIT
                                                  : in_units(virtual_time(), PES_CLOCK_HZ);
}
extern "C" long long PAPI_get_virt_nsec(void) {
    return library.initialized == PAPI_NOT_INITED ? PAPI_ENOINIT
                                                  : in_units(virtual_time(), kNanoseconds);
}
extern "C" long long PAPI_get_virt_usec(void) {
    return library.initialized == PAPI_NOT_INITED ? PAPI_ENOINIT
                                                  : in_units(virtual_time(), kMicroseconds);
}
