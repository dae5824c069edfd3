// SPDX-License-Identifier: Apache-2.0
// A log of the pipeline in the format Kanata 0004, for the viewer Konata: each instruction with its
// stages by cycle.
//
// The format wants all events in the order of cycles. Instructions come whole, in program order, so
// their events wait here until no thread can add an earlier one.
#pragma once

#include "hw/interface/types.h"
#include "platform/host/output_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pes {

struct KanataInstruction {
    struct Stage {
        Cycle from;
        const char* name;
    };
    enum class End : std::uint8_t { Retired, Flushed };

    unsigned thread = 0;
    std::string label;         ///< beside the picture
    std::string detail;        ///< under the mouse
    std::vector<Stage> stages; ///< at least one, each lasts until the next
    Cycle end = 0;             ///< first cycle without it
    End how = End::Retired;
};

class KanataWriter {
  public:
    KanataWriter(OutputFile& file, unsigned threads) : file_(file), started_(threads, 0) {}

    /// The first stages of a thread's instructions begin in ascending order.
    void add(KanataInstruction instruction);
    /// The thread adds nothing more.
    void end(unsigned thread);
    /// The run is over.
    void finish();
    /// Of all threads.
    std::uint64_t instructions() const { return order_; }

  private:
    /// An instruction of which not everything is written.
    struct Open {
        KanataInstruction instruction;
        std::uint64_t order;  ///< of instructions with events in the same cycle
        std::uint64_t id = 0; ///< in the file, once it is there
        std::size_t next = 0; ///< stage
        Cycle at() const {
            return next < instruction.stages.size() ? instruction.stages[next].from
                                                    : instruction.end;
        }
    };
    struct Later {
        bool operator()(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b) const {
            return a->at() != b->at() ? a->at() > b->at() : a->order > b->order;
        }
    };

    std::unique_ptr<Open> take_first();
    void drain(Cycle before);
    void advance_to(Cycle cycle);
    void write_stage(Open& open);
    void write_end(const Open& open);

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
