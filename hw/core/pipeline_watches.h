// SPDX-License-Identifier: Apache-2.0
// Who watches the pipeline of a hart. A watcher begins in its own cycle and may leave at any time.
#pragma once

#include "hw/core/observers.h"
#include "hw/core/truth/passage.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <vector>

namespace pes {

class PipelineWatches final : public PassageSink {
  public:
    /// From decode cycle `from` on.
    void add(HartObserver& observer, PassageSink& sink, Cycle from) {
        waiting_.push_back({.observer = &observer, .sink = &sink, .from = from});
        next_ = std::min(next_, from);
    }
    /// Not from within a call of its sink.
    void remove(const HartObserver& observer, Observers& observers) {
        const auto is_it = [&observer](const Watch& watch) { return watch.observer == &observer; };
        observers.remove(observer);
        std::erase_if(begun_, is_it);
        std::erase_if(waiting_, is_it);
        find_next();
    }

    /// The first decode cycle in which another one begins.
    Cycle next() const { return next_; }
    /// Those that are due in the decode cycle `now` begin.
    void begin(Cycle now, Observers& observers) {
        for (const Watch& watch : waiting_) {
            if (watch.from <= now) {
                observers.add(*watch.observer);
                begun_.push_back(watch);
            }
        }
        std::erase_if(waiting_, [now](const Watch& watch) { return watch.from <= now; });
        find_next();
    }
    /// Null while nobody has begun.
    PassageSink* sink() { return begun_.empty() ? nullptr : this; }

    void passed(const Passage& passage) override {
        for (const Watch& watch : begun_) {
            watch.sink->passed(passage);
        }
    }
    void discarded(const DiscardedPassage& passage) override {
        for (const Watch& watch : begun_) {
            watch.sink->discarded(passage);
        }
    }

  private:
    struct Watch {
        HartObserver* observer;
        PassageSink* sink;
        Cycle from;
    };

    void find_next() {
        next_ = kNever;
        for (const Watch& watch : waiting_) {
            next_ = std::min(next_, watch.from);
        }
    }

    std::vector<Watch> waiting_;
    std::vector<Watch> begun_;
    Cycle next_ = kNever; ///< of waiting_
};

} // namespace pes
