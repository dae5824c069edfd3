// SPDX-License-Identifier: Apache-2.0
// A mistake of the person at the keyboard: one sentence that names the offending thing, its value
// and what was expected. main() prints it and exits with kUserErrorExit.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace pes {

/// What the user wrote may hold anything: control characters become \xNN, so that a sentence is one
/// line and cannot command a terminal.
inline std::string in_one_line(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string line;
    line.reserve(text.size());
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (code >= 0x20 && code != 0x7F) {
            line += letter;
        } else {
            line.append("\\x").append({kDigits[code >> 4], kDigits[code & 0xF]});
        }
    }
    return line;
}

class UserError : public std::runtime_error {
  public:
    explicit UserError(std::string_view sentence) : std::runtime_error(in_one_line(sentence)) {}
};

/// One whose sentence a program that was started has printed already.
class ToldUserError : public UserError {
  public:
    ToldUserError() : UserError("") {}
};

inline constexpr int kUserErrorExit = 2;
inline constexpr int kOutOfMemoryExit = 123; ///< not the user's mistake, nor the guest's

} // namespace pes
