// SPDX-License-Identifier: Apache-2.0
#include "firmware/lib/flat_tree_reserve.h"

#include "firmware/lib/flat_tree_format.h"

namespace pes {

namespace {

using namespace flat_tree;

constexpr const char* kReservedMemory = "reserved-memory";
constexpr const char* kAddressCells = "#address-cells";
constexpr const char* kSizeCells = "#size-cells";

/// How many cells the addresses and sizes in a node's children have.
struct Cells {
    uint32_t address = 2;
    uint32_t size = 1; // the defaults of the specification, 2.3.5

    bool known() const { return address - 1 < 2 && size - 1 < 2; }
};

bool equal(const char* a, const char* b) {
    while (*a != 0 && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

uint32_t length_of(const char* text) {
    uint32_t length = 0;
    while (text[length] != 0) {
        ++length;
    }
    return length;
}

uint64_t number(const FlatTree::Property& property, uint32_t first, uint32_t cells) {
    return cells == 1 ? property.cell(first)
                      : uint64_t{property.cell(first)} << 32 | property.cell(first + 1);
}

/// What is in the tree before it is changed.
struct Survey {
    Cells root;
    Cells reserved;            ///< of /reserved-memory
    uint32_t root_end = 0;     ///< offset of the END_NODE of the root; 0: none
    uint32_t reserved_end = 0; ///< of that of /reserved-memory; 0: there is none
    bool done = false;         ///< the region is reserved
};

bool covers(const FlatTree::Property& reg, const Cells& cells, const ReservedRegion& region) {
    if (!cells.known() || reg.cell_count() < cells.address + cells.size) {
        return false;
    }
    const uint64_t base = number(reg, 0, cells.address);
    const uint64_t size = number(reg, cells.address, cells.size);
    return base <= region.base && region.base - base <= size &&
           region.size <= size - (region.base - base);
}

void note_property(const FlatTree& tree, const FlatTree::Token& token, Cells& cells) {
    if (token.value.size != 4) {
        return;
    }
    if (tree.is_named(token, kAddressCells)) {
        cells.address = token.value.cell(0);
    } else if (tree.is_named(token, kSizeCells)) {
        cells.size = token.value.cell(0);
    }
}

Survey survey(const FlatTree& tree, const ReservedRegion& region) {
    Survey result;
    FlatTree::Token token;
    unsigned depth = 0;
    bool inside = false; // in /reserved-memory or below
    for (uint32_t offset = 0; tree.read(offset, token); offset = token.next) {
        if (token.kind == FlatTree::kBeginNode) {
            ++depth;
            inside = inside || (depth == 2 && equal(token.text, kReservedMemory));
        } else if (token.kind == FlatTree::kEndNode) {
            if (depth == 2 && inside) {
                inside = false;
                result.reserved_end = offset;
            } else if (depth == 1) {
                result.root_end = offset;
                break;
            }
            --depth;
        } else if (token.kind == FlatTree::kProperty) {
            if (depth == 1) {
                note_property(tree, token, result.root);
            } else if (depth == 2 && inside) {
                note_property(tree, token, result.reserved);
            } else if (depth == 3 && inside && tree.is_named(token, "reg")) {
                result.done = result.done || covers(token.value, result.reserved, region);
            }
        }
    }
    return result;
}

/// What is put into the structure block, and the names that the strings block does not have.
class Fragment {
  public:
    explicit Fragment(uint32_t strings_size) : strings_size_(strings_size) {}

    void begin_node(const char* name, uint64_t unit, bool has_unit) {
        cell(FlatTree::kBeginNode);
        text(name);
        if (has_unit) {
            byte('@');
            for (int shift = 60; shift >= 0; shift -= 4) {
                if (shift == 0 || unit >> shift != 0) {
                    byte(static_cast<uint8_t>("0123456789abcdef"[unit >> shift & 15]));
                }
            }
        }
        byte(0);
        pad();
    }
    void end_node() { cell(FlatTree::kEndNode); }

    /// Its value follows: `size` bytes, whole cells.
    void property(const char* name, uint32_t size) {
        cell(FlatTree::kProperty);
        cell(size);
        cell(strings_size_ + names_size_);
        const uint32_t length = length_of(name) + 1;
        for (uint32_t i = 0; i < length; ++i) {
            names_[names_size_++] = static_cast<uint8_t>(name[i]);
        }
    }
    void cell(uint32_t value) {
        store(bytes_ + size_, value);
        size_ += 4;
    }
    void cells(uint64_t value, uint32_t count) {
        if (count == 2) {
            cell(static_cast<uint32_t>(value >> 32));
        }
        cell(static_cast<uint32_t>(value));
    }

    const uint8_t* bytes() const { return bytes_; }
    uint32_t size() const { return size_; }
    const uint8_t* names() const { return names_; }
    uint32_t names_size() const { return names_size_; }

  private:
    void byte(uint8_t value) { bytes_[size_++] = value; }
    void text(const char* value) {
        for (; *value != 0; ++value) {
            byte(static_cast<uint8_t>(*value));
        }
    }
    void pad() {
        while (size_ % 4 != 0) {
            byte(0);
        }
    }

    static constexpr uint32_t kNames = 64;
    uint8_t bytes_[kReservationRoom - kNames];
    uint8_t names_[kNames];
    uint32_t size_ = 0;
    uint32_t names_size_ = 0;
    uint32_t strings_size_;
};

void add_region(Fragment& fragment, const ReservedRegion& region, const Cells& cells) {
    fragment.begin_node("firmware", region.base, true);
    fragment.property("reg", 4 * (cells.address + cells.size));
    fragment.cells(region.base, cells.address);
    fragment.cells(region.size, cells.size);
    fragment.property("no-map", 0);
    fragment.end_node();
}

void add_parent(Fragment& fragment, const ReservedRegion& region, const Cells& cells) {
    fragment.begin_node(kReservedMemory, 0, false);
    fragment.property(kAddressCells, 4);
    fragment.cell(cells.address);
    fragment.property(kSizeCells, 4);
    fragment.cell(cells.size);
    fragment.property("ranges", 0);
    add_region(fragment, region, cells);
    fragment.end_node();
}

void copy(uint8_t* to, const uint8_t* from, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
        to[i] = from[i];
    }
}

/// To a higher address; the two may overlap.
void move_up(uint8_t* from, uint32_t size, uint32_t by) {
    for (uint32_t i = size; i-- > 0;) {
        from[i + by] = from[i];
    }
}

} // namespace

bool reserve_region(uint8_t* start, uint32_t room, const ReservedRegion& region) {
    const FlatTree tree(start, room);
    if (tree.empty()) {
        return false;
    }
    const Survey found = survey(tree, region);
    if (found.done) {
        return true;
    }
    const auto field = [start](Field number) { return load(start + 4 * number); };
    const uint32_t structure = field(StructureOffset);
    const uint32_t strings = field(StringsOffset);
    const uint32_t strings_size = field(StringsSize);
    const bool has_parent = found.reserved_end != 0;
    const Cells& cells = has_parent ? found.reserved : found.root;
    if (found.root_end == 0 || strings < structure + field(StructureSize) || !cells.known()) {
        return false;
    }
    Fragment fragment(strings_size);
    if (has_parent) {
        add_region(fragment, region, cells);
    } else {
        add_parent(fragment, region, cells);
    }
    const uint32_t end = strings + strings_size;
    const uint32_t growth = fragment.size() + fragment.names_size();
    if (growth > room - end) {
        return false;
    }
    const uint32_t place = structure + (has_parent ? found.reserved_end : found.root_end);
    move_up(start + place, end - place, fragment.size());
    copy(start + place, fragment.bytes(), fragment.size());
    copy(start + end + fragment.size(), fragment.names(), fragment.names_size());
    const auto set = [start](Field number, uint32_t value) { store(start + 4 * number, value); };
    set(StructureSize, field(StructureSize) + fragment.size());
    set(StringsOffset, strings + fragment.size());
    set(StringsSize, strings_size + fragment.names_size());
    if (field(TotalSize) < end + growth) {
        set(TotalSize, end + growth);
    }
    return true;
}

} // namespace pes
