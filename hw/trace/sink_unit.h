// SPDX-License-Identifier: Apache-2.0
// The sink side of a trace block: encoder and funnel have the same sink registers and the same
// fields for them in their control register. The block lists the unit's registers among its own and
// passes on what is written to its control register; the unit pulls from the block's messages.
#pragma once

#include "hw/common/register_block.h"
#include "hw/interface/maps/trace.h"
#include "hw/trace/message_source.h"

#include <vector>

namespace pes::trace {

/// The block that a sink unit belongs to.
class SinkOwner {
  public:
    SinkOwner() = default;
    SinkOwner(const SinkOwner&) = delete;
    SinkOwner& operator=(const SinkOwner&) = delete;
    virtual ~SinkOwner() = default;

    /// The circular buffer is full for the first time and StopOnWrap is set: clears Enable.
    virtual void stop_on_wrap(Cycle at) = 0;
};

class SinkUnit {
  public:
    SinkUnit() = default;
    SinkUnit(const SinkUnit&) = delete;
    SinkUnit& operator=(const SinkUnit&) = delete;
    virtual ~SinkUnit() = default;

    enum class OnWrap : std::uint8_t {
        GoOn,
        Stop, ///< the first time since software has last cleared the wrap flag
        StopEachTime,
    };

    /// Once, at construction of the block. The unit is the listener of `source` while one of its
    /// own sinks is selected; with trace_map::sink::kFunnel the funnel is.
    virtual void connect(MessageSource& source, SinkOwner& owner) = 0;

    /// SiFive's: teSinkBase .. teSinkData, teWordCount, pibControl.
    virtual std::vector<Register> registers() = 0;

    virtual std::uint32_t present() const = 0;    ///< bit n = trace_map::sink code n is connected
    virtual std::uint32_t word_bytes() const = 0; ///< 4, 8, 16 or 32

    /// WARL: the code that is in force then. 0 stays 0 if only one sink is connected.
    virtual std::uint32_t select(std::uint32_t code, Cycle at) = 0;
    virtual void on_wrap(OnWrap action) = 0;
    /// Enable went from 0 to 1: takes messages again if a full buffer has stopped it.
    virtual void open() = 0;

    /// All that was pulled has reached its place.
    virtual bool empty() const = 0;
    /// A write to memory was refused; sticky.
    virtual bool error() const = 0;
    virtual void clear_error() = 0;
    /// Active went to 0.
    virtual void reset(Cycle at) = 0;
};

/// atbControl of a block without a bridge to an ATB: WARL, always 0, so that firmware may probe it
/// or turn it off.
inline Register no_atb_sink() {
    return {.name = "atbControl", .offset = trace_map::kAtbControl, .write_mask = 0};
}

} // namespace pes::trace
