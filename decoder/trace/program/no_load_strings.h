// SPDX-License-Identifier: Apache-2.0
// Format strings that stay in the ELF file: `#ident "3:temperature %d, step %u"` names a stimulus
// and a printf format. A store of one word to the stimulus brings the arguments, the first in the
// highest bits: one of 32 bits, two of 16, three of 11, 11 and 10, or four of 8.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::trace {

class NoLoadStrings {
  public:
    /// Stimuli 16 to 31 are aliases of 0 to 15 with a timestamp.
    static constexpr unsigned kChannels = 16;
    static constexpr std::size_t kMostArguments = 4;

    NoLoadStrings() = default;
    /// `comments`: strings of .comment sections; those of another form are passed over. Of several
    /// for one channel the first counts.
    explicit NoLoadStrings(const std::vector<std::string>& comments);

    bool has(unsigned stimulus) const { return formats_.contains(stimulus % kChannels); }
    /// What a store of `value` to a stimulus that has a format prints.
    std::string text(unsigned stimulus, std::uint32_t value) const;

  private:
    /// Text, and behind it a conversion; the last piece of a format may have none.
    struct Piece {
        std::string text;
        std::string flags; ///< with width and precision: "02"
        char conversion = '\0';
    };
    using Format = std::vector<Piece>;

    static bool parse(const std::string& text, Format& format);
    static std::string convert(const Piece& piece, std::uint32_t value, unsigned bits);

    std::map<unsigned, Format> formats_;
};

} // namespace pes::trace
