// SPDX-License-Identifier: Apache-2.0
// Evaluates the constant expressions of a package (package_reader.h).
#pragma once

#include "platform/config/package_reader.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pes {

/// Throws UserError "FILE:LINE: got 'WORD', expected EXPECTED".
[[noreturn]] void fail_unexpected(const std::filesystem::path& file, const PackageToken& got,
                                  const std::string& expected);

class PackageEvaluator {
  public:
    explicit PackageEvaluator(PackageFile& file) : file_(file) {}

    /// `owner` names what has the value, for messages. Throws UserError.
    PackageValue value(std::span<const PackageToken> words, const std::string& owner);

  private:
    struct Nesting; ///< counts, while it lives

    const PackageToken& next() const;
    bool take(std::string_view symbol);
    void expect(std::string_view symbol);
    [[noreturn]] void fail(std::size_t line, const std::string& sentence) const;
    [[noreturn]] void fail_here(const std::string& expected) const;
    std::int64_t number(const PackageValue& value, std::size_t line) const;

    PackageValue choice();                    ///< a ? b : c
    PackageValue binary(unsigned precedence); ///< operators that bind at least so strongly
    PackageValue right_side(const PackageValue& left, const PackageToken& sign,
                            unsigned precedence);
    PackageValue unary();
    PackageValue primary();
    PackageValue word();
    PackageValue list();
    PackageValue logarithm(std::size_t line);
    PackageValue parameter(const std::string& name, std::size_t line);
    PackageValue cast(const std::string& type, std::size_t line);
    PackageValue sized(const PackageValue& size, std::size_t line);
    PackageValue apply(const PackageToken& sign, const PackageValue& left,
                       const PackageValue& right) const;
    std::int64_t calculate(const PackageToken& sign, std::int64_t left, std::int64_t right) const;
    std::int64_t shift(const PackageToken& sign, std::int64_t left, std::int64_t right) const;

    PackageFile& file_;
    std::span<const PackageToken> words_; ///< what is left of the expression
    PackageToken end_;                    ///< stands behind the last word
    std::string owner_;
    bool live_ = true; ///< false: in a branch that is not taken, which has no value
    unsigned depth_ = 0;
};

} // namespace pes
