// SPDX-License-Identifier: Apache-2.0
// What instructions that are thrown away would read: values that follow from a register by
// addition. Known in this form, a question about them has a meaning whenever the block runs again.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>

namespace pes {

/// The register after the last executed instruction, plus an offset. kNoRegister: the offset alone.
struct RegisterValue {
    RegisterIndex base = kNoRegister;
    std::uint64_t offset = 0;

    bool operator==(const RegisterValue&) const = default;
    RegisterValue plus(std::uint64_t more) const { return {.base = base, .offset = offset + more}; }
};

/// Two values and what to do with them in the subject and argument of a question (questions.h).
struct ValuePair {
    RegisterValue one, other;
    unsigned function = 0; ///< less than 256

    struct Packed {
        std::uint64_t subject, argument;
    };
    /// Nothing if the second offset needs more than 40 bits.
    std::optional<Packed> packed() const {
        const auto offset = static_cast<std::int64_t>(other.offset);
        constexpr unsigned kOtherBits = 64 - kOffsetAt;
        if (offset << kOffsetAt >> kOffsetAt != offset) {
            return std::nullopt;
        }
        static_assert(kOtherBits == 40);
        return Packed{.subject = one.offset,
                      .argument = one.base | std::uint64_t{other.base} << kOtherBaseAt |
                                  std::uint64_t{function} << kFunctionAt |
                                  other.offset << kOffsetAt};
    }
    static ValuePair unpacked(std::uint64_t subject, std::uint64_t argument) {
        const auto offset = static_cast<std::int64_t>(argument) >> kOffsetAt;
        return {.one = {.base = static_cast<RegisterIndex>(argument & 0xFF), .offset = subject},
                .other = {.base = static_cast<RegisterIndex>(argument >> kOtherBaseAt & 0xFF),
                          .offset = static_cast<std::uint64_t>(offset)},
                .function = static_cast<unsigned>(argument >> kFunctionAt & 0xFF)};
    }

  private:
    static constexpr unsigned kOtherBaseAt = 8, kFunctionAt = 16, kOffsetAt = 24;
};

/// Bits 11:3 are the same: a load waits for such a store. [core/store_buffer.sv]
constexpr bool same_word(std::uint64_t one, std::uint64_t other) {
    return ((one ^ other) & 0xFF8) == 0;
}

/// funct3 of a conditional branch of either length: 0 beq, 1 bne, 4 blt, 5 bge, 6 bltu, 7 bgeu.
constexpr unsigned branch_function(std::uint32_t raw) {
    constexpr std::uint32_t kFullLength = 3;
    const bool compressed = (raw & kFullLength) != kFullLength;
    return compressed ? raw >> 13 & 1 : raw >> 12 & 7;
}

/// Whether the branch is taken.
constexpr bool branches(unsigned function, std::uint64_t one, std::uint64_t other) {
    bool holds = one == other;
    if ((function & 4) != 0) {
        holds = (function & 2) != 0
                    ? one < other
                    : static_cast<std::int64_t>(one) < static_cast<std::int64_t>(other);
    }
    return holds != ((function & 1) != 0);
}

} // namespace pes
