// SPDX-License-Identifier: Apache-2.0
// What encoder and decoder keep alike for packets of format 0 ("Branch prediction mode" and "Jump
// target cache mode" of the specification). Both sides start anew with every synchronising packet.
// Where the specification leaves a choice:
//
// * The branch that a synchronising packet tells is the first one that the new table learns.
// * The cache has the targets of JALR, C.JR and C.JALR that packets of formats 0 to 2 have told,
//   among them those of returns that were not predicted; not those of xRET.
#pragma once

#include "hw/interface/trace/etrace/packet.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace pes::trace::etrace {

/// Lowest bit of an address that an index has: bit 0 is always 0, and bit 1 without compressed
/// instructions.
constexpr unsigned index_shift(const Parameters& parameters) {
    return parameters.iaddress_lsb > 1 ? parameters.iaddress_lsb : 1;
}

/// A table of 2^bpred_size states of two bits: the prediction, and the last outcome (1 = taken).
/// A prediction changes when it has been wrong twice.
class BranchPredictor {
  public:
    explicit BranchPredictor(const Parameters& parameters)
        : states_(std::size_t{1} << parameters.bpred_size, kInitial),
          shift_(index_shift(parameters)) {}

    bool predicts_taken(Address branch) const {
        return (states_[index(branch)] & kPrediction) != 0;
    }
    void learn(Address branch, bool taken) {
        std::uint8_t& state = states_[index(branch)];
        if (taken) {
            state = state == kNeverTaken ? kInitial : kAlwaysTaken;
        } else {
            state = state == kAlwaysTaken ? kPrediction : kNeverTaken;
        }
    }
    void reset() { std::ranges::fill(states_, kInitial); }
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive.fixed(states_);
    }

  private:
    static constexpr std::uint8_t kNeverTaken = 0;
    static constexpr std::uint8_t kInitial = 1;    ///< not taken, though the last one was
    static constexpr std::uint8_t kPrediction = 2; ///< taken, though the last one was not
    static constexpr std::uint8_t kAlwaysTaken = 3;

    std::size_t index(Address branch) const { return branch >> shift_ & (states_.size() - 1); }

    std::vector<std::uint8_t> states_;
    unsigned shift_;
};

/// 2^cache_size addresses, each at the place that its low bits say.
class JumpTargetCache {
  public:
    explicit JumpTargetCache(const Parameters& parameters)
        : targets_(std::size_t{1} << parameters.cache_size, kNone),
          shift_(index_shift(parameters)) {}

    std::uint32_t index(Address target) const {
        return static_cast<std::uint32_t>(target >> shift_ & (targets_.size() - 1));
    }
    bool holds(Address target) const { return targets_[index(target)] == target; }
    std::optional<Address> at(std::uint32_t index) const {
        return index >= targets_.size() || targets_[index] == kNone
                   ? std::nullopt
                   : std::optional(targets_[index]);
    }
    void store(Address target) { targets_[index(target)] = target; }
    void reset() { std::ranges::fill(targets_, kNone); }
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive.fixed(targets_);
    }

  private:
    static constexpr Address kNone = 1; ///< no instruction has an odd address

    std::vector<Address> targets_;
    unsigned shift_;
};

} // namespace pes::trace::etrace
