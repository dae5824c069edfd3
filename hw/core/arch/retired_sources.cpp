// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/retired_sources.h"

namespace pes {

namespace {

// A source of the core has a bit in a RetiredMask.
static_assert(RetiredMask::kWords == 1 && kCoreEventCount <= 64);

enum class FloatKind : std::uint8_t { Add, Multiply, Fused, DivideSqrt, Other };

/// What the rows ask of an instruction.
class Retired {
  public:
    Retired(const Instruction& instruction, std::uint32_t word)
        : instruction_(instruction), word_(word) {}

    template <typename... Classes>
    bool is(Classes... classes) const {
        return ((instruction_.timing == classes) || ...);
    }
    bool compressed() const { return instruction_.length == 2; }
    std::uint32_t rd() const { return word_ >> 7 & 0x1F; }
    bool links() const { return rd() == 1 || rd() == 5; } // x1 and x5 are the link registers
    bool writes_float() const { return is_float(instruction_.rd); }
    bool stores_float() const { return is_float(instruction_.rs2); }
    bool of_fpu() const {
        using enum TimingClass;
        return is(FpMove, FpConvert, FpSingle, FpDouble, FpDivideSingle, FpDivideDouble,
                  FpSqrtSingle, FpSqrtDouble);
    }
    bool computes(FloatKind kind) const { return of_fpu() && float_kind() == kind; }

  private:
    static bool is_float(RegisterIndex index) {
        return index >= kFloatBase && index != kSinkRegister;
    }

    /// By the encoding (unprivileged specification, chapters F and D): the fused ones have major
    /// opcodes of their own, the others a funct5.
    FloatKind float_kind() const {
        constexpr std::uint32_t kFloatOpcode = 0x14; // bits 6:2
        if ((word_ >> 2 & 0x1F) != kFloatOpcode) {
            return FloatKind::Fused;
        }
        switch (word_ >> 27) {
        case 0x00: // add
        case 0x01: // sub
            return FloatKind::Add;
        case 0x02:
            return FloatKind::Multiply;
        case 0x03: // divide
        case 0x0B: // square root
            return FloatKind::DivideSqrt;
        default:
            return FloatKind::Other;
        }
    }

    const Instruction& instruction_;
    std::uint32_t word_;
};

} // namespace

RetiredMask retired_sources(const Instruction& instruction, std::uint32_t word) {
    using enum TimingClass;
    const Retired i(instruction, word);
    RetiredMask sources;
#define ADD_IF_RETIRED(id, name, kind, bound, attribution, retired_by, ...)                        \
    if (retired_by) {                                                                              \
        sources |= RetiredMask(Event::id);                                                         \
    }
#define BASE_SOURCE ADD_IF_RETIRED
#define FURTHER_SOURCE ADD_IF_RETIRED
#define SAMPLING_SOURCE(...)
#define FIXED_SOURCE(...)
#include "hw/interface/pmu/pulse_sources.def"
#undef ADD_IF_RETIRED
    return sources;
}

} // namespace pes
