// SPDX-License-Identifier: Apache-2.0
// The state of the timing model that lives longer than the few cycles of its pipeline: cache tags,
// branch prediction tables, known control flow, and the addresses of buffered stores. It contains
// no times, except for the one until which an LR waits.
//
// The rest of the model asks through ask() only, so that the answers can be recorded and compared
// later: the same pipeline state with the same answers takes the same cycles. Some questions change
// the tables (a miss fills a line), and some have no answer and only
// change them.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/tables/branch_tables.h"
#include "hw/core/timing/tables/buffered_stores.h"
#include "hw/core/timing/tables/cache.h"
#include "hw/core/timing/tables/questions.h"
#include "hw/core/timing/tables/register_values.h"
#include "hw/core/timing/tables/reservation_backoff.h"
#include "hw/core/timing/tables/tape.h"
#include "hw/core/timing/timing_config.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>

namespace pes {

class Tables {
  public:
    explicit Tables(const TimingConfig& config);
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    template <Query Q>
    std::uint64_t ask(std::uint64_t subject, std::uint64_t argument = 0) {
        if (tape_ != nullptr) [[unlikely]] {
            return ask_on_tape(Q, subject, argument);
        }
        return answer<Q>(subject, argument);
    }

    template <Query Q>
    std::uint64_t answer(std::uint64_t subject, std::uint64_t argument);
    std::uint64_t answer(Query query, std::uint64_t subject, std::uint64_t argument);

    void code_at(Address physical, const Instruction* found) {
        const bool missing = found == nullptr; // once there, it stays the same one
        if (tape_ != nullptr && missing) [[unlikely]] {
            tape_->fact(Query::CodeAt, 0, 0, physical);
        }
    }

    /// The version of another page of code than the block's (see CodePage), or kNoPage.
    static constexpr std::uint64_t kNoPage = 0;
    void code_page(Address page, std::uint64_t version) {
        if (tape_ != nullptr) [[unlikely]] {
            tape_->fact(Query::CodePage, 0, version, page);
        }
    }

    void device_access(Cycle arrival, std::uint64_t latency) {
        if (tape_ != nullptr) [[unlikely]] {
            tape_->fact(Query::DeviceAccess, arrival, latency);
        }
    }

    void counter_read(Cycle at, std::uint64_t lead) {
        if (tape_ != nullptr) [[unlikely]] {
            tape_->fact(Query::CounterRead, at, 0, lead);
        }
    }

    void float_use(std::uint64_t accepted) { fact(Query::FloatUse, 0, 0, accepted); }

    // What is read of registers, with the value that it had.
    void register_value(const RegisterValue& value, std::uint64_t was) {
        if (value.base != kNoRegister) {
            fact(Query::RegisterValue, value.offset, value.base, was);
        }
    }
    void same_word(const RegisterValue& one, const RegisterValue& other, bool was) {
        pair(Query::SameWord, {.one = one, .other = other}, was);
    }
    void branch_taken(const ValuePair& compared, bool was) {
        pair(Query::BranchTaken, compared, was);
    }

    /// While this lives, the questions are about the access to `address`, which has no fact of its
    /// own. `physical`: nothing if it is not known.
    class ComputedAccess {
      public:
        ComputedAccess(Tables& tables, const std::optional<RegisterValue>& address,
                       const std::optional<Address>& physical);
        ComputedAccess(const ComputedAccess&) = delete;
        ComputedAccess& operator=(const ComputedAccess&) = delete;
        ~ComputedAccess() { tables_.set_operand(before_); }

      private:
        Tables& tables_;
        std::uint8_t before_;
    };
    /// While this lives, the questions are about the entry that a walk reads next.
    class WalkedEntries {
      public:
        WalkedEntries(Tables& tables, const PageWalk& walk)
            : tables_(tables), before_(tables.operand()) {
            tables_.fact(Query::Walk, 0, 0, walk.reads);
        }
        WalkedEntries(const WalkedEntries&) = delete;
        WalkedEntries& operator=(const WalkedEntries&) = delete;
        ~WalkedEntries() { tables_.set_operand(before_); }
        void next() { tables_.set_operand(static_cast<std::uint8_t>(Tape::kFirstRead + read_++)); }

      private:
        Tables& tables_;
        std::uint8_t before_;
        std::uint8_t read_ = 0;
    };
    std::uint8_t operand() const { return tape_ == nullptr ? 0 : tape_->operand(); }
    void set_operand(std::uint8_t operand) {
        if (tape_ != nullptr) {
            tape_->set_operand(operand);
        }
    }

