// SPDX-License-Identifier: Apache-2.0
// The instruction set of a hart: base and extensions of the unprivileged specification, as a value,
// and as the ISA string that says it ("rv64imafdc_zba_zbb").
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

/// Extensions that a hart may have or lack. In the order of an ISA string (unprivileged
/// specification, "ISA Extension Naming Conventions"). Zicsr and Zifencei are always there.
enum class IsaExtension : std::uint8_t {
    M,
    A,
    F,
    D,
    C,
    Zicond,
    Zcb,
    Zba,
    Zbb,
    Zbc,
    Zbkb,
    Zbkc,
    Zbkx,
    Zbs,
    Zknd,
    Zkne,
    Zknh,
    Count_,
};

/// Some of them.
class IsaSet {
  public:
    constexpr IsaSet() = default;
    constexpr IsaSet(IsaExtension one) : bits_(bit(one)) {}
    constexpr IsaSet(std::initializer_list<IsaExtension> some) {
        for (const IsaExtension one : some) {
            bits_ |= bit(one);
        }
    }
    static constexpr IsaSet all() {
        IsaSet set;
        set.bits_ = bit(IsaExtension::Count_) - 1;
        return set;
    }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool has(IsaExtension one) const { return (bits_ & bit(one)) != 0; }
    constexpr bool has_all(IsaSet others) const { return (others.bits_ & ~bits_) == 0; }
    constexpr bool has_any(IsaSet others) const { return (others.bits_ & bits_) != 0; }
    constexpr IsaSet& operator|=(IsaSet others) {
        bits_ |= others.bits_;
        return *this;
    }
    constexpr IsaSet without(IsaSet others) const {
        IsaSet set = *this;
        set.bits_ &= ~others.bits_;
        return set;
    }
    friend constexpr bool operator==(IsaSet, IsaSet) = default;

  private:
    static constexpr std::uint32_t bit(IsaExtension one) {
        return std::uint32_t{1} << static_cast<unsigned>(one);
    }
    std::uint32_t bits_ = 0;
};

struct Isa {
    unsigned xlen = 64;
    IsaSet extensions;

    constexpr bool has(IsaExtension one) const { return extensions.has(one); }
    /// An instruction that belongs to several extensions is there with any of them; one of the base
    /// belongs to none.
    constexpr bool has_instruction_of(IsaSet owners) const {
        return owners.empty() || extensions.has_any(owners);
    }
    friend constexpr bool operator==(const Isa&, const Isa&) = default;
};

/// All that the model executes.
inline constexpr Isa kWholeIsa{.xlen = 64, .extensions = IsaSet::all()};

/// The letters of misa, without S, U and the width: bit 0 = A.
std::uint32_t misa_letters(const Isa& isa);

/// The names in the order of an ISA string, without the base: "m", "zba".
std::vector<std::string_view> extension_names(const Isa& isa);

/// "rv64imafdc_zicond_zicsr_zifencei_zba".
std::string isa_string(const Isa& isa);

struct ParsedIsa {
    Isa isa;
    std::vector<std::string> notes; ///< what was read and has no effect, a sentence each
    std::string error;              ///< what is wrong; empty: nothing
};

/// Letters and names in any case and order; "g" and "b" and "zkn" stand for several; what an
/// extension requires comes with it.
ParsedIsa parse_isa(std::string_view text);

} // namespace pes
