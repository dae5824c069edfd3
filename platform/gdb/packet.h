// SPDX-License-Identifier: Apache-2.0
// The framing of gdb's remote serial protocol: "$data#checksum", acknowledgements, and the byte
// with which the user interrupts. Source: gdb manual, appendix E.1 "Overview".
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes::gdb {

/// The largest data that either side sends in a packet.
inline constexpr std::size_t kPacketSize = 0x4000;

/// "$data#checksum" for data that holds no special character.
std::string framed(std::string_view data);
/// Binary data, in which '}' comes before a special character XOR 0x20.
std::string escaped(std::string_view bytes);
std::string unescaped(std::string_view data);

/// Two digits a byte.
std::string hex_of(std::span<const std::byte> bytes);
std::string hex_of(std::string_view text);
/// Nothing if `digits` are no whole bytes.
std::optional<std::vector<std::byte>> bytes_of(std::string_view digits);
/// Hexadecimal, as all numbers of the protocol.
std::optional<std::uint64_t> number_of(std::string_view digits);
std::string hex_number(std::uint64_t value);

/// Takes the bytes of a connection apart.
class PacketReader {
  public:
    enum class Kind : std::uint8_t {
        Packet,    ///< whole, its checksum is right
        Damaged,   ///< its checksum is wrong, or it is too long
        Accepted,  ///< '+'
        Refused,   ///< '-': the last packet is wanted again
        Interrupt, ///< the byte 3 outside a packet
    };
    struct Item {
        Kind kind;
        std::string data{}; ///< of a packet, still escaped
    };

    void take(std::string_view bytes);
    /// The next item; nothing if more bytes are needed.
    std::optional<Item> next();

  private:
    void take(char byte);
    void end_packet();

    enum class State : std::uint8_t { Outside, Data, FirstDigit, SecondDigit };
    State state_ = State::Outside;
    std::string data_;
    bool too_long_ = false;
    char digit_ = 0; ///< the first of the checksum
    char last_ = 0;  ///< the second
    std::deque<Item> items_;
};

} // namespace pes::gdb
