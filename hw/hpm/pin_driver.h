// SPDX-License-Identifier: Apache-2.0
// The input pins of a counter block out of what the hart tells its bank. Counters in RTL are driven
// by them, and the recorder of a stimulus file writes them down.
//
// Pins that are not part of the contract, pc, events, class and destination of each retirement
// port, come from the hart's retirement stream (RetirementPorts). Without the stream they stay 0;
// no counter of this project depends on them.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/privilege_track.h"
#include "hw/hpm/retirement_ports.h"
#include "hw/hpm/rtl_model.h"

#include <optional>

namespace pes {

class PinDriver {
  public:
    explicit PinDriver(const CounterConfig& config) : pins_(pin_sources(*config.profile)) {}

    HartObserver& observer() { return ports_; }
    void announce(Privilege mode, Cycle from) { privilege_.announce(mode, from); }
    /// The pins of Sspesa, which stay 0 without a host.
    void connect(SampleHost& host) { host_ = &host; }
    bool has_samples() const { return host_ != nullptr; }
    /// Of a hart, which has no debug mode, the pin stays low.
    void set_debug(bool debug) { inputs_.debug = debug; }

    void name_cause(const SampleCause& cause) {
        (cause.kind == Crossing::Kind::Overflow ? overflow_named_ : threshold_named_) = cause;
    }

    /// All pins of `cycle` but those of the CSR port, before the bank counts it.
    void drive(const CyclePulses& pulses, Cycle cycle);
    /// The CSR port of the cycle that comes, or is being driven.
    void access(std::uint16_t csr, bool write) {
        inputs_.csr = csr;
        inputs_.write = write;
    }
    void set_write_data(std::uint64_t value) { inputs_.write_data = value; }

    const RtlModel::Inputs& inputs() const { return inputs_; }
    const PrivilegeTrack& privilege() const { return privilege_; }
    /// The values of the retirement pins.
    RetiredPair retired() const;

    void reset();
    void state(class Archive& archive); ///< of a checkpoint

  private:
    void drive_retirement(unsigned count);

    EventMask pins_; ///< the pulses that have a pin
    RtlModel::Inputs inputs_;
    PrivilegeTrack privilege_;
    RetirementPorts ports_;
    SampleHost* host_ = nullptr;                                  ///< Sspesa
    std::optional<SampleCause> overflow_named_, threshold_named_; ///< for the next cycle
};

} // namespace pes
