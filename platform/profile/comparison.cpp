// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <spdlog/fmt/fmt.h>
#include <string_view>
#include <utility>

namespace pes {
namespace {

constexpr const char* kNoName = ""; ///< of lines, whose functions are not known
using Places = std::set<std::string>;
using PlacesByName = std::map<std::string, Places>;

/// How many components two paths have in common at their ends.
std::size_t common_end(std::string_view one, std::string_view other) {
    std::size_t components = 0;
    while (!one.empty() && !other.empty()) {
        const auto last_of = [](std::string_view& path) {
            const std::size_t slash = path.rfind('/');
            const bool whole = slash == std::string_view::npos;
            const std::string_view last = whole ? path : path.substr(slash + 1);
            path = whole ? std::string_view() : path.substr(0, slash);
            return last;
        };
        if (last_of(one) != last_of(other)) {
            break;
        }
        ++components;
    }
    return components;
}

/// Which place of the run before is which one now. What could be one of several is none of them: it
/// is better to show a file twice than to add up two different ones.
class PlaceMatches {
  public:
    PlaceMatches(const PlacesByName& before, const PlacesByName& now) {
        for (const auto& [name, places] : before) {
            before_.insert(places.begin(), places.end());
        }
        for (const auto& [name, places] : now) {
            now_.insert(places.begin(), places.end());
        }
        match_equal();
        match_ends();
        match_renamed(before, now);
    }

    /// What the place is called now, or as before if it is in no way one of now.
    const std::string& now_of(const std::string& before) const {
        const auto match = matches_.find(before);
        return match == matches_.end() ? before : match->second;
    }

  private:
    void match(std::string before, std::string now) {
        before_.erase(before);
        now_.erase(now);
        matches_.emplace(std::move(before), std::move(now));
    }

    void match_equal() {
        for (const std::string& place : Places(before_)) {
            if (now_.contains(place)) {
                match(place, place);
            }
        }
    }

    /// Built in another folder. The longest ends come first, so that lib/list.c takes its partner
    /// before list.c looks for one.
    void match_ends() {
        std::map<std::size_t, std::vector<std::pair<std::string, std::string>>, std::greater<>>
            by_length;
        for (const std::string& before : before_) {
            for (const std::string& now : now_) {
                if (const std::size_t length = common_end(before, now)) {
                    by_length[length].emplace_back(before, now);
                }
            }
        }
        for (auto& [length, pairs] : by_length) {
            match_unique(pairs);
        }
    }

    /// Under another name: the functions that there is one of in both runs agree on the new place.
    void match_renamed(const PlacesByName& before, const PlacesByName& now) {
        std::set<std::pair<std::string, std::string>> pairs;
        for (const auto& [name, places] : before) {
            const auto other = now.find(name);
            if (name != kNoName && places.size() == 1 && other != now.end() &&
                other->second.size() == 1) {
                pairs.emplace(*places.begin(), *other->second.begin());
            }
        }
        match_unique({pairs.begin(), pairs.end()});
    }

    /// Of the pairs whose places are both free, those whose places are in no other one.
    void match_unique(std::vector<std::pair<std::string, std::string>> pairs) {
        std::erase_if(pairs, [this](const auto& pair) {
            return !before_.contains(pair.first) || !now_.contains(pair.second);
        });
        std::map<std::string, std::size_t> of_before, of_now;
        for (const auto& [before, now] : pairs) {
            ++of_before[before];
            ++of_now[now];
        }
        for (const auto& [before, now] : pairs) {
            if (of_before[before] == 1 && of_now[now] == 1) {
                match(before, now);
            }
        }
    }

