// SPDX-License-Identifier: Apache-2.0
// The questions that the pipeline asks tables.h, and a record of those of one block. The same
// pipeline state with the same answers takes the same cycles.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// (subject, argument) -> answer
enum class Query : std::uint8_t {
    // Facts about the instruction itself, not in the tables.
    NextPc,       ///< () -> address of the next instruction
    Noted,        ///< () -> see notes_operands()
    DeviceAccess, ///< ((), cycle it reaches the device, after decode of the instruction before) ->
                  ///< latency in cycles
    CounterRead,  ///< (number of a Memo's lead, cycle in which a CSR is read, likewise) -> 0
    CodeAt,       ///< (physical address) -> 0, as long as there is no instruction
    CodePage,     ///< (virtual page) -> see code_page()
    Walk,         ///< () -> entries that the walk of the access reads; makes them operands
    FloatUse,     ///< () -> what decode accepts after the instruction
    // Facts about registers after the last instruction, for those that it throws away; see
    // register_values.h.
    RegisterValue, ///< (offset, base) -> value
    SameWord,      ///< (pair) -> 0, 1
    BranchTaken,   ///< (pair) -> 0, 1
    DataAt,        ///< (offset, base) -> 1 if a load from there would read memory; makes the
                   ///< physical address the operand
    // L1I
    FetchLine,      ///< (physical address) -> Lookup; fills
    HasFetchLine,   ///< (physical address) -> 0, 1
    InvalidateCode, ///< ()
    // Branch prediction
    BranchDirection, ///< (pc, direction of a cold branch | arriving()) -> direction
    JumpTarget,      ///< (pc) -> target or BranchTables::kNoTarget
    PopReturn,       ///< () -> target or BranchTables::kNoTarget
    TopReturn,       ///< likewise, and it stays
    PushReturn,      ///< (link)
    SendBranch,      ///< (pc, direction)
    SendJump,        ///< (pc, target)
    UpdatesArrive,   ///< (how many)
    // Data; the subject is the physical address of the instruction's access
    ReadLine,         ///< (address) -> Lookup; fills
    HasDataLine,      ///< (address) -> 0, 1
    InvalidateSet,    ///< (address)
    ConflictingStore, ///< (address, n) -> age of the youngest of the last n stores in conflict, or
                      ///< 0; stores are those of PushWrite with a size, and those that have joined
    BufferedWord,     ///< (address, ages) -> youngest of these writes with this word, or 0
    BufferedLine,     ///< (address, ages) -> youngest of these writes in this line, or 0
    BufferedDevice,   ///< (address, ages) -> youngest of these writes to this device, or 0
    RefillLine,       ///< (address) -> whether it lies in the line read from memory last
    PushWrite,        ///< (address, how many of the last writes it goes before | store_size())
                      ///< -> how many pieces of the word are left behind it
    JoinWrite,        ///< (address, ages | not_sent() | store_size()) -> BufferedWord; if it is not
                      ///< sent, the store joins it: | pieces left << 8
    DropWrite,        ///< (address, age of a write)
    // LR and SC
    FailReservation, ///< () -> cycles for which the next LR waits
    PassReservation, ///< ()
    Given,           ///< () -> 0; no question, see AskedPart::Before
    End,             ///< of a list of questions
};

/// Whether lines of L1I are there. The answers stay as long as nothing is filled or invalidated.
constexpr bool asks_for_code(Query query) {
    return query == Query::FetchLine || query == Query::HasFetchLine;
}

/// Part of an argument: the bytes of the store; none: what is left of the word.
constexpr std::uint64_t store_size(std::uint64_t bytes) {
    return bytes << 56;
}
/// Part of an argument: how many of the last writes are not sent yet.
constexpr std::uint64_t not_sent(std::uint64_t writes) {
    return writes << 48;
}

/// Part of an argument: how many updates arrive before the question is answered.
constexpr std::uint64_t arriving(std::uint64_t updates) {
    return updates << 4;
}

/// A question with its answer, in 16 bytes: what it consists of lies where layout_of() says.
struct alignas(16) Asked {
    Query query = Query::End;
    std::uint8_t operand = 0; ///< number of the fact of the block's run, in their order, or of a
                              ///< computed one
    std::uint16_t small = 0;  ///< a number
    std::uint32_t other = 0;  ///< number of the same question with another answer (Memo)
    std::uint64_t value = 0;  ///< a number
};
static_assert(sizeof(Asked) == 16);

