// SPDX-License-Identifier: Apache-2.0
#include "platform/program/program_image.h"

#include <algorithm>
#include <iterator>

namespace pes::trace {
namespace {

constexpr unsigned kMostRunUnits = 0xFFF0; // longer stretches are cut; a cut costs nothing

std::uint32_t half_word(std::span<const std::uint8_t> bytes, std::size_t offset) {
    return static_cast<std::uint32_t>(bytes[offset] | bytes[offset + 1] << 8);
}

/// The word at a place with at least two bytes left; 0 (the defined illegal instruction) if it is
/// cut off.
std::uint32_t read_word(std::span<const std::uint8_t> bytes, std::size_t offset) {
    const std::uint32_t low = half_word(bytes, offset);
    if (instruction_length(low) == 2) {
        return low;
    }
    return offset + 4 <= bytes.size() ? low | half_word(bytes, offset + 2) << 16 : 0;
}

} // namespace

CodeSegment::CodeSegment(Address begin, std::span<const std::uint8_t> bytes, CodeTraits traits)
    : begin_(begin), bytes_(bytes.begin(), bytes.end()), runs_(bytes.size() / 2), traits_(traits) {
    for (std::size_t index = runs_.size(); index-- > 0;) {
        const std::uint32_t raw = read_word(bytes_, 2 * index);
        if ((raw & 0xFFFF) == 0) {
            continue; // illegal by definition: never retires
        }
        const InstructionFlow flow = classify_flow(raw, traits_.xlen);
        CodeRun& run = runs_[index];
        run.length = flow.length;
        const std::size_t behind = index + flow.length / 2;
        const CodeRun* rest = behind < runs_.size() ? &runs_[behind] : nullptr;
        if (flow.kind == FlowKind::Sequential && rest != nullptr && rest->instructions != 0 &&
            rest->units < kMostRunUnits) {
            const std::uint8_t length = run.length;
            run = *rest;
            run.length = length;
            run.instructions = static_cast<std::uint16_t>(run.instructions + 1);
            run.units = static_cast<std::uint16_t>(run.units + length / 2);
            continue;
        }
        run.instructions = 1;
        run.units = flow.length / 2;
        run.last_length = flow.length & 7;
        run.kind = flow.kind;
        run.link = flow.link;
        run.constant = flow.constant;
        run.offset = flow.offset;
    }
}

std::uint32_t CodeSegment::word(Address pc) const {
    return read_word(bytes_, static_cast<std::size_t>(pc - begin_) & ~std::size_t{1});
}

void ProgramImage::add(Address begin, std::span<const std::uint8_t> bytes, CodeTraits traits) {
    segments_.emplace_back(begin, bytes, traits);
}

void ProgramImage::add(ProgramImage&& other) {
    std::move(other.segments_.begin(), other.segments_.end(), std::back_inserter(segments_));
}

const CodeSegment* ProgramImage::find(Address pc, std::optional<std::uint64_t> context) const {
    const auto found =
        std::find_if(segments_.begin(), segments_.end(), [&](const CodeSegment& segment) {
            const auto& only = segment.traits().context;
            return segment.holds(pc) && (!only || !context || *only == *context);
        });
    return found == segments_.end() ? nullptr : &*found;
}

} // namespace pes::trace
