// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/fuzz/shrink.h"

#include <algorithm>

namespace pes::cycle_fuzz {
namespace {

class Shrinker {
  public:
    Shrinker(Program program, const Shows& shows, unsigned budget)
        : best_(std::move(program)), shows_(shows), budget_(budget) {}

    Program run(bool passes) {
        if (!passes) {
            Program once = best_;
            once.passes = 1;
            keep_if_it_shows(std::move(once));
        }
        cut_the_end();
        leave_out();
        split_into_lines();
        leave_out();
        return std::move(best_);
    }

  private:
    bool keep_if_it_shows(Program program) {
        if (budget_ == 0) {
            return false;
        }
        --budget_;
        if (!shows_(program)) {
            return false;
        }
        best_ = std::move(program);
        return true;
    }

    /// What runs behind a difference has no part in it.
    void cut_the_end() {
        std::size_t low = 0; // does not show it
        std::size_t high = best_.units.size();
        while (low + 1 < high && budget_ > 0) {
            const std::size_t middle = (low + high) / 2;
            Program cut = best_;
            cut.units.resize(middle);
            (keep_if_it_shows(std::move(cut)) ? high : low) = middle;
        }
    }

    /// Ever smaller pieces, each from the end to the beginning.
    void leave_out() {
        for (std::size_t piece = std::max<std::size_t>(best_.units.size() / 2, 1);; piece /= 2) {
            for (std::size_t end = best_.units.size(); end > 0 && budget_ > 0;) {
                const std::size_t begin = end > piece ? end - piece : 0;
                Program rest = best_;
                rest.units.erase(rest.units.begin() + static_cast<std::ptrdiff_t>(begin),
                                 rest.units.begin() + static_cast<std::ptrdiff_t>(end));
                keep_if_it_shows(std::move(rest));
                end = begin;
            }
            if (piece <= 1 || budget_ == 0) {
                return;
            }
        }
    }

    void split_into_lines() {
        std::vector<std::string> lines;
        for (const std::string& unit : best_.units) {
            std::string prefix = "\t.option norvc\n";
            for (std::size_t at = 0; at < unit.size();) {
                const std::size_t end = unit.find('\n', at) + 1;
                const std::string line = unit.substr(at, end - at);
                if (line.starts_with("\t.option")) {
                    prefix = line;
                } else if (!line.starts_with("\t#")) {
                    lines.push_back(prefix + line);
                }
                at = end;
            }
        }
        best_.units = std::move(lines);
    }

    Program best_;
    const Shows& shows_;
    unsigned budget_;
};

} // namespace

Program shrink(const Program& program, const Shows& shows, unsigned budget, bool passes) {
    return Shrinker(program, shows, budget).run(passes);
}

} // namespace pes::cycle_fuzz