/// Where a subject, an argument or an answer lies.
enum class AskedPart : std::uint8_t {
    None, ///< it is 0
    Fact, ///< of the operand
    Value,
    Small,
    Operand, ///< in the place of the operand
    Before,  ///< the value of a Query::Given before the question
};
inline constexpr std::size_t kAskedParts = 6;
struct QuestionLayout {
    AskedPart subject = AskedPart::None;
    AskedPart argument = AskedPart::None;
    AskedPart answer = AskedPart::Small;
};

constexpr QuestionLayout choose_layout(Query query) {
    using enum AskedPart;
    switch (query) {
    case Query::NextPc:
    case Query::Noted:
    case Query::PopReturn:
    case Query::TopReturn:
        return {.answer = Value};
    case Query::DeviceAccess:
        return {.argument = Before, .answer = Value};
    case Query::CodePage:
    case Query::JumpTarget:
        return {.subject = Before, .answer = Value};
    case Query::RegisterValue:
        return {.subject = Before, .argument = Operand, .answer = Value};
    case Query::CounterRead:
    case Query::SameWord:
    case Query::BranchTaken:
    case Query::DataAt:
    case Query::SendJump:
        return {.subject = Before, .argument = Value};
    case Query::BranchDirection:
    case Query::SendBranch:
        return {.subject = Value, .argument = Operand};
    case Query::CodeAt:
    case Query::FetchLine:
    case Query::HasFetchLine:
    case Query::PushReturn:
    case Query::UpdatesArrive:
        return {.subject = Value};
    case Query::ReadLine:
    case Query::HasDataLine:
    case Query::InvalidateSet:
    case Query::RefillLine:
        return {.subject = Fact};
    case Query::ConflictingStore:
    case Query::BufferedWord:
    case Query::BufferedLine:
    case Query::BufferedDevice:
    case Query::PushWrite:
    case Query::JoinWrite:
        return {.subject = Fact, .argument = Value};
    case Query::DropWrite:
        return {.argument = Value};
    default:
        return {};
    }
}
inline constexpr auto kLayouts = [] {
    std::array<QuestionLayout, static_cast<std::size_t>(Query::End) + 1> layouts{};
    for (std::size_t query = 0; query != layouts.size(); ++query) {
        layouts[query] = choose_layout(static_cast<Query>(query));
    }
    return layouts;
}();
constexpr const QuestionLayout& layout_of(Query query) {
    return kLayouts[static_cast<std::size_t>(query)];
}
constexpr bool has_given(Query query) {
    const QuestionLayout layout = layout_of(query);
    return layout.subject == AskedPart::Before || layout.argument == AskedPart::Before;
}

/// A AskedPart::Before lies before the question only in the list in which that was asked first, not
/// in one that begins with another answer to it.
[[gnu::always_inline]] constexpr std::uint64_t part_of(const Asked& asked, AskedPart part) {
    switch (part) {
    case AskedPart::Value:
        return asked.value;
    case AskedPart::Small:
        return asked.small;
    case AskedPart::Operand:
        return asked.operand;
    case AskedPart::Before:
        return (&asked)[-1].value;
    case AskedPart::Fact:
    case AskedPart::None:
        break;
    }
    return 0;
}
/// Of a question that is known when this is compiled.
template <Query Q>
constexpr std::uint64_t subject_of(const Asked& asked) {
    return part_of(asked, layout_of(Q).subject);
}
template <Query Q>
constexpr std::uint64_t argument_of(const Asked& asked) {
    return part_of(asked, layout_of(Q).argument);
}
constexpr std::uint64_t subject_of(const Asked& asked) {
    return part_of(asked, layout_of(asked.query).subject);
}
constexpr std::uint64_t argument_of(const Asked& asked) {
    return part_of(asked, layout_of(asked.query).argument);
}

/// Bit n: the answer to query n is its value.
inline constexpr std::uint64_t kAnswerIsValue = [] {
    std::uint64_t queries = 0;
    for (std::size_t query = 0; query != kLayouts.size(); ++query) {
        queries |= std::uint64_t{kLayouts[query].answer == AskedPart::Value} << query;
    }
    return queries;
}();
constexpr std::uint64_t answer_of(const Asked& asked) {
    return (kAnswerIsValue >> static_cast<unsigned>(asked.query) & 1) != 0 ? asked.value
                                                                           : asked.small;
}

} // namespace pes