    Places before_; ///< without a partner yet
    Places now_;
    std::map<std::string, std::string> matches_;
};

/// Rows by file and name.
using Rows = std::map<std::pair<std::string, std::string>, ComparedRow>;

ComparedRow& row_of(Rows& rows, const std::string& file, const std::string& name) {
    ComparedRow& row = rows[{file, name}];
    row.file = file;
    row.name = name;
    return row;
}

std::vector<ComparedRow> sorted(const Rows& rows) {
    std::vector<ComparedRow> list;
    for (const auto& [key, row] : rows) {
        if (row.before != 0 || row.now != 0) {
            list.push_back(row);
        }
    }
    std::ranges::stable_sort(list, std::ranges::greater{}, [](const ComparedRow& row) {
        return std::pair(std::abs(row.change()), row.now);
    });
    return list;
}

PlacesByName places_of(const RunCosts& run) {
    PlacesByName places;
    for (const RunCosts::OfFunction& function : run.functions) {
        places[function.name].insert(function.place);
    }
    return places;
}

std::vector<ComparedRow> compare_functions(const RunCosts& before, const RunCosts& now,
                                           const PlaceMatches& matches) {
    const PlacesByName old_places = places_of(before);
    const PlacesByName new_places = places_of(now);
    Rows rows;
    for (const RunCosts::OfFunction& function : now.functions) {
        row_of(rows, function.place, function.name).now += function.cycles;
    }
    for (const RunCosts::OfFunction& function : before.functions) {
        const auto other = new_places.find(function.name);
        const bool only = other != new_places.end() && other->second.size() == 1 &&
                          old_places.at(function.name).size() == 1;
        const std::string& place = only ? *other->second.begin() : matches.now_of(function.place);
        row_of(rows, place, function.name).before += function.cycles;
    }
    return sorted(rows);
}

/// A line is known by its text, which outlasts its number; where a run has not seen the texts of a
/// file, by its number.
std::vector<ComparedRow> compare_lines(const RunCosts& before, const RunCosts& now,
                                       const PlaceMatches& matches) {
    const auto with_texts = [](const RunCosts& run, const auto& name_of) {
        std::map<std::string, bool> files;
        for (const RunCosts::OfLine& line : run.lines) {
            bool& any = files[name_of(line.file)];
            any = any || !line.text.empty();
        }
        return files;
    };
    const auto as_before = [&matches](const std::string& file) { return matches.now_of(file); };
    const auto as_now = [](const std::string& file) { return file; };
    std::map<std::string, bool> texts = with_texts(before, as_before);
    for (const auto& [file, any] : with_texts(now, as_now)) {
        const auto [entry, added] = texts.try_emplace(file, any);
        entry->second = entry->second && any;
    }
    Rows rows;
    const auto add = [&rows, &texts](const RunCosts::OfLine& line, const std::string& file,
                                     double ComparedRow::*cycles) {
        const std::string number = fmt::format("line {}", line.number);
        const bool by_text = texts[file] && !line.text.empty();
        ComparedRow& row = row_of(rows, file, by_text ? line.text : number);
        row.*cycles += line.cycles;
    };
    for (const RunCosts::OfLine& line : now.lines) {
        add(line, line.file, &ComparedRow::now);
    }
    for (const RunCosts::OfLine& line : before.lines) {
        add(line, matches.now_of(line.file), &ComparedRow::before);
    }
    return sorted(rows);
}

/// The files of lines, and where functions are: inlined code is of files without a function.
PlacesByName all_places(const RunCosts& run) {
    PlacesByName places = places_of(run);
    for (const RunCosts::OfLine& line : run.lines) {
        places[kNoName].insert(line.file);
    }
    return places;
}

} // namespace

RunComparison compare_runs(const RunCosts& before, const RunCosts& now) {
    const PlaceMatches matches(all_places(before), all_places(now));
    RunComparison comparison{.before = before,
                             .now = now,
                             .functions = compare_functions(before, now, matches),
                             .lines = compare_lines(before, now, matches)};
    for (RunCosts* const run : {&comparison.before, &comparison.now}) {
        run->functions.clear();
        run->lines.clear();
    }
    return comparison;
}

std::string speed_text(std::uint64_t before, std::uint64_t now) {
    if (before == 0 || now == 0) {
        return before == now ? "as fast" : "not comparable";
    }
    const double ratio =
        static_cast<double>(std::max(before, now)) / static_cast<double>(std::min(before, now));
    constexpr double kLarge = 100, kMiddle = 10, kSmall = 1.1, kSeen = 1.0005;
    if (ratio < kSeen) {
        return "as fast";
    }
    const int digits = ratio >= kLarge ? 0 : ratio >= kMiddle ? 1 : ratio >= kSmall ? 2 : 3;
    return fmt::format("{:.{}f} times {}", ratio, digits, now < before ? "faster" : "slower");
}

} // namespace pes
