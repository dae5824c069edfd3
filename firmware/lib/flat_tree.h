// SPDX-License-Identifier: Apache-2.0
// Reads a flattened device tree where it lies (Devicetree Specification 0.4, chapter 5, version 16
// or later). Nothing outside the blob is ever read, whatever is in it: damage ends a search.
// Freestanding.
#pragma once

#include <stdint.h>

namespace pes {

class FlatTree {
  public:
    /// The value of a property; null: there is none.
    struct Property {
        const uint8_t* bytes = nullptr;
        uint32_t size = 0;

        uint32_t cell_count() const { return size / 4; }
        uint32_t cell(uint32_t index) const; ///< index < cell_count()
    };

    /// Where a node's properties begin in the structure block; 0 (none can): no such node.
    using Node = uint32_t;

    static constexpr uint64_t kHeaderBytes = 40;

    /// Bytes that the header at `start` says the blob has; 0: it is no header.
    static uint32_t size_of(const uint8_t* start);

    FlatTree() = default;

    /// All of the blob must be readable, `size` bytes. A header that does not fit them makes an
    /// empty tree.
    FlatTree(const uint8_t* start, uint32_t size);

    bool empty() const { return structure_ == nullptr; }

    /// The first node with this string in `compatible`.
    Node find_compatible(const char* wanted) const;

    Property property(Node node, const char* name) const;

    /// The tokens of the structure block, for whoever walks through it.
    enum Kind : uint32_t { kBeginNode = 1, kEndNode = 2, kProperty = 3, kNop = 4 };
    struct Token {
        uint32_t kind = 0;
        uint32_t next = 0;          ///< offset of the next one
        Property value;             ///< of a property
        uint32_t name = 0;          ///< of a property: offset in the strings block
        const char* text = nullptr; ///< of a node: its name, which ends inside the block
    };

    /// False: the end of the structure block, or damage.
    bool read(uint32_t offset, Token& token) const;
    bool is_named(const Token& token, const char* name) const;

  private:
    const uint8_t* structure_ = nullptr;
    uint32_t structure_size_ = 0;
    const uint8_t* strings_ = nullptr;
    uint32_t strings_size_ = 0;
};

} // namespace pes
