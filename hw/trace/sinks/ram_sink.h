// SPDX-License-Identifier: Apache-2.0
// The trace RAM sink of the Trace Control Interface 1.0: a component of its own, with its own page,
// that takes the messages of an encoder or of a funnel. It has the SRAM and SMEM modes of a
// TraceSink behind the registers trRam?? (hw/interface/maps/trace_control.h).
//
// While it is not enabled, it takes the messages that come and throws them away, as a funnel does
// with a disabled input; they are counted. So no hart waits for a sink that is off or full.
#pragma once

#include "hw/common/logger.h"
#include "hw/common/register_block.h"
#include "hw/trace/sinks/trace_sink.h"

#include <memory>
#include <string>
#include <vector>

namespace pes::trace {

class RamSink final : private SinkOwner {
  public:
    /// `sink` has SRAM, memory or both, and outlives this. Its source is already connected.
    RamSink(const std::string& name, TraceSink& sink);

    RegisterBlock& registers() { return registers_; }
    void state(class Archive& archive); ///< of a checkpoint; the sink is its owner's

  private:
    std::vector<Register> describe();
    std::uint32_t read_control() const;
    std::uint32_t implementation() const;
    void write_control(std::uint32_t value, Cycle at);
    void reset(Cycle at);
    void set_mode(bool memory, Cycle at);
    void stop_on_wrap(Cycle at) override;

    bool in_memory() const { return sink_.selected() == trace_map::sink::kMemory; }
    void warn_if_busy(const char* name) const;
    std::uint32_t start(unsigned half) const;
    std::uint32_t limit(unsigned half) const;
    std::uint32_t write_pointer(unsigned half) const;
    std::uint32_t read_pointer(unsigned half) const;
    void set_start(unsigned half, std::uint32_t value);
    void set_limit(unsigned half, std::uint32_t value);
    void set_write_pointer(unsigned half, std::uint32_t value);
    void set_read_pointer(unsigned half, std::uint32_t value);
    std::uint32_t take_data();
    std::uint32_t read_data() const;
    void write_data(std::uint32_t value);
    std::uint32_t status() const;
    void clear_status(std::uint32_t value);
    std::uint32_t word_bytes() const { return sink_.word_bytes(); }
    std::uint32_t words() const { return sink_.words(); }

    TraceSink& sink_;
    Logger log_;
    bool active_ = false;
    bool enable_ = false;
    bool stop_on_wrap_ = false;
    RegisterBlock registers_; ///< last: its description refers to the members above
};

} // namespace pes::trace
