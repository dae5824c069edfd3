// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/predictor.h"

#include <algorithm>

namespace pes {

Predictor::Predictor(const TimingConfig& config)
    : bht_(2 * std::size_t{config.bht_rows}), btb_(2 * std::size_t{config.btb_rows}),
      ras_(config.ras_entries) {}

BranchDirection Predictor::predict_branch(Address pc, BranchDirection cold, Cycle scan) {
    apply_before(scan);
    const History& entry = bht_[bht_index(pc)];
    if (!entry.valid) {
        return cold;
    }
    return entry.counter >= kWeaklyTaken ? BranchDirection::Taken : BranchDirection::NotTaken;
}

std::optional<Address> Predictor::predict_jump(Address pc, Cycle scan) {
    apply_before(scan);
    const Target& entry = btb_[btb_index(pc)];
    return entry.valid ? std::optional(entry.address) : std::nullopt;
}

std::optional<Address> Predictor::pop_return() {
    const Target top = ras_.front();
    if (!top.valid) {
        return std::nullopt;
    }
    std::shift_left(ras_.begin(), ras_.end(), 1);
    ras_.back() = Target{};
    return top.address;
}

void Predictor::push_return(Address link) {
    std::shift_right(ras_.begin(), ras_.end(), 1);
    ras_.front() = {.valid = true, .address = link};
}

void Predictor::update_branch(Address pc, BranchDirection outcome, Cycle resolved) {
    enqueue({.table = Update::Table::Branch, .outcome = outcome, .resolved = resolved, .pc = pc});
}

void Predictor::update_jump(Address pc, Address target, Cycle resolved) {
    enqueue({.table = Update::Table::Jump, .resolved = resolved, .pc = pc, .target = target});
}

/// Branches resolve in order, so a full queue may apply its oldest: no prediction that precedes it
/// can still come.
void Predictor::enqueue(const Update& update) {
    if (pending_end_ - pending_first_ == kPending) {
        apply(pending_[pending_first_++ % kPending]);
    }
    pending_[pending_end_++ % kPending] = update;
}

void Predictor::apply(const Update& update) {
    if (update.table == Update::Table::Jump) {
        btb_[btb_index(update.pc)] = {.valid = true, .address = update.target};
        return;
    }
    History& entry = bht_[bht_index(update.pc)];
    entry.valid = true;
    if (update.outcome == BranchDirection::Taken) {
        entry.counter = static_cast<std::uint8_t>(std::min(entry.counter + 1, 3));
    } else {
        entry.counter = static_cast<std::uint8_t>(std::max(entry.counter - 1, 0));
    }
}

void Predictor::flush() {
    std::fill(bht_.begin(), bht_.end(), History{.valid = false, .counter = kWeaklyTaken});
    std::fill(btb_.begin(), btb_.end(), Target{});
    std::fill(ras_.begin(), ras_.end(), Target{});
    pending_first_ = pending_end_ = 0;
}

} // namespace pes
