// SPDX-License-Identifier: Apache-2.0
// A log of the pipeline in the format of gem5's debug flag O3PipeView, for Konata and gem5's
// util/o3-pipeview.py.
#pragma once

#include "platform/host/output_file.h"
#include "platform/soc/waves/pipeline_log.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace pes {

class O3Writer final : public PipelineLog {
  public:
    static constexpr std::uint64_t kTicks = 1000; ///< of a cycle, as the script of gem5 expects

    O3Writer(OutputFile& file, unsigned threads) : file_(file), threads_(threads) {}

    LoggedInstruction::Handle add(LoggedInstruction instruction) override;
    void end(unsigned thread) override;
    void finish() override;
    std::uint64_t instructions() const override { return added_; }

  private:
    /// Instructions wait here until no other thread can add one that was fetched earlier.
    struct Thread {
        Cycle started = 0; ///< nothing earlier will come
        std::deque<LoggedInstruction> waiting{};
    };

    void drain();
    void write(const LoggedInstruction& instruction);

    OutputFile& file_;
    std::vector<Thread> threads_;
    std::uint64_t added_ = 0;
    std::uint64_t numbers_ = 0; ///< of those in the file
};

} // namespace pes
