// SPDX-License-Identifier: Apache-2.0
// The questions that the pipeline asks tables.h, and a record of those of one block. The same
// pipeline state with the same answers takes the same cycles.
#pragma once

#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
    BranchDirection, ///< (pc, direction of a cold branch) -> direction
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

/// A question with its answer.
struct alignas(16) Asked {
    Query query = Query::End;
    std::uint8_t operand = 0;  ///< number of the fact of the block's run, in their order, or of a
                               ///< computed one
    std::uint32_t other = 0;   ///< number of the same question with another answer (Memo)
    std::uint64_t subject = 0; ///< unless it is the operand
    std::uint64_t argument = 0;
    std::uint64_t answer = 0;
};

/// The questions of one block, in order. The first ones may be answered already; the tables are not
/// asked again for those.
class Tape {
  public:
    void rewind(std::span<const std::uint64_t> given) {
        given_ = given;
        asked_.clear();
        spoilt_ = false;
        computed_ = 0;
        fetched_line_ = kNoLine;
    }
    /// The next instruction has fact number `operand`.
    void set_operand(std::uint8_t operand) { operand_ = operand; }
    std::uint8_t operand() const { return operand_; }
    /// The questions that follow are about an address that is no fact of the block's run, but is
    /// computed when this question is answered.
    static constexpr std::uint8_t kFirstComputed = 32, kMostComputed = 16;
    /// The entries that a walk reads.
    static constexpr std::uint8_t kFirstRead = kFirstComputed + kMostComputed, kMostReads = 3;
    static constexpr std::size_t kOperands = kFirstRead + kMostReads;
    void computed_operand() {
        if (computed_ == kMostComputed) {
            spoil();
            return;
        }
        operand_ = static_cast<std::uint8_t>(kFirstComputed + computed_++);
    }
    /// Records a fact: an input of the pipeline that does not come from the tables.
    void fact(Query query, std::uint64_t argument, std::uint64_t value, std::uint64_t subject = 0) {
        asked_.push_back({.query = query,
                          .operand = operand_,
                          .subject = subject,
                          .argument = argument,
                          .answer = value});
    }
    std::span<const Asked> asked() const { return asked_; }
    /// The result depends on something that is not on the tape and must not be memoized.
    void spoil() { spoilt_ = true; }
    bool spoilt() const { return spoilt_; }

  private:
    friend class Tables;
    static constexpr Address kNoLine = ~Address{0};

    std::span<const std::uint64_t> given_;
    std::vector<Asked> asked_;
    std::uint8_t operand_ = 0;
    std::uint8_t computed_ = 0; ///< operands that are
    bool spoilt_ = false;
    Address fetched_line_ = kNoLine;
};

} // namespace pes
