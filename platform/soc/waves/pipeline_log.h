// SPDX-License-Identifier: Apache-2.0
// A log of the pipeline: each instruction with the cycles of its way, in whatever format.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

struct LoggedInstruction {
    enum class End : std::uint8_t { Retired, Flushed };
    /// An instruction in the log; null where the log needs none.
    using Handle = std::shared_ptr<const std::uint64_t>;

    unsigned thread = 0;
    Address pc = 0;
    std::optional<std::uint32_t> raw{}; ///< none: it could not be fetched
    std::string text{};                 ///< its disassembly, if the log wants it
    std::string detail{};               ///< mode, waits, why it is flushed

    Cycle fetched = 0; ///< its fetch begins
    Cycle offered = 0; ///< by the fetch queue, from this cycle on
    Cycle decode = 0;
    Cycle issue = kNever;            ///< kNever: it is not issued
    std::optional<Cycle> request{};  ///< its translated address goes out
    std::optional<Cycle> complete{}; ///< it could retire, if it were the oldest
    Cycle last = 0;                  ///< in the pipeline
    End how = End::Retired;

    std::vector<Handle> producers{}; ///< of operands that it got from the pipeline
};

/// In place of the disassembly of one that could not be fetched.
inline constexpr const char* kNotFetched = "(not fetched)";

/// A stage lasts until the next one, the last until the instruction has left.
struct PipelineStage {
    Cycle from;
    const char* name;
};
/// docs/waveforms.md has their names.
std::vector<PipelineStage> stages_of(const LoggedInstruction& instruction);

class PipelineLog {
  public:
    PipelineLog() = default;
    PipelineLog(const PipelineLog&) = delete;
    PipelineLog& operator=(const PipelineLog&) = delete;
    virtual ~PipelineLog() = default;

    /// The fetches of a thread's instructions begin in ascending order.
    virtual LoggedInstruction::Handle add(LoggedInstruction instruction) = 0;
    /// The thread adds nothing more.
    virtual void end(unsigned thread) = 0;
    /// The run is over.
    virtual void finish() = 0;
    /// Of all threads.
    virtual std::uint64_t instructions() const = 0;
};

} // namespace pes
