// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/library/counter_settings.h"

#include "hw/interface/pmu/profiles.h"

#include <charconv>
#include <utility>
#include <vector>

namespace pes {
namespace {

using Assignment = std::pair<std::string_view, std::string_view>;

std::string quoted(std::string_view text) {
    std::string result(1, '\'');
    return result.append(text).append(1, '\'');
}

std::string refusal(const Assignment& assignment, const std::string& expected) {
    std::string sentence = "counters.";
    return sentence.append(assignment.first)
        .append(" got ")
        .append(quoted(assignment.second))
        .append(", expected ")
        .append(expected);
}

/// Into assignments; the sentence about the first that is none.
std::string split(std::string_view text, std::vector<Assignment>& assignments) {
    constexpr std::string_view kSeparators = " ,;\t\r\n";
    constexpr std::string_view kPrefix = "counters.";
    for (;;) {
        const std::size_t begin = text.find_first_not_of(kSeparators);
        if (begin == std::string_view::npos) {
            return {};
        }
        text.remove_prefix(begin);
        std::string_view word = text.substr(0, text.find_first_of(kSeparators));
        text.remove_prefix(word.size());
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            return "settings have " + quoted(word) + ", expected KEY=VALUE";
        }
        std::string_view key = word.substr(0, equals);
        if (key.starts_with(kPrefix)) {
            key.remove_prefix(kPrefix.size());
        }
        assignments.emplace_back(key, word.substr(equals + 1));
    }
}

std::string set_number(const Assignment& assignment, unsigned least, unsigned most,
                       unsigned& number) {
    const std::string_view text = assignment.second;
    unsigned value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < least ||
        value > most) {
        return refusal(assignment, std::to_string(least) + " to " + std::to_string(most));
    }
    number = value;
    return {};
}

std::string set_switch(const Assignment& assignment, bool& flag) {
    if (assignment.second != "true" && assignment.second != "false") {
        return refusal(assignment, "true or false");
    }
    flag = assignment.second == "true";
    return {};
}

std::string set_profile(const Assignment& assignment, CounterConfig& config) {
    const PmuProfile* profile = find_profile(std::string(assignment.second).c_str());
    if (profile == nullptr) {
        std::string names;
        for (const PmuProfile* known : kProfiles) {
            names.append(names.empty() ? "" : ", ").append(known->name);
        }
        return refusal(assignment, "one of " + names);
    }
    config = counters_of(*profile);
    return {};
}

std::string set(const Assignment& assignment, CounterConfig& config) {
    const std::string_view key = assignment.first;
    if (key == "programmable") {
        return set_number(assignment, 0, kMaxProgrammable, config.programmable);
    }
    if (key == "width") {
        return set_number(assignment, kMinCounterWidth, kMaxCounterWidth, config.width);
    }
    if (key == "write_freezes") {
        return set_switch(assignment, config.write_freezes);
    }
    if (key == "sscofpmf") {
        return set_switch(assignment, config.sscofpmf);
    }
    if (key == "smcntrpmf") {
        return set_switch(assignment, config.smcntrpmf);
    }
    return "unknown setting " + quoted(key) +
           ", expected profile, programmable, width, write_freezes, sscofpmf or smcntrpmf";
}

} // namespace

std::string read_counter_settings(std::string_view text, CounterConfig& config) {
    std::vector<Assignment> assignments;
    std::string error = split(text, assignments);
    CounterConfig result = config;
    for (const bool profiles : {true, false}) {
        for (const Assignment& assignment : assignments) {
            const bool is_profile = assignment.first == "profile";
            if (error.empty() && is_profile == profiles) {
                error = is_profile ? set_profile(assignment, result) : set(assignment, result);
            }
        }
    }
    const bool shaped = result.profile->registers == RegisterSet::Hpm;
    if (error.empty() && !shaped &&
        (result.programmable != result.profile->programmable ||
         result.width != result.profile->width)) {
        error = "profile '" + std::string(result.profile->name) +
                "' has a shape of its own, "
                "expected neither programmable nor width";
    }
    if (error.empty()) {
        config = result;
    }
    return error;
}

} // namespace pes
