// SPDX-License-Identifier: Apache-2.0
#include "firmware/papi/sbi_counters.h"

#include "firmware/boot/indexed_csr.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes::papi {

namespace {

constexpr uint64_t kVersionWithPmu = 3; // 0.3

sbi::Result pmu_call(uint64_t function, uint64_t first = 0, uint64_t second = 0, uint64_t third = 0,
                     uint64_t fourth = 0, uint64_t fifth = 0) {
    return sbi_call(sbi::kPmu, function, first, second, third, fourth, fifth);
}

} // namespace

bool SbiCounters::probe() {
    *this = {};
    if (sbi_call(sbi::kBase, sbi::base::kSpecVersion).value < kVersionWithPmu ||
        sbi_call(sbi::kBase, sbi::base::kProbeExtension, sbi::kPmu).value == 0) {
        return false;
    }
    const uint64_t count = pmu_call(sbi::pmu::kNumCounters).value;
    for (unsigned n = 0; n < count && n < kLimit; ++n) {
        const sbi::Result info = pmu_call(sbi::pmu::kCounterGetInfo, n);
        if (info.error != sbi::kSuccess) {
            continue; // a hole: index 1 is `time`
        }
        present_ |= uint64_t{1} << n;
        if ((info.value & sbi::pmu::kInfoFirmware) != 0) {
            firmware_ |= uint64_t{1} << n;
            bits_[n] = ~uint64_t{0};
        } else {
            const unsigned width = (info.value >> sbi::pmu::kInfoWidthShift & 63) + 1;
            bits_[n] = ~uint64_t{0} >> (64 - width);
            ++hardware_count_;
        }
    }
    return hardware_count_ != 0;
}

int SbiCounters::configure(const Native& native, uint64_t filters, Need need) const {
    constexpr uint64_t kFixed = (uint64_t{1} << kFirstProgrammable) - 1;
    const uint64_t set = need == Need::Interrupt ? present_ & ~firmware_ & ~kFixed : present_;
    if (set == 0) {
        return kNoCounter;
    }
    const sbi::Result result =
        pmu_call(sbi::pmu::kCounterConfigMatching, 0, set, filters, native.event, native.data);
    if (result.error != sbi::kSuccess || result.value >= kLimit) {
        return kNoCounter;
    }
    return static_cast<int>(result.value);
}

void SbiCounters::release(uint64_t counters) const {
    pmu_call(sbi::pmu::kCounterStop, 0, counters, sbi::pmu::kStopReset);
}

void SbiCounters::start(uint64_t counters) const {
    pmu_call(sbi::pmu::kCounterStart, 0, counters);
}

void SbiCounters::start_at(int counter, uint64_t value) const {
    pmu_call(sbi::pmu::kCounterStart, static_cast<uint64_t>(counter), 1,
             sbi::pmu::kStartSetInitValue, value & bits(counter));
}

void SbiCounters::stop(uint64_t counters) const {
    pmu_call(sbi::pmu::kCounterStop, 0, counters);
}

uint64_t SbiCounters::value(int counter) const {
    if (is_firmware(counter)) {
        return pmu_call(sbi::pmu::kCounterFirmwareRead, static_cast<uint64_t>(counter)).value;
    }
    return read_user_counter(static_cast<unsigned>(counter));
}

} // namespace pes::papi
