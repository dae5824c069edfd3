// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/asked.h"

#include <utility>

namespace pes {

namespace {

struct Packed {
    std::uint32_t bits;
    bool fits;
};

[[gnu::always_inline]] inline Packed pack_part(std::uint64_t number, PackedPart part,
                                               const Block& block) {
    const CodingSteps& steps = kCodingSteps[static_cast<std::size_t>(part.coding)];
    const std::uint64_t distance = std::rotl(number, steps.turn) - base_of(steps, block);
    const auto units =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(distance) >> steps.unit_shift);
    const std::uint64_t least = steps.is_signed ? std::uint64_t{1} << part.bits >> 1 : 0;
    const bool whole = units << steps.unit_shift == distance;
    return {.bits = static_cast<std::uint32_t>(units & ((std::uint64_t{1} << part.bits) - 1)),
            .fits = whole && (units + least) >> part.bits == 0};
}

/// With the packing known to the compiler: this is done for each question that is recorded.
template <Query Q>
std::optional<Asked> pack_as(const Question& question, const Block& block) {
    constexpr Packing packing = packing_of(Q);
    const Packed subject = pack_part(question.subject, packing.subject, block);
    const Packed argument = pack_part(question.argument, packing.argument, block);
    const Packed answer = pack_part(question.answer, packing.answer, block);
    if (!subject.fits || !argument.fits || !answer.fits) {
        return std::nullopt;
    }
    return Asked(Q, question.operand | subject.bits << packing.subject_at() |
                        argument.bits << packing.argument_at() |
                        answer.bits << packing.answer_at());
}

constexpr auto kPackAs = []<std::size_t... Q>(std::index_sequence<Q...>) {
    return std::array{pack_as<static_cast<Query>(Q)>...};
}
(std::make_index_sequence<kPackings.size()>());

} // namespace

std::optional<std::uint32_t> pack(std::uint64_t number, PackedPart part, const Block& block) {
    const Packed packed = pack_part(number, part, block);
    return packed.fits ? std::optional(packed.bits) : std::nullopt;
}

std::optional<Asked> pack(const Question& question, const Block& block) {
    return kPackAs[static_cast<std::size_t>(question.query)](question, block);
}

Question unpack(Asked asked, const Block& block) {
    const Packing& packing = packing_of(asked.query());
    return {.query = asked.query(),
            .operand = packing.operand ? operand_of(asked) : std::uint8_t{0},
            .subject = unpack(asked.parts(), packing.subject, packing.subject_at(), block),
            .argument = unpack(asked.parts(), packing.argument, packing.argument_at(), block),
            .answer = unpack(asked.parts(), packing.answer, packing.answer_at(), block)};
}

Asked ApartQuestions::add(const Question& question) {
    std::uint64_t hash = static_cast<std::uint64_t>(question.query) << 8 | question.operand;
    for (const std::uint64_t part : {question.subject, question.argument, question.answer}) {
        hash = mixed(hash, part);
    }
    std::uint32_t number =
        index_.find_number(hash, [&](const Question& known) { return known == question; });
    if (number == 0) {
        arena_.keep_together<Question>(sizeof(Question));
        number = arena_.next_number<Question>();
        index_.add(hash, number);
        arena_.add(question);
    }
    return {Query::Apart, number / kUnits};
}

} // namespace pes
