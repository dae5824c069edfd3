// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables.h"

#include <cstdlib>

namespace pes {

Tables::Tables(const TimingConfig& config)
    : l1i_(config.l1i), l1d_(config.l1d), branches_(config),
      line_shift_(static_cast<unsigned>(std::countr_zero(config.l1d.line_bytes / 8))) {}

std::uint64_t Tables::answer(Query query, std::uint64_t subject, std::uint64_t argument) {
    switch (query) {
    case Query::FetchLine:
        return answer<Query::FetchLine>(subject, argument);
    case Query::HasFetchLine:
        return answer<Query::HasFetchLine>(subject, argument);
    case Query::BranchDirection:
        return answer<Query::BranchDirection>(subject, argument);
    case Query::JumpTarget:
        return answer<Query::JumpTarget>(subject, argument);
    case Query::PopReturn:
        return answer<Query::PopReturn>(subject, argument);
    case Query::PushReturn:
        return answer<Query::PushReturn>(subject, argument);
    case Query::SendBranch:
        return answer<Query::SendBranch>(subject, argument);
    case Query::SendJump:
        return answer<Query::SendJump>(subject, argument);
    case Query::UpdatesArrive:
        return answer<Query::UpdatesArrive>(subject, argument);
    case Query::KnownFlow:
        return answer<Query::KnownFlow>(subject, argument);
    case Query::ReadLine:
        return answer<Query::ReadLine>(subject, argument);
    case Query::ConflictingStore:
        return answer<Query::ConflictingStore>(subject, argument);
    case Query::BufferedWord:
        return answer<Query::BufferedWord>(subject, argument);
    case Query::BufferedLine:
        return answer<Query::BufferedLine>(subject, argument);
    case Query::PushStore:
        return answer<Query::PushStore>(subject, argument);
    case Query::PushWrite:
        return answer<Query::PushWrite>(subject, argument);
    case Query::NextPc:
    case Query::QuotientBits:
    case Query::End:
        break;
    }
    std::abort(); // not a question to the tables
}

/// The words of one line are looked up one after the other; only the first lookup can miss.
std::uint64_t Tables::ask_on_tape(Query query, std::uint64_t subject, std::uint64_t argument) {
    if (query == Query::FetchLine) {
        const Address line = l1i_.line(subject);
        if (line == tape_->fetched_line_) {
            return static_cast<std::uint64_t>(Lookup::Hit);
        }
        tape_->fetched_line_ = line;
    }
    const std::size_t position = tape_->asked_.size();
    const std::uint64_t reply = position < tape_->given_.size() ? tape_->given_[position]
                                                                : answer(query, subject, argument);
    tape_->asked_.push_back({.query = query,
                             .operand = tape_->operand_,
                             .subject = subject,
                             .argument = argument,
                             .answer = reply});
    return reply;
}

} // namespace pes
