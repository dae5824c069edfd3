// SPDX-License-Identifier: Apache-2.0
#include "firmware/pes/throttle.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/clint.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform.h"

namespace pes {

namespace {

constexpr uint64_t kClocks = 1U << kCycleIndex | 1U << kInstretIndex;

uint64_t time_now() {
    return read_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtime);
}

} // namespace

void Throttle::reset() {
    credit_ = kMost;
    away_ = false;
}

void Throttle::leave(uint32_t sampled, Way way) {
    away_ = true;
    way_ = way;
    timed_ = (read_csr<csr::kMcountinhibit>() & ~uint64_t{sampled} & kClocks) == kClocks;
    time_ = timed_ ? time_now() : 0;
    cycle_ = read_csr<csr::kMcycle>();
    instret_ = read_csr<csr::kMinstret>();
}

void Throttle::enter(Way way) {
    if (!away_) {
        return;
    }
    away_ = false;
    uint64_t progress = read_csr<csr::kMinstret>() - instret_;
    const uint64_t waited = (read_csr<csr::kMcycle>() - cycle_) / kSlow;
    progress = waited > progress ? waited : progress;
    progress = timed_ ? time_now() - time_ : progress;
    const uint64_t spent = (way == Way::Call ? kWay : 0) + (way_ == Way::Call ? kWay : 0);
    progress = progress > spent ? progress - spent : 0;
    const auto room = static_cast<uint64_t>(kMost - credit_);
    credit_ += static_cast<int64_t>(progress < room ? progress : room);
}

uint64_t Throttle::next_period(uint64_t present, uint64_t wanted, uint64_t longest) {
    credit_ = credit_ > 0 ? credit_ - kDistance : -kDistance;
    if (credit_ < 0) {
        return present <= longest / 2 ? present * 2 : present;
    }
    if (credit_ < kMost / 2 || present / 2 < wanted) {
        return credit_ < kMost / 2 ? present : wanted;
    }
    return present / 2;
}

} // namespace pes
