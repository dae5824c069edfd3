// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/tables.h"

namespace pes {

Tables::Tables(const TimingConfig& config)
    : l1i_(config.l1i), l1d_(config.l1d), branches_(config), stores_(config.l1d.line_bytes) {}

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