    bool on_tape() const { return tape_ != nullptr; }
    /// Must be called when the model reads something that is not a question.
    void spoil_tape() const {
        if (tape_ != nullptr) {
            tape_->spoil();
        }
    }
    /// Null: questions are not recorded.
    void set_tape(Tape* tape) { tape_ = tape; }

    /// For native code, which looks at them itself where the answer is the usual one.
    const Cache& code_lines() const { return l1i_; }
    Cache::Parts code_parts() { return l1i_.parts(); }
    Cache::Parts data_parts() { return l1d_.parts(); }
    BranchTables& branch_tables() { return branches_; }
    BufferedStores::Parts store_parts() { return stores_.parts(); }

    /// For the bound of a block: an LR that could go to memory in cycle `at` waits so long.
    Cycle wait_for_reservation(Cycle at) const { return backoff_.wait(at); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    void fact(Query query, std::uint64_t subject, std::uint64_t argument, std::uint64_t answer) {
        if (tape_ != nullptr) [[unlikely]] {
            tape_->fact(query, argument, answer, subject);
        }
    }
    void pair(Query query, const ValuePair& values, bool was);
    std::uint64_t ask_on_tape(Query query, std::uint64_t subject, std::uint64_t argument);
    void note_line(Query query, Address physical, std::uint64_t reply);

    Cache l1i_;
    Cache l1d_;
    Address refilled_ = 0; ///< line of L1D
    BranchTables branches_;
    BufferedStores stores_;
    ReservationBackoff backoff_;
    Tape* tape_ = nullptr;
};

template <Query Q>
inline std::uint64_t Tables::answer(std::uint64_t subject, std::uint64_t argument) {
    if constexpr (Q == Query::RefillLine) {
        return l1d_.line(subject) == refilled_ ? 1 : 0;
    } else if constexpr (Q == Query::FetchLine) {
        return l1i_.access(subject) == Lookup::Hit ? 1 : 0;
    } else if constexpr (Q == Query::HasFetchLine) {
        return l1i_.contains(subject) ? 1 : 0;
    } else if constexpr (Q == Query::BranchDirection) {
        branches_.arrive(argument / arriving(1));
        const auto cold = static_cast<pes::BranchDirection>(argument % arriving(1));
        return static_cast<std::uint64_t>(branches_.direction(subject, cold));
    } else if constexpr (Q == Query::InvalidateCode) {
        l1i_.invalidate_all();
    } else if constexpr (Q == Query::HasDataLine) {
        return l1d_.contains(subject) ? 1 : 0;
    } else if constexpr (Q == Query::InvalidateSet) {
        l1d_.invalidate_set(subject);
    } else if constexpr (Q == Query::AwaitReservation) {
        return backoff_.wait(argument);
    } else if constexpr (Q == Query::FailReservation) {
        backoff_.failed(argument);
    } else if constexpr (Q == Query::PassReservation) {
        backoff_.passed();
    } else if constexpr (Q == Query::JumpTarget) {
        return branches_.target(subject);
    } else if constexpr (Q == Query::PopReturn) {
        return branches_.pop_return();
    } else if constexpr (Q == Query::TopReturn) {
        return branches_.top_return();
    } else if constexpr (Q == Query::PushReturn) {
        branches_.push_return(subject);
    } else if constexpr (Q == Query::SendBranch) {
        branches_.send_branch(subject, static_cast<pes::BranchDirection>(argument));
    } else if constexpr (Q == Query::SendJump) {
        branches_.send_jump(subject, argument);
    } else if constexpr (Q == Query::UpdatesArrive) {
        branches_.arrive(subject);
    } else if constexpr (Q == Query::FlushBranches) {
        branches_.flush();
    } else if constexpr (Q == Query::ReadLine) {
        const Lookup lookup = l1d_.access(subject);
        if (lookup != Lookup::Hit) {
            refilled_ = l1d_.line(subject);
        }
        return static_cast<std::uint64_t>(lookup);
    } else if constexpr (Q == Query::ConflictingStore) {
        return stores_.conflicting(subject, argument);
    } else if constexpr (Q == Query::BufferedWord) {
        return stores_.find_word(subject, argument);
    } else if constexpr (Q == Query::BufferedLine) {
        return stores_.find_line(subject, argument);
    } else if constexpr (Q == Query::BufferedDevice) {
        return stores_.find_device(subject, argument);
    } else if constexpr (Q == Query::PushWrite) {
        return stores_.push(subject, argument);
    } else if constexpr (Q == Query::JoinWrite) {
        return stores_.join(subject, argument);
    } else {
        static_assert(Q == Query::DropWrite);
        stores_.drop(argument);
    }
    return 0;
}

} // namespace pes
