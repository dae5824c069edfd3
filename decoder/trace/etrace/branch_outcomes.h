// SPDX-License-Identifier: Apache-2.0
// Which way the next branches go, as packets have told it: the oldest ones by a branch map, then so
// many as the branch predictor says, then perhaps one that it does not say.
#pragma once

#include "hw/interface/trace/etrace/prediction.h"

namespace pes::trace::etrace {

class BranchOutcomes {
  public:
    explicit BranchOutcomes(const Parameters& parameters) : predictor_(parameters) {}

    /// What packets tell. At most one branch is left then, and it is in the map.
    void add(std::uint32_t map, unsigned branches) { ///< oldest in bit 0; 1 = not taken
        map_ |= std::uint64_t{map} << mapped_;
        mapped_ += branches;
    }
    void add_predicted(std::uint64_t branches, bool then_failed) {
        predicted_ = branches;
        failed_ = then_failed;
    }

    std::uint64_t left() const { return mapped_ + predicted_ + (failed_ ? 1 : 0); }
    /// The way of the next branch, which is at this address; left() is not 0.
    bool taken(Address branch) const {
        if (mapped_ != 0) {
            return (map_ & 1) == 0;
        }
        return predictor_.predicts_taken(branch) == (predicted_ != 0);
    }
    /// The next branch has been passed.
    void pass(Address branch, bool learns) {
        if (learns) {
            predictor_.learn(branch, taken(branch));
        }
        if (mapped_ != 0) {
            --mapped_;
            map_ >>= 1;
        } else if (predicted_ != 0) {
            --predicted_;
        } else {
            failed_ = false;
        }
    }
    /// The last branch that is left is the one at this address, before other packets tell of more.
    void place_last(Address branch) {
        if (mapped_ == 0 && left() == 1) {
            const bool not_taken = !taken(branch);
            clear();
            add(not_taken ? 1 : 0, 1);
        }
    }

    void clear() {
        map_ = 0;
        mapped_ = 0;
        predicted_ = 0;
        failed_ = false;
    }
    void reset_predictor() { predictor_.reset(); }

  private:
    std::uint64_t map_ = 0;
    unsigned mapped_ = 0;
    std::uint64_t predicted_ = 0;
    bool failed_ = false;
    BranchPredictor predictor_;
};

} // namespace pes::trace::etrace
