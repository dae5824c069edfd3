// SPDX-License-Identifier: Apache-2.0
// The observers of retirements and traps. They may be added and removed at any time, also from
// within their own calls.
#pragma once

#include "hw/common/retirement.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace pes {

class Observers {
  public:
    bool empty() const { return list_.empty(); }
    /// The least of all (HartObserver::blocks_ahead).
    std::size_t blocks_ahead(Cycle at) const {
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (HartObserver* const observer : list_) {
            least = observer == nullptr ? least : std::min(least, observer->blocks_ahead(at));
        }
        return least;
    }
    void add(HartObserver& observer) { list_.push_back(&observer); }

    void remove(const HartObserver& observer) {
        const auto place = std::find(list_.begin(), list_.end(), &observer);
        if (place == list_.end()) {
            return;
        }
        if (telling_) {
            *place = nullptr;
            left_ = true;
        } else {
            list_.erase(place);
        }
    }

    /// Calls every observer, also those that are added by a call.
    template <typename Call>
    void tell(Call call) {
        telling_ = true;
        // NOLINTNEXTLINE(modernize-loop-convert): a call may add an observer and move the vector
        for (std::size_t index = 0; index < list_.size(); ++index) {
            if (list_[index] != nullptr) {
                call(*list_[index]);
            }
        }
        telling_ = false;
        if (left_) [[unlikely]] {
            left_ = false;
            std::erase(list_, nullptr);
        }
    }

  private:
    std::vector<HartObserver*> list_; ///< null: removed during a call
    bool telling_ = false;
    bool left_ = false; ///< some were removed while telling_
};

} // namespace pes
