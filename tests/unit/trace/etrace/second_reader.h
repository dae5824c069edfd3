// SPDX-License-Identifier: Apache-2.0
// A second reader of E-Trace, to judge the first: payloads bit by bit out of the tables of the
// specification, and the instructions by the pseudo code of its chapter "Decoder", which has
// neither a return stack nor optional packets. It shares no code with hw/interface/trace/etrace and
// decoder/trace/etrace, and only the classification of instructions with anything else.
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
    /// one; the addresses are 64 bits wide, causes 6, and irdepth has 6.
    void read(std::span<const std::uint8_t> bytes, unsigned timestamp_bytes);

    std::vector<Address> retired; ///< "report_pc"
    std::string error;            ///< of the pseudo code; empty: none

  private:
    /// The fields of a packet by their names.
    using Fields = std::map<std::string, std::uint64_t>;

    static Fields fields_of(std::span<const std::uint8_t> payload);
    void process_te_inst(const Fields& te_inst);
    void process_support(const Fields& te_inst);
    void follow_execution_path(Address address, const Fields& te_inst);
    bool next_pc(Address address);
    bool unprocessed_branches(Address pc);
    bool is_branch(Address pc);
    bool is_discontinuity(Address pc);
    bool is_return_from_trap(Address pc);
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
    std::uint64_t privilege_ = 0;
};

} // namespace pes::trace::test
