// SPDX-License-Identifier: Apache-2.0
// A question with its answer as the memo keeps it, in 8 bytes: much of the memo consists of them,
// and replay reads them all. Addresses are kept by their distance from the block. What has no room
// lies apart, whole, once for all lists that have it (ApartQuestions).
#pragma once

#include "hw/core/blocks/block.h"
#include "hw/core/blocks/memo_storage.h"
#include "hw/core/timing/tables/questions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

struct alignas(8) Asked {
    static constexpr unsigned kQueryBits = 8, kPartBits = 24;

    std::uint32_t bits = static_cast<std::uint32_t>(Query::End); ///< query, then its parts
    std::uint32_t other = 0; ///< number of the same question with another answer (Memo)

    constexpr Asked() = default;
    constexpr Asked(Query query, std::uint32_t parts)
        : bits(static_cast<std::uint32_t>(query) | parts << kQueryBits) {}
    /// As it is kept: a question that lies apart is Query::Apart.
    constexpr Query query() const { return static_cast<Query>(bits % (1U << kQueryBits)); }
    constexpr std::uint32_t parts() const { return bits >> kQueryBits; }
};
static_assert(sizeof(Asked) == 8);

/// How a number becomes few bits; see kCodingSteps.
enum class Coding : std::uint8_t {
    Number, ///< it is small
    Code,   ///< a virtual address: its distance from the block's last instruction, signed
    Line,   ///< a physical address of a line: its distance from the block, signed
    Store,  ///< it has store_size(): that comes first
};
struct PackedPart {
    unsigned bits = 0; ///< 0: only the number 0 has room
    Coding coding = Coding::Number;
};

/// The parts of a question lie one behind the other: operand, subject, argument, answer.
struct Packing {
    bool operand = false;
    PackedPart subject{}, argument{}, answer{};

    static constexpr unsigned kOperandBits = 6;
    constexpr unsigned subject_at() const { return operand ? kOperandBits : 0; }
    constexpr unsigned argument_at() const { return subject_at() + subject.bits; }
    constexpr unsigned answer_at() const { return argument_at() + argument.bits; }
    constexpr unsigned end() const { return answer_at() + answer.bits; }
};

/// Whatever has much room here is what the kernel of an operating system asks often.
constexpr Packing choose_packing(Query query) {
    using enum Coding;
    switch (query) {
    case Query::NextPc:
    case Query::PopReturn:
    case Query::TopReturn:
        return {.answer = {24, Code}};
    case Query::Noted:
        return {.operand = true, .answer = {18}};
    case Query::DeviceAccess:
    case Query::AwaitReservation:
        return {.argument = {12}, .answer = {12}};
    case Query::FetchLine:
    case Query::HasFetchLine:
        return {.subject = {23, Line}, .answer = {1}};
    case Query::BranchDirection:
        return {.subject = {15, Code}, .argument = {8}, .answer = {1}};
    case Query::JumpTarget:
        return {.subject = {4, Code}, .answer = {20, Code}};
    case Query::PushReturn:
        return {.subject = {24, Code}};
    case Query::SendBranch:
        return {.subject = {23, Code}, .argument = {1}};
    case Query::SendJump:
        return {.subject = {4, Code}, .argument = {20, Code}};
    case Query::ReadLine:
    case Query::HasDataLine:
    case Query::InvalidateSet:
    case Query::RefillLine:
    case Query::DataAt:
        return {.operand = true, .answer = {2}};
    case Query::ConflictingStore:
        return {.operand = true, .argument = {8}, .answer = {8}};
    case Query::BufferedWord:
    case Query::BufferedLine:
    case Query::BufferedDevice:
        return {.operand = true, .argument = {12}, .answer = {6}};
    case Query::PushWrite:
        return {.operand = true, .argument = {13, Store}, .answer = {4}};
    case Query::JoinWrite: // it lies apart
        return {.operand = true};
    case Query::UpdatesArrive:
        return {.subject = {24}};
    case Query::DropWrite:
    case Query::FailReservation:
        return {.argument = {24}};
    case Query::FloatUse:
        return {.answer = {24}};
    default:
        return {};
    }
}
inline constexpr auto kPackings = [] {
    std::array<Packing, static_cast<std::size_t>(Query::End) + 1> packings{};
    for (std::size_t query = 0; query != packings.size(); ++query) {
        packings[query] = choose_packing(static_cast<Query>(query));
    }
    return packings;
}();
static_assert(std::ranges::all_of(kPackings, [](const Packing& packing) {
    return packing.end() <= Asked::kPartBits;
}));
static_assert([] {
    for (std::size_t query = 0; query != kPackings.size(); ++query) {
        if (kPackings[query].operand != has_operand(static_cast<Query>(query))) {
            return false;
        }
    }
    return true;
}());
constexpr const Packing& packing_of(Query query) {
    return kPackings[static_cast<std::size_t>(query)];
}

