// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/sample_file.h"

#include <bit>

namespace pes {
namespace {

static_assert(std::endian::native == std::endian::little, "records are written in place");

template <typename T>
void write_object(std::ostream& out, const T& object) {
    out.write(reinterpret_cast<const char*>(&object), sizeof object);
}

void write_detailed(std::ostream& out, const TakenSample& sample, const StackTable::Stack& calls) {
    static_assert(CallFrames::kDeepest <= kMostCalls);
    SampleRecord record = sample.record;
    record.version = kDetailedVersion;
    record.size = static_cast<std::uint16_t>(kSampleSize + sizeof(SampleDetails) +
                                             calls.size() * sizeof(std::uint64_t));
    write_object(out, record);
    write_object(out, SampleDetails{.interrupted_pc = record.pc,
                                    .data_address = sample.data,
                                    .satp = sample.satp,
                                    .counters = 0,
                                    .registers = 0,
                                    .calls = static_cast<std::uint32_t>(calls.size()),
                                    .reserved = 0});
    for (const std::uint64_t call : calls) {
        write_object(out, call);
    }
}

} // namespace

void write_samples(std::ostream& out, std::span<const TakenSample> samples,
                   const StackTable* stacks) {
    for (const TakenSample& sample : samples) {
        if (stacks == nullptr) {
            write_object(out, sample.record);
        } else {
            write_detailed(out, sample, (*stacks)[sample.stack]);
        }
    }
}

} // namespace pes
