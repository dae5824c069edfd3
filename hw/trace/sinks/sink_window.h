// SPDX-License-Identifier: Apache-2.0
// The circular buffer of a trace block as its registers describe it: base, limit, write pointer
// with its wrap flag, read pointer, and the SRAM behind the data window.
//
// Addresses are 64 bits wide here. SiFive's registers, which are described in this class, show them
// in 32 bits: with the SRAM selected what an SRAM has: base 0, the last word as limit, a write
// pointer of as many bits as it needs; so software finds the size by writing ones to the write
// pointer. With memory selected, pointers are physical addresses whose upper half is base-high for
// base, limit and write pointer alike: a buffer lies inside one 4 GiB piece of the address space.
// Those of the Trace Control Interface 1.0 are in ram_sink.h.
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
    /// SiFive's, all but the write pointer.
    std::vector<Register> sifive_registers();
    void reset();

    /// SiFive's sinkWritePointer with its wrap flag.
    std::uint32_t pointer_register() const {
        return static_cast<std::uint32_t>(write_address()) | (wrapped_ ? trace_map::kWrapped : 0);
    }
    void set_pointer_register(std::uint32_t value);

    Address write_address() const; ///< of the next word
    Address start() const { return kind_ == BufferKind::Memory ? start_ : 0; }
    Address limit() const; ///< address of the last word
    /// The same, in memory to 32 bits as software has written it, however wide the words are.
    Address limit_as_written() const;
    Address read_pointer() const {
        return kind_ == BufferKind::Sram ? window_offset() : read_pointer_;
    }
    /// Address bits above those of the configuration are 0, and pointers are those of whole words.
    void set_start(Address value);
    void set_limit(Address value);
    void set_write_address(Address value);
    void clear_wrapped() { wrapped_ = false; }
    void set_read_pointer(Address value);
    /// The word of the SRAM at the read pointer; taking and writing move the pointer on.
    std::uint32_t take_data();
    std::uint32_t read_window() const;
    void write_window(std::uint32_t value);
    /// Bytes from there to the end of the buffer, at least a word.
    std::uint64_t bytes_to_wrap() const;
    enum class Filled : std::uint8_t {
        No,
        First, ///< since software has last cleared the wrap flag
        Again,
    };
    /// So many bytes, at most bytes_to_wrap(), have been written: whether that was the last word.
    Filled advance(std::uint64_t bytes);
    bool wrapped() const { return wrapped_; }
    /// All that will be written if no register is.
    MemoryRange written() const;
    /// Another number once written() may have become another one.
    unsigned changes() const { return changes_; }
    std::span<std::uint8_t> sram() { return sram_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::uint32_t kWindowBytes = 4; ///< sinkData

    std::uint32_t base() const { return static_cast<std::uint32_t>(start()); }
    std::uint32_t base_high() const;
    std::uint32_t limit_register() const { return static_cast<std::uint32_t>(limit()); }
    std::uint32_t read_pointer_register() const {
        return static_cast<std::uint32_t>(read_pointer());
    }
    void set_base(std::uint32_t value);
    void set_base_high(std::uint32_t value);
    void set_limit_register(std::uint32_t value);
    void set_read_pointer_register(std::uint32_t value) { set_read_pointer(value); }
    Address aligned(Address value, std::uint32_t bytes) const {
        return value & address_mask_ & ~Address{bytes - 1};
    }
    Address whole_words(Address value) const { return aligned(value, word_bytes_); }
    std::uint32_t window_offset() const;

    std::uint32_t word_bytes_;
    Address address_mask_; ///< implemented bits
    std::vector<std::uint8_t> sram_;
    BufferKind kind_ = BufferKind::None;
    Address start_ = 0;
    Address limit_ = 0; ///< as written
    Address write_pointer_ = 0;
    Address read_pointer_ = 0;
    bool wrapped_ = false;
    unsigned changes_ = 0;
};

} // namespace pes::trace
