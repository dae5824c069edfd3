// SPDX-License-Identifier: Apache-2.0
// A second reader of E-Trace, to judge the first: payloads bit by bit out of the tables of the
// specification, and the instructions by the pseudo code of its chapter "Decoder", line by line,
// return stack included; what is a call and what a return its chapter "Jump Classification" says,
// which has x5 as well. Packets of format 0, which the pseudo code does not have, are as the
// chapters "Branch prediction mode", "Jump target cache mode" and "Format 0 packets" have them. It
// shares no code with hw/interface/trace/etrace and decoder/trace/etrace, and only the
// classification of instructions with anything else.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pes::trace::test {

class SecondReader {
  public:
    explicit SecondReader(const std::map<Address, std::uint32_t>& code) : code_(code) {}

    /// A stream of one source without srcID, with timestamps of so many bytes where a packet has
    /// one; the addresses are 64 bits wide, causes 6, irdepth has 6; 64 predictor states, 32 jump
    /// targets, and a bit for the kind of format 0.
    void read(std::span<const std::uint8_t> bytes, unsigned timestamp_bytes);

    std::vector<Address> retired; ///< "report_pc"
    std::string error;            ///< of the pseudo code; empty: none
    unsigned branch_counts = 0;   ///< packets
    unsigned jump_targets = 0;    ///< packets
    unsigned implicit_returns = 0;

  private:
    /// The fields of a packet by their names.
    using Fields = std::map<std::string, std::uint64_t>;

    static Fields fields_of(std::span<const std::uint8_t> payload);
    void process_te_inst(const Fields& te_inst);
    void process_support(const Fields& te_inst);
    void follow_execution_path(Address address, const Fields& te_inst);
    void process_extension(const Fields& te_inst);
    bool next_pc(Address address);
    bool next_branch();
    std::size_t branches() const { return branch_map_.size() + counted_; }
    bool unprocessed_branches(Address pc);
    bool is_branch(Address pc);
    bool is_discontinuity(Address pc);
    bool is_return_from_trap(Address pc);
    bool is_implicit_return(Address pc);
    std::uint32_t instruction(Address pc);
    void fail(const char* what) { error = error.empty() ? what : error; }

    const std::map<Address, std::uint32_t>& code_;
    Address pc_ = 0;
    Address last_pc_ = 0;
    Address address_ = 0;
    std::vector<bool> branch_map_; ///< oldest first; true: not taken
    bool stop_at_last_branch_ = false;
    bool inferred_address_ = false;
    bool start_of_trace_ = true;
    bool full_address_ = false;
    bool predicts_ = false;
    bool implicit_return_ = false;
    const Fields* te_inst_ = nullptr;   ///< the packet that is being processed
    std::vector<Address> return_stack_; ///< its size is "irstack_depth"
    bool caches_ = false;
    std::uint64_t counted_ = 0; ///< branches behind the map that go by the predictor
    bool last_fails_ = false;   ///< the last of them does not
    std::map<unsigned, std::string> predictor_; ///< states of the specification; else "01"
    std::map<unsigned, Address> jump_targets_;
    std::uint64_t privilege_ = 0;
};

} // namespace pes::trace::test
