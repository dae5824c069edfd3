// SPDX-License-Identifier: Apache-2.0
// The code of the traced program as the instruction flow needs it: each instruction is decoded
// once, into a table with an entry for every half-word that says how far control goes on in
// sequence from there and what it meets then. Memory: 12 bytes for each half-word of code.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pes::trace {

/// From one instruction up to and including the next that may leave the sequence.
struct CodeRun {
    std::uint16_t instructions = 0;       ///< 0: no instruction here
    std::uint16_t units = 0;              ///< half-words, as I-CNT counts them
    std::uint8_t length = 0;              ///< bytes of the first instruction
    std::uint8_t last_length : 3 = 0;     ///< bytes of the last instruction: 2 or 4
    bool constant : 1 = false;            ///< see InstructionFlow
    FlowKind kind = FlowKind::Sequential; ///< of the last instruction; Sequential: the run is cut
    LinkUse link = LinkUse::None;
    std::int32_t offset = 0; ///< of the target from the last instruction

    Address last(Address begin) const { return begin + 2 * Address{units} - last_length; }
    Address end(Address begin) const { return begin + 2 * Address{units}; }
    Address target(Address begin) const {
        return last(begin) + static_cast<Address>(static_cast<std::int64_t>(offset));
    }
};

struct CodeTraits {
    Xlen xlen = Xlen::Rv64;
    std::optional<std::uint64_t> context; ///< the process that has it; none: every one
};

class CodeSegment {
  public:
    CodeSegment(Address begin, std::span<const std::uint8_t> bytes, CodeTraits traits);

    Address begin() const { return begin_; }
    Address end() const { return begin_ + 2 * runs_.size(); }
    bool holds(Address pc) const { return (pc - begin_) / 2 < runs_.size(); }
    /// `pc` is held and even.
    const CodeRun& run(Address pc) const { return runs_[(pc - begin_) / 2]; }
    /// The instruction word; 16 bits if compressed.
    std::uint32_t word(Address pc) const;
    InstructionFlow flow(Address pc) const { return classify_flow(word(pc), traits_.xlen); }
    const CodeTraits& traits() const { return traits_; }

  private:
    Address begin_;
    std::vector<std::uint8_t> bytes_;
    std::vector<CodeRun> runs_;
    CodeTraits traits_;
};

class ProgramImage {
  public:
    /// Where segments overlap, the one that was added first counts.
    void add(Address begin, std::span<const std::uint8_t> bytes, CodeTraits traits = {});
    void add(ProgramImage&& other);

    /// Null if this context has no code at this address; an unknown one (none) has all. Not for
    /// addresses where no instruction starts: see CodeRun::instructions.
    const CodeSegment* find(Address pc, std::optional<std::uint64_t> context = std::nullopt) const;
    bool empty() const { return segments_.empty(); }
    const std::vector<CodeSegment>& segments() const { return segments_; }

  private:
    std::vector<CodeSegment> segments_;
};

} // namespace pes::trace
