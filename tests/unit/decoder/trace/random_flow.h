// SPDX-License-Identifier: Apache-2.0
// Random programs, what a hart could do in them, and a plain encoder that follows the rules of
// N-Trace 1.0 (and SiFive's RCODE 8 and 9). It shares nothing with the encoder in hw/trace.
#pragma once

#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/timestamp.h"
#include "tests/unit/decoder/trace/flow_fixture.h"

#include <random>

namespace pes::trace::test {

struct EncoderSettings {
    enum class Mode : std::uint8_t { Branches, History };
    Mode mode = Mode::Branches;
    TimestampFormat timestamps;
    unsigned history_bits = 31;
    std::uint64_t count_limit = 512;
    std::uint64_t sync_messages = 20; ///< every so many messages one synchronises
    bool implicit_returns = false;
    unsigned losses_of_1000 = 0; ///< chance for each instruction
};

struct EncodedFlow {
    std::vector<TraceMessage> messages; ///< with times
    std::vector<std::uint64_t> times;
    /// The truth between a start and the next gap or stop, and how much of it the messages tell
    /// for certain.
    struct Segment {
        std::vector<std::string> words;
        std::size_t told = 0;
    };
    std::vector<Segment> segments;
    std::size_t instructions = 0;
};

class RandomProgram {
  public:
    RandomProgram(Address base, std::mt19937_64& random, unsigned instructions);

    void add_to(ProgramImage& image) const { image.add(base_, bytes_); }
    Address some_place(std::mt19937_64& random) const;
    InstructionFlow at(Address pc) const;
    bool holds(Address pc) const { return pc - base_ < bytes_.size(); }

  private:
    Address base_;
    std::vector<Address> places_;
    std::vector<std::uint8_t> bytes_;
};

/// Runs the program for about so many instructions and encodes it.
EncodedFlow encode_random_run(const RandomProgram& program, const EncoderSettings& settings,
                              std::mt19937_64& random, unsigned instructions);

/// Bytes of several sources' messages, in the order of their times; idle bytes between some.
std::string pack(const std::vector<EncodedFlow>& flows, unsigned source_bits,
                 TimestampFormat timestamps, std::mt19937_64& random);

} // namespace pes::trace::test
