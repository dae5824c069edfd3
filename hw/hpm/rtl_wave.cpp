// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/rtl_wave.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace pes {
namespace {

constexpr unsigned kPartWidth = 64;
constexpr std::size_t kOwnLevel = 2; ///< the simulator's top scope, the block

/// The words of a declaration, separated by blanks.
template <std::size_t Count>
std::array<std::string_view, Count> words_of(std::string_view line) {
    std::array<std::string_view, Count> words;
    for (std::string_view& word : words) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        word = line.substr(0, line.find(' '));
        line.remove_prefix(word.size());
    }
    return words;
}

/// "value_o[3]" as "value_o(3)", which is how waveforms of the platform write an index.
std::string with_parentheses(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '[', '(');
    std::replace(text.begin(), text.end(), ']', ')');
    return text;
}

} // namespace

RtlWave::RtlWave(WaveSink& sink, std::string scope, RtlModel& model)
    : sink_(sink), scope_(std::move(scope)), model_(model) {
    model_.attach_dump([this](std::string_view text) { take(text); });
    model_.dump({}, 0);
    for (auto& [code, parts] : parts_) {
        for (Part& part : parts) {
            part.id = sink_.declare(kGroup, part.scope, part.name, part.width, part.published);
        }
    }
    declared_ = true;
}

void RtlWave::show(const RtlModel::Inputs& inputs, Cycle cycle) {
    // The cycle before the window is recorded too, so that no older change appears inside the
    // window.
    if (cycle + 1 >= sink_.window_from() && cycle < sink_.window_to()) {
        at_ = cycle;
        model_.dump(inputs, cycle);
    }
}

void RtlWave::take(std::string_view text) {
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
        line_ += text.substr(0, end);
        take_line(line_);
        line_.clear();
        text.remove_prefix(end + 1);
    }
    line_ += text;
}

void RtlWave::take_line(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (declared_ && line.starts_with('$')) {
        return; // once more, behind a restored state
    }
    if (line.starts_with("$scope")) { // $scope module NAME $end
        enter(words_of<3>(line)[2]);
    } else if (line.starts_with("$upscope")) {
        scopes_.pop_back();
    } else if (line.starts_with("$var")) { // $var wire WIDTH CODE NAME [RANGE] $end
        const auto words = words_of<5>(line);
        unsigned width = 0;
        std::from_chars(words[2].data(), words[2].data() + words[2].size(), width);
        add(words[3], words[4], width);
    } else if (line.starts_with('b')) { // bBITS CODE
        const auto words = words_of<2>(line.substr(1));
        update(words[1], words[0]);
    } else if (line.starts_with('0') || line.starts_with('1')) { // BIT CODE, without a blank
        update(line.substr(1), line.substr(0, 1));
    }
}

void RtlWave::enter(std::string_view module) {
    if (scopes_.size() + 1 < kOwnLevel) {
        scopes_.emplace_back();
    } else if (scopes_.size() + 1 == kOwnLevel) {
        scopes_.push_back(RtlModel::is_top(module) ? scope_ : std::string());
    } else {
        scopes_.push_back(scopes_.back().empty() ? std::string()
                                                 : scopes_.back() + '.' + with_parentheses(module));
    }
}

void RtlWave::add(std::string_view code, std::string_view name, unsigned width) {
    if (scopes_.empty() || scopes_.back().empty() || name == "clk_i") {
        return; // packages, and the pins once more
    }
    std::vector<Part>& parts = parts_[std::string(code)];
    for (unsigned low = 0; low < width; low += kPartWidth) {
        std::string text = with_parentheses(name);
        if (width > kPartWidth) {
            text += '(' + std::to_string(low / kPartWidth) + ')';
        }
        parts.push_back({.scope = scopes_.back(),
                         .name = std::move(text),
                         .low = low,
                         .width = std::min(width - low, kPartWidth)});
    }
}

void RtlWave::update(std::string_view code, std::string_view bits) {
    const auto found = parts_.find(code);
    if (found == parts_.end()) {
        return;
    }
    for (Part& part : found->second) {
        std::uint64_t value = 0;
        if (bits.size() > part.low) {
            const std::size_t end = bits.size() - part.low;
            const std::size_t width = std::min<std::size_t>(end, part.width);
            for (const char bit : bits.substr(end - width, width)) {
                value = value << 1 | (bit == '1' ? 1 : 0);
            }
        }
        if (value != part.published) {
            part.published = value;
            if (declared_) {
                sink_.change(part.id, at_, value);
            }
        }
    }
}

} // namespace pes
