// SPDX-License-Identifier: Apache-2.0
// A log of the pipeline in the format Kanata 0004, for the viewer Konata: each instruction with its
// stages by cycle.
//
// The format wants all events in the order of cycles. Instructions come whole, in program order, so
// their events wait here until no thread can add an earlier one.
#pragma once

#include "platform/host/output_file.h"
#include "platform/soc/waves/pipeline_log.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pes {

class KanataWriter final : public PipelineLog {
  public:
    KanataWriter(OutputFile& file, unsigned threads) : file_(file), started_(threads, 0) {}

    LoggedInstruction::Handle add(LoggedInstruction instruction) override;
    void end(unsigned thread) override;
    void finish() override;
    std::uint64_t instructions() const override { return order_; }

  private:
    /// An instruction of which not everything is written.
    struct Open {
        LoggedInstruction instruction;
        std::vector<PipelineStage> stages;
        std::uint64_t order;               ///< of instructions with events in the same cycle
        std::shared_ptr<std::uint64_t> id; ///< in the file, once it is there
        std::size_t next = 0;              ///< stage
        bool told = false;                 ///< of its producers
        Cycle at() const { return next < stages.size() ? stages[next].from : instruction.last + 1; }
    };
    struct Later {
        bool operator()(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b) const {
            return a->at() != b->at() ? a->at() > b->at() : a->order > b->order;
        }
    };

    std::unique_ptr<Open> take_first();
    void drain(Cycle before);
    void advance_to(Cycle cycle);
    void write_begin(Open& open);
    void write_stage(Open& open);
    void write_producers(Open& open);
    void write_end(Open& open);

    OutputFile& file_;
    std::vector<Cycle> started_; ///< by thread: nothing earlier will come
    /// A heap: the next event is first.
    std::vector<std::unique_ptr<Open>> waiting_;
    std::uint64_t order_ = 0;
    std::uint64_t ids_ = 0;
    std::uint64_t retired_ = 0;
    Cycle now_ = kNever; ///< of the event written last; kNever: nothing is written
};

} // namespace pes
