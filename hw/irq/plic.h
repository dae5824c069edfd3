// SPDX-License-Identifier: Apache-2.0
// Platform-level interrupt controller (RISC-V PLIC specification 1.0).
//
// Timing. Everything is registered; c, c + 1, ... are hart clock cycles:
//
//   source line high      pending bit set      target output high
//        cycle s      ->      cycle s + 1   ->      cycle s + 2
//
// and the hart's mip register adds a third cycle (s + 3). A register write in cycle t takes effect
// in t + 1, and so do a claim (a read of the claim register) and a completion. The bus delivers one
// access with an effect per cycle; a second one in the same cycle counts as one in t + 1.
//
// Gateways are level gateways. The pending bit is set when the line is high and the source is not
// active. The source is active from then until it is completed, so that a request is forwarded
// once. A pulse that ends before the claim stays pending. A completion in cycle t frees the source
// from t + 1 on; if its line is still high then, it is pending again in t + 2.
//
// Time. The state machine is stepped cycle by cycle only while something changes. An input may be
// late, with a stamp before the last advance(). It then takes effect at its stamp if nothing has
// changed since, otherwise at the last change.
#pragma once

#include "hw/common/device/device.h"
#include "hw/common/level.h"
#include "hw/common/register_block.h"
#include "hw/common/wave.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace pes {

struct PlicConfig {
    unsigned sources = 30; ///< 1..1023; source index n has interrupt id n + 1
    unsigned contexts = 2; ///< 1..15872; hart h: 2 h = machine, 2 h + 1 = supervisor

    // Deviations of CVA6's PLIC from the specification; off by default.

    /// threshold + 1 wraps in 3 bits: threshold 7 lets every enabled source through, priority 0
    /// included, instead of none. A claim then obeys the threshold too: it returns what the target
    /// logic picked, where the specification leaves the threshold out of a claim.
    bool threshold_wraps = false;
    /// A completion uses only as many low bits of the word as an id needs (5 for 30 sources) and
    /// does not check that the id is enabled for the context: a wrong id frees another source and
    /// leaves the claimed one blocked.
    bool completion_unchecked = false;
};

class Plic : public Device {
  public:
    /// Throws std::invalid_argument on a configuration outside the ranges above.
    explicit Plic(const PlicConfig& config);

    /// The registers at their offsets from the base of the PLIC; 32-bit accesses only.
    RegisterBlock& registers() override { return registers_; }

    /// Receives the target outputs: line = context, stamp = first cycle with the new level.
    void connect(LevelSink& targets) override { targets_ = &targets; }
    void attach_wave(WaveSink& wave, std::string_view scope) override;

    /// The line of source `index` has `level` from cycle `at` on.
    void set_source(unsigned index, bool level, Cycle at) override;
    /// Updates every output up to and including cycle `now`.
    void advance(Cycle now) override;
    /// True if no output can change without a further input.
    bool stable() const { return settled_ && edges_.empty(); }
    /// The next cycle to advance() to; kNever while stable.
    Cycle next_change() const override;
    void state(Archive& archive) override;

    bool target(unsigned context) const;
    const PlicConfig& config() const { return config_; }

  private:
    using Words = std::vector<std::uint32_t>; ///< bit n of word n / 32 = id n

    struct Context {
        Words enabled;
        std::uint32_t threshold = 0;
    };
    struct Edge {
        Cycle at;
        unsigned id;
        bool level;
        void state(Archive& archive) { archive(at, id, level); }
    };
    /// What the bus does to the gateways in one cycle; 0 = nothing.
    struct Strobe {
        unsigned claim = 0;
        unsigned complete = 0;
    };
    struct Wave {
        WaveSink* sink = nullptr;
        std::vector<SignalId> sources, pending, claim, complete, outputs; ///< 64 bits a signal
    };

    std::vector<Register> describe();
    std::uint32_t implemented(unsigned word) const;
    void step(Strobe strobe);
    void apply_edges();
    bool step_gateways(Strobe strobe);
    bool step_targets();
    std::uint32_t least_priority(const Context& context) const;
    unsigned best(const Context& context, std::uint32_t least) const;
    unsigned claimable(unsigned context) const;
    std::uint32_t priority(unsigned id, Cycle at);
    void set_priority(unsigned id, std::uint32_t value, Cycle at);
    std::uint32_t pending(unsigned word, Cycle at);
    std::uint32_t enabled(unsigned context, unsigned word, Cycle at);
    void set_enabled(unsigned context, unsigned word, std::uint32_t value, Cycle at);
    std::uint32_t threshold(unsigned context, Cycle at);
    void set_threshold(unsigned context, std::uint32_t value, Cycle at);
    std::uint32_t claim(unsigned context, Cycle at);
    void complete(unsigned context, std::uint32_t word, Cycle at);
    void configure(std::uint32_t& slot, std::uint32_t value, Cycle at);
    std::vector<SignalId> declare(std::string_view scope, std::string_view name,
                                  unsigned width) const;
    void show(const std::vector<SignalId>& signals, const Words& words, Cycle at) const;
    void pulse(const std::vector<SignalId>& signals, unsigned id) const;

    const PlicConfig config_;
    const unsigned words_; ///< 32-bit words that hold a bit for every id
    Words lines_, pending_, active_;
    std::vector<std::uint32_t> priorities_; ///< by id; id 0 stays 0
    std::vector<Context> contexts_;
    Words outputs_; ///< the registered target outputs; bit c + 1 = context c

    Cycle now_ = 0;          ///< the cycle the state above belongs to
    Cycle last_change_ = 0;  ///< first cycle since which it has been what it is
    bool settled_ = true;    ///< the next step would change nothing
    std::deque<Edge> edges_; ///< inputs not yet reached, by stamp

    LevelSink* targets_ = nullptr;
    Wave wave_;
    RegisterBlock registers_;
};

} // namespace pes
