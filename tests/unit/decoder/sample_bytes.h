// SPDX-License-Identifier: Apache-2.0
// Sample records for tests, and their bytes.
#pragma once

#include "hw/interface/maps/sample_record.h"

#include <string>

namespace pes::test {

/// A valid record of `instret` in user mode; tests change what they are about.
inline SampleRecord record_at(std::uint64_t pc) {
    SampleRecord record{};
    record.magic = kSampleMagic;
    record.size = kSampleSize;
    record.version = kSampleVersion;
    record.counter = 2;
    record.pc = pc;
    record.cycle = 1000;
    record.threshold = 100;
    return record;
}

inline SampleRecord event_at(std::uint64_t pc, std::uint8_t counter, std::uint64_t event) {
    SampleRecord record = record_at(pc);
    record.counter = counter;
    record.event = event;
    return record;
}

inline std::string bytes_of(const SampleRecord& record) {
    return {reinterpret_cast<const char*>(&record), sizeof(record)};
}

} // namespace pes::test
