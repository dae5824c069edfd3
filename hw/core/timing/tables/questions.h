// SPDX-License-Identifier: Apache-2.0
// The questions that the pipeline asks tables.h. The same pipeline state with the same answers
// takes the same cycles.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// (subject, argument) -> answer
enum class Query : std::uint8_t {
    // Facts about the instruction itself, not in the tables.
    NextPc,       ///< () -> address of the next instruction
    Noted,        ///< () -> see notes_operands()
    DeviceAccess, ///< ((), cycle it reaches the device) -> latency in cycles
    CounterRead,  ///< (number of a Memo's lead, cycle in which a CSR is read) -> 0
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
    FetchLine,      ///< (physical address) -> 0, 1: it was there; fills
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
    FlushBranches,   ///< ()
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
    AwaitReservation, ///< ((), cycle in which an LR could go to memory) -> cycles that it waits
    FailReservation,  ///< ((), cycle in which an LR could follow)
    PassReservation,  ///< ()

    Apart, ///< a question that lies apart from its list (asked.h)
    End,   ///< of a list of questions
};

/// Whether the argument is a cycle, which is kept by its distance from the last decode before the
/// block.
constexpr bool is_timed(Query query) {
    return query == Query::DeviceAccess || query == Query::CounterRead ||
           query == Query::AwaitReservation || query == Query::FailReservation;
}

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

/// Whether it is about the address of an access: the physical one, which a block notes while it
/// runs. Such a question has no subject of its own.
constexpr bool asks_about_access(Query query) {
    switch (query) {
    case Query::ReadLine:
    case Query::HasDataLine:
    case Query::InvalidateSet:
    case Query::ConflictingStore:
    case Query::BufferedWord:
    case Query::BufferedLine:
    case Query::BufferedDevice:
    case Query::RefillLine:
    case Query::PushWrite:
    case Query::JoinWrite:
        return true;
    default:
        return false;
    }
}

/// Whether the operand of the question matters.
constexpr bool has_operand(Query query) {
    return asks_about_access(query) || query == Query::Noted || query == Query::DataAt;
}

/// A question with its answer. What it does not have is 0.
struct alignas(32) Question {
    Query query = Query::End;
    std::uint8_t operand = 0; ///< number of the fact of the block's run, in their order, or of a
                              ///< computed one
    std::uint64_t subject = 0;
    std::uint64_t argument = 0;
    std::uint64_t answer = 0;

    bool operator==(const Question&) const = default;
};
static_assert(sizeof(Question) == 32);

} // namespace pes
