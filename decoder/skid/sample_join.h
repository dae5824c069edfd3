// SPDX-License-Identifier: Apache-2.0
// Which sample belongs to which crossing of a counter. Only crossings that an interrupt was taken
// for can have one.
//
// Samples and interrupts are paired so that both orders are kept, that the addresses of a pair are
// equal, and that as many as possible are paired (longest common subsequence). It is looked for
// among the next 1024 of both wherever the next of both differ, so lost and foreign samples do no
// harm up to a few hundred at one place. The cycle in a record is no help: a program may stop
// mcycle, and firmware does in its handlers.
#pragma once

#include "decoder/skid/crossings.h"
#include "hw/interface/maps/sample_record.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pes {

struct SampleJoin {
    explicit SampleJoin(std::size_t crossings) : sampled(crossings) {}

    /// Joins samples to some of the crossings, given by their indices; both in the order of time.
    void add(std::span<const CrossingRecord> crossings, std::span<const std::size_t> interrupts,
             std::span<const Address> addresses);

    std::vector<std::optional<Address>> sampled; ///< of each crossing: the pc in its sample
    std::uint64_t samples = 0;
    std::uint64_t without_crossing = 0;
};

/// Joins records to the interrupts of their hart and counter.
class RecordJoiner {
  public:
    /// In the order in which the counter's handler stored them.
    void add(const SampleRecord& record);
    SampleJoin join(std::span<const CrossingRecord> crossings) const;

  private:
    /// Interrupted addresses by hart and counter.
    std::map<std::pair<std::uint32_t, std::uint8_t>, std::vector<Address>> samples_;
};

/// Joins samples that are an address and nothing else, in the order of time.
SampleJoin join_addresses(std::span<const CrossingRecord> crossings,
                          std::span<const Address> samples);

} // namespace pes
