// SPDX-License-Identifier: Apache-2.0
#include "decoder/skid/sample_join.h"

#include <algorithm>

namespace pes {
namespace {

constexpr std::size_t kWindow = 1024;

/// With an interrupt, in the order in which these were taken.
std::vector<std::size_t> delivered(std::span<const CrossingRecord> crossings) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        if (crossings[i].interrupt) {
            indices.push_back(i);
        }
    }
    std::ranges::stable_sort(indices, {},
                             [crossings](std::size_t i) { return crossings[i].interrupt->cycle; });
    return indices;
}

/// Positions of equal elements, ascending on both sides.
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The longest common subsequence of two short sequences.
Pairs common_subsequence(std::span<const Address> left, std::span<const Address> right) {
    const std::size_t width = right.size() + 1;
    std::vector<std::uint16_t> length((left.size() + 1) * width); // of what is from (i, j) on
    for (std::size_t i = left.size(); i-- > 0;) {
        for (std::size_t j = right.size(); j-- > 0;) {
            length[i * width + j] =
                left[i] == right[j]
                    ? static_cast<std::uint16_t>(length[(i + 1) * width + j + 1] + 1)
                    : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
        }
    }
    Pairs pairs;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        if (left[i] == right[j]) {
            pairs.emplace_back(i++, j++);
        } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return pairs;
}

Pairs pair_in_order(std::span<const Address> left, std::span<const Address> right) {
    Pairs pairs;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() && j < right.size()) {
        if (left[i] == right[j]) {
            pairs.emplace_back(i++, j++);
            continue;
        }
        const std::size_t left_size = std::min(kWindow, left.size() - i);
        const std::size_t right_size = std::min(kWindow, right.size() - j);
        const Pairs found =
            common_subsequence(left.subspan(i, left_size), right.subspan(j, right_size));
        // Pairs near the end of the window may not be the best ones: it is looked at anew there.
        std::size_t left_taken = left_size - left_size / 2;
        std::size_t right_taken = right_size - right_size / 2;
        bool any = false;
        for (const auto& [a, b] : found) {
            if (any && (a >= left_size - left_size / 2 || b >= right_size - right_size / 2)) {
                break;
            }
            pairs.emplace_back(i + a, j + b);
            left_taken = a + 1;
            right_taken = b + 1;
            any = true;
        }
        i += left_taken;
        j += right_taken;
    }
    return pairs;
}

} // namespace

void SampleJoin::add(std::span<const CrossingRecord> crossings,
                     std::span<const std::size_t> interrupts, std::span<const Address> addresses) {
    std::vector<Address> interrupted;
    for (const std::size_t i : interrupts) {
        interrupted.push_back(crossings[i].interrupt->pc);
    }
    const Pairs pairs = pair_in_order(interrupted, addresses);
    for (const auto& [left, right] : pairs) {
        sampled[interrupts[left]] = addresses[right];
    }
    samples += addresses.size();
    without_crossing += addresses.size() - pairs.size();
}

void RecordJoiner::add(const SampleRecord& record) {
    samples_[{record.hart, record.counter}].push_back(record.pc);
}

SampleJoin RecordJoiner::join(std::span<const CrossingRecord> crossings) const {
    std::map<std::pair<std::uint32_t, std::uint8_t>, std::vector<std::size_t>> interrupts;
    for (const std::size_t i : delivered(crossings)) {
        interrupts[{crossings[i].hart, crossings[i].counter}].push_back(i);
    }
    SampleJoin join(crossings.size());
    for (const auto& [counter, samples] : samples_) {
        join.add(crossings, interrupts[counter], samples);
    }
    return join;
}

SampleJoin join_addresses(std::span<const CrossingRecord> crossings,
                          std::span<const Address> samples) {
    SampleJoin join(crossings.size());
    join.add(crossings, delivered(crossings), samples);
    return join;
}

} // namespace pes
