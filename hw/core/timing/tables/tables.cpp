// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/tables.h"

#include <cstdlib>

namespace pes {

Tables::Tables(const TimingConfig& config)
    : l1i_(config.l1i), l1d_(config.l1d), branches_(config), stores_(config.l1d.line_bytes) {}

Tables::ComputedAccess::ComputedAccess(Tables& tables, const std::optional<RegisterValue>& address,
                                       const std::optional<Address>& physical)
    : tables_(tables), before_(tables.operand()) {
    if (address && tables_.on_tape()) {
        tables_.tape_->computed_operand();
        tables_.fact(Query::DataAt, address->offset, address->base, physical ? 1 : 0);
    }
}

void Tables::pair(Query query, const ValuePair& values, bool was) {
    if (tape_ == nullptr) {
        return;
    }
    const auto packed = values.packed();
    packed ? tape_->fact(query, packed->argument, was ? 1 : 0, packed->subject) : tape_->spoil();
}

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
    case Query::TopReturn:
        return answer<Query::TopReturn>(subject, argument);
    case Query::PushReturn:
        return answer<Query::PushReturn>(subject, argument);
    case Query::SendBranch:
        return answer<Query::SendBranch>(subject, argument);
    case Query::SendJump:
        return answer<Query::SendJump>(subject, argument);
    case Query::UpdatesArrive:
        return answer<Query::UpdatesArrive>(subject, argument);
    case Query::ReadLine:
        return answer<Query::ReadLine>(subject, argument);
    case Query::ConflictingStore:
        return answer<Query::ConflictingStore>(subject, argument);
    case Query::BufferedWord:
        return answer<Query::BufferedWord>(subject, argument);
    case Query::BufferedLine:
        return answer<Query::BufferedLine>(subject, argument);
    case Query::BufferedDevice:
        return answer<Query::BufferedDevice>(subject, argument);
    case Query::RefillLine:
        return answer<Query::RefillLine>(subject, argument);
    case Query::PushWrite:
        return answer<Query::PushWrite>(subject, argument);
    case Query::JoinWrite:
        return answer<Query::JoinWrite>(subject, argument);
    case Query::DropWrite:
        return answer<Query::DropWrite>(subject, argument);
    case Query::FlushBranches:
        return answer<Query::FlushBranches>(subject, argument);
    case Query::InvalidateCode:
        return answer<Query::InvalidateCode>(subject, argument);
    case Query::HasDataLine:
        return answer<Query::HasDataLine>(subject, argument);
    case Query::InvalidateSet:
        return answer<Query::InvalidateSet>(subject, argument);
    case Query::AwaitReservation:
        return answer<Query::AwaitReservation>(subject, argument);
    case Query::FailReservation:
        return answer<Query::FailReservation>(subject, argument);
    case Query::PassReservation:
        return answer<Query::PassReservation>(subject, argument);
    case Query::NextPc:
    case Query::Noted:
    case Query::CodeAt:
    case Query::CodePage:
    case Query::DeviceAccess:
    case Query::CounterRead:
    case Query::Walk:
    case Query::FloatUse:
    case Query::RegisterValue:
    case Query::SameWord:
    case Query::BranchTaken:
    case Query::DataAt:
    case Query::Apart:
    case Query::End:
        break;
    }
    std::abort(); // not a question to the tables
}

/// What follows from the answers before is not asked: a fetch of a line that is there hits.
std::uint64_t Tables::ask_on_tape(Query query, std::uint64_t subject, std::uint64_t argument) {
    if (asks_for_code(query)) {
        subject = l1i_.line_start(subject);
        const auto known = tape_->known_lines().present(l1i_.line(subject));
        if (query == Query::HasFetchLine && known) {
            return *known ? 1 : 0;
        }
        if (query == Query::FetchLine && known == true) {
            return 1;
        }
    }
    const std::optional<std::uint64_t> given = tape_->given();
    const std::uint64_t reply = given ? *given : answer(query, subject, argument);
    tape_->add(query, subject, argument, reply);
    if (asks_for_code(query)) {
        note_line(query, subject, reply);
    } else if (query == Query::InvalidateCode) {
        tape_->known_lines().clear();
    }
    return reply;
}

/// L1I has answered; a line that it has filled is there.
void Tables::note_line(Query query, Address physical, std::uint64_t reply) {
    KnownLines& lines = tape_->known_lines();
    const Address line = l1i_.line(physical);
    if (query == Query::HasFetchLine) {
        lines.add(line, reply != 0);
        return;
    }
    if (reply == 0) {
        lines.forget([&](Address other) { return l1i_.same_set(line, other); });
    }
    lines.add(line, true);
}

} // namespace pes
