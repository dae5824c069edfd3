// SPDX-License-Identifier: Apache-2.0
// The end of a sampled instruction: adds the time to its data, hands them to the tap, and performs
// the effect that the tap returns.
#pragma once

#include "hw/common/decode_tap.h"
#include "hw/core/arch/csr_file.h"
#include "hw/core/feed/counter_feed.h"
#include "hw/core/hart_ports.h"
#include "hw/core/sampling/skidless_delivery.h"
#include "hw/core/timing/decode_watch.h"

#include <optional>

namespace pes {

class SampleEnding final : public SampleSink {
  public:
    SampleEnding(const CsrFile& csr, const HartBus& bus, CounterFeed& feed,
                 std::optional<SkidlessDelivery>& skidless)
        : csr_(csr), bus_(bus), feed_(feed), skidless_(skidless) {}

    /// `stateen_bit` of mstateen0 delegates the tap to S-mode.
    void connect(DecodeTap& tap, unsigned stateen_bit);

  private:
    SampleFate sample_ended(const SampledInstruction& sample) override;

    const CsrFile& csr_;
    const HartBus& bus_;
    CounterFeed& feed_;
    std::optional<SkidlessDelivery>& skidless_; ///< Ssplcofi
    DecodeTap* tap_ = nullptr;
    unsigned stateen_bit_ = 0;
};

} // namespace pes
