// SPDX-License-Identifier: Apache-2.0
#include "firmware/lib/flat_tree.h"

#include "firmware/lib/flat_tree_format.h"

namespace pes {

namespace {

constexpr uint32_t kMagic = 0xD00D'FEED;
constexpr uint32_t kLastCompatible = 16; // version from which on this layout is understood

using namespace flat_tree;

uint32_t field(const uint8_t* start, Field number) {
    return load(start + uint64_t{number} * 4);
}

constexpr bool fits(uint64_t offset, uint64_t size, uint64_t room) {
    return offset <= room && size <= room - offset;
}

/// The string at `text`, of which `room` bytes may be read, with its end.
bool equal(const uint8_t* text, uint32_t room, const char* wanted) {
    for (uint32_t i = 0; i < room; ++i) {
        if (text[i] != static_cast<uint8_t>(wanted[i])) {
            return false;
        }
        if (text[i] == 0) {
            return true;
        }
    }
    return false;
}

/// True if `wanted` is one of the strings of a list.
bool lists(const FlatTree::Property& list, const char* wanted) {
    for (uint32_t i = 0; i < list.size; ++i) {
        if ((i == 0 || list.bytes[i - 1] == 0) && equal(list.bytes + i, list.size - i, wanted)) {
            return true;
        }
    }
    return false;
}

} // namespace

uint32_t FlatTree::Property::cell(uint32_t index) const {
    return load(bytes + uint64_t{index} * 4);
}

uint32_t FlatTree::size_of(const uint8_t* start) {
    const bool known = field(start, Magic) == kMagic && field(start, LastCompatible) <= 17 &&
                       field(start, LastCompatible) >= kLastCompatible;
    return known && field(start, TotalSize) >= kHeaderBytes ? field(start, TotalSize) : 0;
}

FlatTree::FlatTree(const uint8_t* start, uint32_t size) {
    if (size < kHeaderBytes || size_of(start) == 0 || size_of(start) > size) {
        return;
    }
    const uint32_t structure = field(start, StructureOffset);
    const uint32_t strings = field(start, StringsOffset);
    if (!fits(structure, field(start, StructureSize), size) ||
        !fits(strings, field(start, StringsSize), size)) {
        return;
    }
    structure_ = start + structure;
    structure_size_ = field(start, StructureSize);
    strings_ = start + strings;
    strings_size_ = field(start, StringsSize);
}

bool FlatTree::read(uint32_t offset, Token& token) const {
    if (!fits(offset, 4, structure_size_)) {
        return false;
    }
    token.kind = load(structure_ + offset);
    uint64_t next = uint64_t{offset} + 4;
    if (token.kind == kBeginNode) { // the node's name follows, to its NUL
        while (next < structure_size_ && structure_[next] != 0) {
            ++next;
        }
        token.text =
            next < structure_size_ ? reinterpret_cast<const char*>(structure_ + offset + 4) : "";
        ++next;
    } else if (token.kind == kProperty) {
        if (!fits(next, 8, structure_size_)) {
            return false;
        }
        const uint32_t size = load(structure_ + next);
        token.name = load(structure_ + next + 4);
        next += 8;
        if (!fits(next, size, structure_size_)) {
            return false;
        }
        token.value = {structure_ + next, size};
        next += size;
    } else if (token.kind != kEndNode && token.kind != kNop) {
        return false; // the end, or damage
    }
    token.next = static_cast<uint32_t>((next + 3) & ~uint64_t{3}); // at most 3 past the block
    return true;
}

bool FlatTree::is_named(const Token& token, const char* name) const {
    return token.name < strings_size_ &&
           equal(strings_ + token.name, strings_size_ - token.name, name);
}

FlatTree::Node FlatTree::find_compatible(const char* wanted) const {
    Node node = 0; // whose properties are read; they come before the nodes inside
    Token token;
    for (uint32_t offset = 0; read(offset, token); offset = token.next) {
        if (token.kind == kBeginNode) {
            node = token.next;
        } else if (token.kind == kEndNode) {
            node = 0;
        } else if (token.kind == kProperty && node != 0 && is_named(token, "compatible") &&
                   lists(token.value, wanted)) {
            return node;
        }
    }
    return 0;
}

FlatTree::Property FlatTree::property(Node node, const char* name) const {
    Token token;
    if (node == 0) {
        return {};
    }
    for (uint32_t offset = node; read(offset, token); offset = token.next) {
        if (token.kind == kProperty && is_named(token, name)) {
            return token.value;
        }
        if (token.kind == kBeginNode || token.kind == kEndNode) {
            break;
        }
    }
    return {};
}

} // namespace pes
