// SPDX-License-Identifier: Apache-2.0
// The circular buffer of a trace block as its registers describe it: base, limit, write pointer
// with its wrap flag, read pointer, and the SRAM behind the data window.
//
// There is one set of registers. With the SRAM selected they show what an SRAM has: base 0, the
// last word as limit, a write pointer of as many bits as it needs; so software finds the size by
// writing ones to the write pointer. With memory selected, pointers are physical addresses whose
// upper half is base-high for base, limit and write pointer alike: a buffer lies inside one 4 GiB
// piece of the address space.
#pragma once

#include "hw/common/register_block.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pes::trace {

enum class BufferKind : std::uint8_t { None, Sram, Memory };

class SinkWindow {
  public:
    /// `word_bytes`: 4, 8, 16 or 32; `sram_bytes`: 0 or a power of two of at least one word.
    SinkWindow(std::uint32_t word_bytes, std::uint32_t sram_bytes, unsigned address_bits);

    /// Which buffer the registers describe from now on.
    void show(BufferKind kind) {
        kind_ = kind;
        ++changes_;
    }
    /// All but the write pointer.
    std::vector<Register> registers();
    void reset();

    /// sinkWritePointer with its wrap flag.
    std::uint32_t pointer_register() const {
        return write_pointer() | (wrapped_ ? trace_map::kWrapped : 0);
    }
    void set_write_pointer(std::uint32_t value);

    Address write_address() const; ///< of the next word
    /// Bytes from there to the end of the buffer, at least a word.
    std::uint64_t bytes_to_wrap() const;
    /// So many bytes, at most bytes_to_wrap(), have been written. True if that filled the buffer
    /// for the first time since software last wrote the write pointer.
    bool advance(std::uint64_t bytes);
    bool wrapped() const { return wrapped_; }
    /// All that will be written if no register is.
    MemoryRange written() const;
    /// Another number once written() may have become another one.
    unsigned changes() const { return changes_; }
    std::span<std::uint8_t> sram() { return sram_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::uint32_t kWindowBytes = 4; ///< sinkData

    std::uint32_t base() const { return kind_ == BufferKind::Memory ? base_ : 0; }
    std::uint32_t base_high() const { return kind_ == BufferKind::Memory ? base_high_ : 0; }
    std::uint32_t limit() const;
    std::uint32_t write_pointer() const;
    std::uint32_t read_pointer() const {
        return kind_ == BufferKind::Sram ? window_offset() : read_pointer_;
    }
    void set_base(std::uint32_t value);
    void set_base_high(std::uint32_t value);
    void set_limit(std::uint32_t value);
    void set_read_pointer(std::uint32_t value) { read_pointer_ = value & ~(kWindowBytes - 1); }
    std::uint32_t whole_words(std::uint32_t value) const { return value & ~(word_bytes_ - 1); }
    std::uint32_t take_data();
    std::uint32_t window_offset() const;
    std::uint32_t read_window() const;
    void write_window(std::uint32_t value);

    std::uint32_t word_bytes_;
    std::uint32_t high_mask_; ///< implemented bits of base-high
    std::vector<std::uint8_t> sram_;
    BufferKind kind_ = BufferKind::None;
    std::uint32_t base_ = 0;
    std::uint32_t base_high_ = 0;
    std::uint32_t limit_ = 0;
    std::uint32_t write_pointer_ = 0;
    std::uint32_t read_pointer_ = 0;
    bool wrapped_ = false;
    unsigned changes_ = 0;
};

} // namespace pes::trace
