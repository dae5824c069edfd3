// SPDX-License-Identifier: Apache-2.0
// Messages in the wire format of Protocol Buffers (protobuf.dev/programming-guides/encoding): the
// three kinds of fields that the exports have. A number that is 0 is the default and is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class ProtobufMessage {
  public:
    ProtobufMessage& number(unsigned field, std::uint64_t value) {
        return value != 0 ? any_number(field, value) : *this;
    }
    /// For fields that readers ask whether they are there.
    ProtobufMessage& any_number(unsigned field, std::uint64_t value) {
        varint(field << 3 | kVarint);
        varint(value);
        return *this;
    }

    /// A string, or a message in this one; also an empty one is written.
    ProtobufMessage& bytes(unsigned field, std::string_view content) {
        varint(field << 3 | kLengthDelimited);
        varint(content.size());
        wire_ += content;
        return *this;
    }
    ProtobufMessage& message(unsigned field, const ProtobufMessage& content) {
        return bytes(field, content.wire());
    }

    /// A repeated number, packed.
    ProtobufMessage& numbers(unsigned field, const std::vector<std::uint64_t>& values) {
        ProtobufMessage packed;
        for (const std::uint64_t value : values) {
            packed.varint(value);
        }
        return message(field, packed);
    }

    const std::string& wire() const { return wire_; }

  private:
    static constexpr unsigned kVarint = 0;
    static constexpr unsigned kLengthDelimited = 2;

    /// Seven bits a byte, lowest first; bit 7: more follow.
    void varint(std::uint64_t value) {
        for (; value > 0x7F; value >>= 7) {
            wire_ += static_cast<char>((value & 0x7F) | 0x80);
        }
        wire_ += static_cast<char>(value);
    }

    std::string wire_;
};

} // namespace pes
