// SPDX-License-Identifier: Apache-2.0
// A LevelSink that remembers what it was told.
#pragma once

#include "hw/common/level.h"

#include <ostream>
#include <vector>

namespace pes::test {

struct LevelChange {
    unsigned line;
    bool level;
    Cycle at;
    bool operator==(const LevelChange&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const LevelChange& change) {
    return out << "line " << change.line << (change.level ? " high" : " low") << " at "
               << change.at;
}

class LevelRecorder : public LevelSink {
  public:
    void set_level(unsigned line, bool level, Cycle at) override {
        changes.push_back({line, level, at});
    }
    std::vector<LevelChange> changes;
};

} // namespace pes::test