/// A number becomes bits so: turned to the left, less its base, in units.
struct CodingSteps {
    enum class Base : std::uint8_t { Zero, LastPc, Physical };

    Base base = Base::Zero;
    unsigned char turn = 0;
    unsigned char unit_shift = 0;
    bool is_signed = false;
};
/// With its type: of an array whose type it deduces, GCC 12 makes a variable, and reads it.
inline constexpr std::array<CodingSteps, 4> kCodingSteps{
    CodingSteps{},
    CodingSteps{.base = CodingSteps::Base::LastPc, .unit_shift = 1, .is_signed = true},
    CodingSteps{.base = CodingSteps::Base::Physical, .unit_shift = 3, .is_signed = true},
    CodingSteps{.turn = 8}}; // in the order of Coding
static_assert(kCodingSteps.size() == static_cast<std::size_t>(Coding::Store) + 1);

[[gnu::always_inline]] constexpr std::uint64_t base_of(const CodingSteps& steps,
                                                       const Block& block) {
    const Address physical = block.physical >> steps.unit_shift << steps.unit_shift;
    return steps.base == CodingSteps::Base::Zero     ? 0
           : steps.base == CodingSteps::Base::LastPc ? block.last_pc
                                                     : physical;
}

/// The `part` of a question of the block, which begins at bit `at` of its parts.
[[gnu::always_inline]] constexpr std::uint64_t unpack(std::uint32_t parts, PackedPart part,
                                                      unsigned at, const Block& block) {
    if (part.bits == 0) {
        return 0;
    }
    const CodingSteps& steps = kCodingSteps[static_cast<std::size_t>(part.coding)];
    const std::uint32_t at_top = parts << (32 - at - part.bits);
    const unsigned down = 32 - part.bits;
    const auto units =
        steps.is_signed
            ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(at_top) >> down})
            : std::uint64_t{at_top >> down};
    return std::rotr((units << steps.unit_shift) + base_of(steps, block), steps.turn);
}

/// Of a question that is known when this is compiled.
template <Query Q>
[[gnu::always_inline]] constexpr std::uint64_t subject_of(Asked asked, const Block& block) {
    return unpack(asked.parts(), packing_of(Q).subject, packing_of(Q).subject_at(), block);
}
template <Query Q>
[[gnu::always_inline]] constexpr std::uint64_t argument_of(Asked asked, const Block& block) {
    return unpack(asked.parts(), packing_of(Q).argument, packing_of(Q).argument_at(), block);
}
template <Query Q>
[[gnu::always_inline]] constexpr std::uint64_t answer_of(Asked asked, const Block& block) {
    return unpack(asked.parts(), packing_of(Q).answer, packing_of(Q).answer_at(), block);
}
constexpr std::uint8_t operand_of(Asked asked) {
    return asked.parts() % (1U << Packing::kOperandBits);
}

/// The answer to a question, and the one that the memo has.
struct Reply {
    std::uint64_t now, before;
};

/// Nothing if it has no room.
std::optional<std::uint32_t> pack(std::uint64_t number, PackedPart part, const Block& block);
std::optional<Asked> pack(const Question& question, const Block& block);
/// Of a question that does not lie apart.
Question unpack(Asked asked, const Block& block);

/// The questions that have no room in 8 bytes, each once.
class ApartQuestions {
  public:
    explicit ApartQuestions(HostPages::Copies copies) : arena_(copies), index_(arena_, copies) {}

    /// `more` questions have room.
    bool has_room(std::size_t more) const {
        return arena_.size() / sizeof(Question) + more < std::size_t{1} << Asked::kPartBits;
    }
    Asked add(const Question& question);
    const Question& operator[](Asked asked) const {
        return arena_.object<Question>(asked.parts() * kUnits);
    }
    std::size_t bytes() const { return arena_.size() + index_.bytes(); }
    void clear() {
        arena_.clear();
        index_.clear();
    }

  private:
    static constexpr std::uint32_t kUnits = sizeof(Question) / Arena::kUnit;

    Arena arena_;
    HashIndex<Question> index_;
};

} // namespace pes
