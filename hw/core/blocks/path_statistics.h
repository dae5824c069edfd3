// SPDX-License-Identifier: Apache-2.0
// Which path the instructions of a hart took, and why the fast one was left: what to look at when a
// program simulates slowly. It says nothing about the guest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pes {

enum class LeftFor : std::uint8_t {
    NewCode,           ///< an instruction that has not been decoded yet
    SystemInstruction, ///< one that no block may have: most CSR writes, trap return
    CodePage,          ///< of the pc: not in the ITLB, or PMP does not treat it as a whole
    DataPage,          ///< not in the DTLB, and refuses the access or is not plain memory
    Trap,              ///< an instruction that traps
    Access,            ///< misaligned, refused by PMP, or to what depends on the cycle
    TimedCsr,          ///< a CSR read that waits for its cycle
    Limit,             ///< an interrupt, an edge of a counter or the horizon is near
    NotKept,           ///< a state or outcome that the memo cannot hold
    FullMemo,
    Avoided,  ///< not entered: there was too little to run here the last times
    Debugger, ///< a breakpoint, or an access to a page with watched memory
};

inline constexpr std::array<std::string_view, 12> kLeftForNames{
    "new_code", "system_instruction", "code_page", "data_page", "trap",    "access", "timed_csr",
    "limit",    "not_kept",           "full_memo", "avoided",   "debugger"};

struct PathStatistics {
    std::uint64_t in_blocks = 0; ///< instructions; the others were stepped
    std::uint64_t recorded = 0;  ///< of these, those that went through the pipeline all the same
    std::uint64_t blocks_replayed = 0;
    std::uint64_t blocks_recorded = 0;
    std::uint64_t nodes_looked_up = 0; ///< because the outcome did not know what follows
    std::uint64_t memo_cleared = 0;    ///< it was full, or FENCE.I
    std::uint64_t native_nodes = 0;    ///< times that native code was made for a block in a state
    std::uint64_t native_bytes = 0;    ///< of it
    std::array<std::uint64_t, kLeftForNames.size()> left{}; ///< times, index = LeftFor

    void leave(LeftFor reason) { ++left[static_cast<std::size_t>(reason)]; }
};

} // namespace pes
