// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/program/no_load_strings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <span>

namespace pes::trace {
namespace {

constexpr std::array<unsigned, 1> kOne = {32};
constexpr std::array<unsigned, 2> kTwo = {16, 16};
constexpr std::array<unsigned, 3> kThree = {11, 11, 10};
constexpr std::array<unsigned, 4> kFour = {8, 8, 8, 8};

std::span<const unsigned> argument_bits(std::size_t arguments) {
    switch (arguments) {
    case 2:
        return kTwo;
    case 3:
        return kThree;
    case 4:
        return kFour;
    default:
        return kOne;
    }
}

/// Flags, width and precision that snprintf may be given: short numbers only.
bool is_modest(const std::string& flags) {
    return flags.size() <= 6 && std::all_of(flags.begin(), flags.end(), [](char character) {
               return (character >= '0' && character <= '9') || character == '-' ||
                      character == '+' || character == ' ' || character == '#' || character == '.';
           });
}

bool ends_conversion(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '%';
}

} // namespace

NoLoadStrings::NoLoadStrings(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
        unsigned channel = 0;
        const char* end = comment.data() + comment.size();
        const auto [stop, error] = std::from_chars(comment.data(), end, channel);
        Format format;
        if (error == std::errc{} && stop != end && *stop == ':' && channel < kChannels &&
            parse(std::string(stop + 1, end), format)) {
            formats_.emplace(channel, std::move(format));
        }
    }
}

/// False if it is not a format of at most four whole numbers or characters.
bool NoLoadStrings::parse(const std::string& text, Format& format) {
    Piece piece;
    std::size_t arguments = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            piece.text += text[i];
            continue;
        }
        while (++i < text.size() && !ends_conversion(text[i])) {
            piece.flags += text[i];
        }
        while (i < text.size() && (text[i] == 'l' || text[i] == 'h')) {
            ++i; // lengths of C: the argument is as long as its part of the word
        }
        if (i == text.size()) {
            return false;
        }
        if (text[i] == '%' && piece.flags.empty()) {
            piece.text += '%';
            continue;
        }
        if (!is_modest(piece.flags) || std::string("diuxXoc").find(text[i]) == std::string::npos) {
            return false;
        }
        piece.conversion = text[i];
        format.push_back(std::move(piece));
        piece = {};
        ++arguments;
    }
    format.push_back(std::move(piece));
    return arguments <= kMostArguments;
}

std::string NoLoadStrings::convert(const Piece& piece, std::uint32_t value, unsigned bits) {
    char buffer[1100]; // precisions of at most three digits
    std::string format = "%" + piece.flags;
    int size = 0;
    if (piece.conversion == 'd' || piece.conversion == 'i') {
        const unsigned unused = 32 - bits;
        const auto number = static_cast<std::int32_t>(value << unused) >> unused;
        size = std::snprintf(buffer, sizeof buffer, (format + 'd').c_str(), number);
    } else {
        size = std::snprintf(buffer, sizeof buffer, (format + piece.conversion).c_str(), value);
    }
    return size < 0 ? "" : std::string(buffer, std::min<std::size_t>(size, sizeof buffer - 1));
}

std::string NoLoadStrings::text(unsigned stimulus, std::uint32_t value) const {
    const Format& format = formats_.at(stimulus % kChannels);
    const std::span<const unsigned> bits = argument_bits(format.size() - 1);
    std::string text;
    unsigned shift = 32;
    for (std::size_t i = 0; i < format.size(); ++i) {
        text += format[i].text;
        if (format[i].conversion != '\0') {
            shift -= bits[i];
            const std::uint64_t mask = (std::uint64_t{1} << bits[i]) - 1;
            text += convert(format[i], static_cast<std::uint32_t>(value >> shift & mask), bits[i]);
        }
    }
    return text;
}

} // namespace pes::trace
