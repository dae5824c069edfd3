// SPDX-License-Identifier: Apache-2.0
// Messages and a program -> the instructions that were executed, as simply as can be: it gathers
// messages up to one with I-CNT, and then walks. Knows nothing of the decoder.
#pragma once

#include "hw/interface/trace/message.h"
#include "hw/interface/types.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes::trace::test {

class ReferenceReader {
  public:
    enum class Returns : std::uint8_t { Reported, Implicit };

    ReferenceReader(const std::map<Address, std::uint32_t>& code, Returns returns)
        : code_(code), returns_(returns) {}

    /// What one message adds. `mistake` is not empty if it contradicts the program.
    void read(const TraceMessage& message);

    /// Addresses of instructions since the last call.
    std::vector<Address> take() { return std::exchange(executed_, {}); }
    /// Of the instruction that is next; 0 while nothing is known.
    Address pc() const { return pc_; }
    const std::string& mistake() const { return mistake_; }

  private:
    enum class LastBranch : std::uint8_t { NotTaken, Taken, InHistory };

    void play(const TraceMessage& message);
    void walk(std::uint64_t units, LastBranch last);
    Address step(Address pc, LastBranch last, bool is_last);
    void add_history(std::uint64_t history);
    void lose();
    void fail(const std::string& what);

    const std::map<Address, std::uint32_t>& code_;
    Returns returns_;
    Address pc_ = 0;
    Address reference_ = 0;
    std::uint64_t units_ = 0;            ///< of ResourceFull
    std::optional<TraceMessage> branch_; ///< that RepeatBranch repeats: the message before it
    std::vector<bool> history_;
    std::vector<Address> calls_;
    std::vector<Address> executed_;
    std::string mistake_;
};

} // namespace pes::trace::test
