// SPDX-License-Identifier: Apache-2.0
// The words of a SystemVerilog source, as far as packages of parameters need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

struct PackageToken {
    enum class Kind : std::uint8_t { Word, Number, Text, Symbol, End };

    Kind kind = Kind::End;
    std::string text; ///< as written
    std::size_t line = 0;
    /// Of a number. Nothing: it is too large, or its digits have no value; which is a mistake only
    /// where the value is needed.
    std::optional<std::int64_t> number{};

    bool is(std::string_view symbol) const { return kind != Kind::Text && text == symbol; }
};

/// Throws UserError "FILE:LINE: SENTENCE".
[[noreturn]] void fail_in_package(const std::filesystem::path& file, std::size_t line,
                                  const std::string& sentence);

/// All words of `text`, without comments, and one of Kind::End behind them. "'(" and "'{" are one
/// symbol each. Throws UserError.
std::vector<PackageToken> package_tokens(const std::filesystem::path& file, std::string_view text);

} // namespace pes
