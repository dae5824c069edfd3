// SPDX-License-Identifier: Apache-2.0
// Encoder and funnel as the library programs them. Both have the same registers at the same
// offsets; the functions below that say "encoder" use those that only an encoder has.
#pragma once

#include "firmware/perf/machine.h"
#include "firmware/perf/status.h"
#include "hw/interface/maps/trace.h"

namespace pes::perf {

/// A trace buffer: addresses of the bus, or of the unit's SRAM from 0 on.
struct Buffer {
    uint64_t base = 0;
    uint64_t size = 0;
};

class TraceUnit {
  public:
    TraceUnit() = default;
    explicit TraceUnit(uint64_t base) : base_(base) {}

    uint64_t base() const { return base_; }
    uint32_t read(uint64_t offset) const { return machine::load32(base_ + offset); }
    void write(uint64_t offset, uint32_t value) const { machine::store32(base_ + offset, value); }

    /// To reset and back. An error if the unit does not answer.
    Status reset() const;

    bool has_sink(uint32_t code) const;
    uint32_t sink_word_bytes() const;
    uint32_t sink() const;
    /// After reset: what the sink registers are about. An error if the unit does not have it.
    Status select_sink(uint32_t code) const;
    /// An empty buffer in memory. An error if the address registers do not take it.
    Status set_buffer(const Buffer& buffer) const;
    Buffer set_sram() const; ///< the same for the SRAM, whose size the unit tells

    /// An encoder sends what software writes to its stimuli.
    void enable_encoder() const;
    void enable_funnel() const;
    void start_tracing() const; ///< encoder

    /// Starts the timestamp; of an encoder also in its messages. The type is the hardware's.
    void enable_timestamp() const;
    /// Others follow this unit's timestamp, which software can read.
    bool is_timestamp_master() const;
    unsigned timestamp_width() const;
    unsigned source_bits() const; ///< encoder: width of SRC in its messages
    uint64_t timestamp() const;

    /// The buffer was full: the unit has switched itself off.
    bool stopped() const { return (read(trace_map::kControl) & trace_map::control::kEnable) == 0; }

    /// The same, and the buffer's end is where it was full. A unit that software has switched off,
    /// or that goes on over its oldest words, is none.
    bool full() const;
    /// Relative timestamps are differences, and not XOR.
    bool timestamps_are_differences() const {
        return (read(trace_map::kTimestampControl) & trace_map::timestamp::kDifference) != 0;
    }
    unsigned prescale() const; ///< cycles of the clock to a tick of the timestamp
    unsigned source() const;   ///< encoder: SRC of its messages

    /// Disabling sends all that is on its way to the sink. The control register as it was, for
    /// resume(); off if that has filled the buffer.
    Status flush(uint32_t& control) const;
    void resume(uint32_t control) const;

  private:
    uint64_t base_ = 0;
};

} // namespace pes::perf
