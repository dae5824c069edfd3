// SPDX-License-Identifier: Apache-2.0
#include "firmware/pes/sample_parts.h"

#include "firmware/boot/csr.h"
#include "firmware/pes/call_stack.h"
#include "firmware/sbi/counters.h"
#include "firmware/sbi/sbi.h"

namespace pes {

namespace {

constexpr unsigned kRegisters = 32;  // with x0, which is not written
constexpr uint32_t kMostStored = 16; // calls
constexpr uint32_t kAllRegisters = ~uint32_t{1};

uint32_t counters_in(uint64_t parts) {
    return (parts & sbi::sampling::kRecordCounters) != 0 ? counters().present() : 0;
}

uint32_t registers_in(uint64_t parts) {
    return (parts & sbi::sampling::kRecordRegisters) != 0 ? kAllRegisters : 0;
}

uint32_t most_calls(uint64_t parts) {
    return (parts & sbi::sampling::kRecordCalls) != 0 ? kMostStored : 0;
}

uint64_t values_in(uint64_t mask) {
    uint64_t count = 0;
    for_each_counter(mask, [&count](unsigned) { ++count; });
    return count;
}

} // namespace

uint64_t sample_size(uint64_t parts) {
    return parts == 0 ? kSampleSize
                      : kSampleSize + sizeof(SampleDetails) +
                            8 * (values_in(counters_in(parts)) + values_in(registers_in(parts)) +
                                 most_calls(parts));
}

uint64_t write_parts(uint64_t address, uint64_t parts, const SampleSource& source) {
    const uint32_t registers = source.frame != nullptr ? registers_in(parts) : 0;
    auto* const details = reinterpret_cast<SampleDetails*>(address);
    *details = {.interrupted_pc = read_csr<csr::kMepc>(),
                .data_address = source.data_address,
                .satp = read_csr<csr::kSatp>(),
                .counters = counters_in(parts),
                .registers = registers,
                .calls = 0,
                .reserved = 0};
    auto* value = reinterpret_cast<uint64_t*>(details + 1);
    for_each_counter(details->counters, [&value](unsigned n) { *value++ = counters().value(n); });
    for (unsigned n = 1; registers != 0 && n < kRegisters; ++n) {
        *value++ = source.frame->x[n];
    }
    if (const uint32_t most = most_calls(parts); most != 0) {
        details->calls = store_calls(value, most);
        value += details->calls;
    }
    return reinterpret_cast<uint64_t>(value) - address + kSampleSize;
}

} // namespace pes
