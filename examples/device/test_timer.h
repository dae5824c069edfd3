// SPDX-License-Identifier: Apache-2.0
// Test timer: the model of the example device. It counts ticks of `cycles_per_tick` hart cycles.
//
// Timing: the interrupt line is high in every cycle in which the interrupt is enabled and count >=
// compare. A register write in cycle t holds from t + 1.
#pragma once

#include "hw/common/device/device.h"

#include <vector>

namespace pes {

struct TestTimerConfig {
    unsigned cycles_per_tick = 1; ///< at least 1
};

class TestTimer : public Device {
  public:
    explicit TestTimer(const TestTimerConfig& config);

    RegisterBlock& registers() override { return registers_; }
    /// Line 0 is the interrupt.
    void connect(LevelSink& lines) override { lines_ = &lines; }
    void advance(Cycle now) override;
    Cycle next_change() const override;
    void state(Archive& archive) override { archive(registers_, compare_, enabled_, level_); }
    /// Signals: irq, compare.
    void attach_wave(WaveSink& wave, std::string_view scope) override;

  private:
    std::vector<Register> describe();
    std::uint64_t count(Cycle at) const { return at / config_.cycles_per_tick; }
    void set_compare(std::uint64_t value, Cycle at);
    void set_control(std::uint32_t value, Cycle at);
    void update(Cycle at);

    const TestTimerConfig config_;
    std::uint64_t compare_ = ~std::uint64_t{0};
    bool enabled_ = false;
    bool level_ = false; ///< of the line
    LevelSink* lines_ = nullptr;
    WaveSink* wave_ = nullptr;
    SignalId irq_signal_{}, compare_signal_{};
    RegisterBlock registers_;
};

} // namespace pes
