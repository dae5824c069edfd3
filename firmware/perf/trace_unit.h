// SPDX-License-Identifier: Apache-2.0
// Encoder, funnel and RAM sink as the library programs them, in SiFive's registers or in those of
// the Trace Control Interface 1.0: a unit says by its version and type what it is. With SiFive's,
// encoder and funnel have the sink themselves. The functions below that say "encoder" or "sink" are
// for units that are or have one.
#pragma once

#include "firmware/perf/machine.h"
#include "firmware/perf/status.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"

namespace pes::perf {

/// A trace buffer: addresses of the bus, or of the unit's SRAM from 0 on.
struct Buffer {
    uint64_t base = 0;
    uint64_t size = 0;
};

/// Where the next word goes.
struct WritePointer {
    uint32_t address = 0; ///< its low half
    bool wrapped = false;
};

class TraceUnit {
  public:
    TraceUnit() = default;
    explicit TraceUnit(uint64_t base) : base_(base) {}

    uint64_t base() const { return base_; }

    /// To reset and back. An error if the unit does not answer.
    Status reset() const;
    /// Out of reset: its registers are those of the standard.
    bool is_standard() const { return version() != 0; }

    /// `code`: kSram or kMemory of trace_map::sink, or SiFive's kFunnel.
    bool has_sink(uint32_t code) const;
    uint32_t sink_word_bytes() const;
    /// After reset: what the sink registers are about. An error if the unit does not have it.
    Status select_sink(uint32_t code) const;
    /// An empty buffer in memory. An error if the address registers do not take it.
    Status set_buffer(const Buffer& buffer) const;
    Buffer set_sram() const; ///< the same for the SRAM, whose size the unit tells
    WritePointer write_pointer() const;
    uint32_t words_written() const; ///< by the sink, since its reset
    void set_read_pointer(uint32_t offset) const;
    uint32_t take_data() const; ///< of the SRAM, at the read pointer, which moves on

    /// An encoder sends what software writes to its stimuli.
    void enable_encoder() const;
    void enable_stimulus(unsigned channel) const;
    uint64_t stimulus(unsigned channel) const; ///< address
    void enable_funnel() const;
    void enable_sink() const;   ///< a RAM sink
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
    bool timestamps_are_differences() const;
    unsigned prescale() const; ///< cycles of the clock to a tick of the timestamp
    unsigned source() const;   ///< encoder: SRC of its messages

    /// Disabling sends all that is on its way to the sink. The control register as it was, for
    /// resume(); off if that has filled the buffer.
    Status flush(uint32_t& control) const;
    void resume(uint32_t control) const;

  private:
    uint32_t read(uint64_t offset) const { return machine::load32(base_ + offset); }
    void write(uint64_t offset, uint32_t value) const { machine::store32(base_ + offset, value); }
    uint32_t version() const;
    uint32_t type() const; ///< of a standard unit
    bool is_ram_sink() const;
    bool is_encoder() const;       ///< a standard one
    uint32_t stop_on_wrap() const; ///< its bit of the control register
    uint64_t pointer_register() const;
    uint32_t sink() const; ///< SiFive: the code that is selected
    uint32_t timestamp_type() const;

    uint64_t base_ = 0;
};

} // namespace pes::perf
