// SPDX-License-Identifier: Apache-2.0
// The PDIS memory buffer: an asynchronous memory buffer (Ssamb) for whole records.
//
// The translations of the current page and of the next one are kept. What cannot be written is
// refused as a whole, so that the buffer holds whole records only.
#pragma once

#include "hw/common/buffer_memory.h"
#include "hw/pdis/record.h"

#include <cstdint>
#include <optional>

namespace pes {
class Archive;
}

namespace pes::pdis {

class MemoryBuffer {
  public:
    explicit MemoryBuffer(BufferMemory& memory) : memory_(memory) {}

    /// False: the record is dropped. It is written in cycle `at`.
    bool append(const Record& record, Cycle at);

    std::uint64_t read_control() const; ///< spdisambcs
    void write_control(std::uint64_t value, Cycle at);
    std::uint64_t address() const { return address_; } ///< spdisambaddr
    void write_address(std::uint64_t value);

    void state(Archive& archive); ///< of a checkpoint

  private:
    using Page = std::optional<Address>; ///< physical

    std::uint64_t size() const;
    std::uint64_t offset() const { return address_ & (size() - 1); }
    bool full() const;
    void translate_ahead(Cycle at);
    Page translate(std::uint64_t page_offset, Cycle at);
    void fault(std::uint64_t page_offset, Cycle at);
    void advance(Cycle at);

    BufferMemory& memory_;
    std::uint64_t control_ = 0; ///< but for EMPTY and TRV
    Address address_ = 0;
    Page current_, next_;
    std::uint64_t fences_ = 0; ///< that they know of
};

} // namespace pes::pdis
