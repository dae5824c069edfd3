// SPDX-License-Identifier: Apache-2.0
// From an instruction that was sampled to its record ("Sample Record").
#pragma once

#include "hw/common/decode_tap.h"
#include "hw/interface/maps/pdis.h"

#include <array>
#include <cstdint>

namespace pes::pdis {

using Record = std::array<std::uint64_t, kRecordWords>;

/// `control` is mpdisctl.
Record make_record(const SampledInstruction& instruction, std::uint64_t control);

/// One of the record's latencies, as spdisfilter.LATSEL numbers them; 0 if it is not valid.
constexpr std::uint64_t latency_of(const Record& record, std::uint64_t number) {
    return record[kLatencies] >> (latency::kBits * number) & latency::kMost;
}

} // namespace pes::pdis
