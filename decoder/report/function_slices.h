// SPDX-License-Identifier: Apache-2.0
// When which function was called and left, from the calls of a trace, as the page draws them: of a
// long trace only what is long enough to be seen.
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "platform/program/symbolizer.h"
#include "platform/report/run_report.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes {

class FunctionSlices final : public trace::CallListener {
  public:
    /// Slices that are kept, about: with more, the shortest are dropped.
    static constexpr std::size_t kMost = 20'000;

    explicit FunctionSlices(const Symbolizer& symbols) : symbols_(symbols) {}

    void entered(std::uint16_t source, const std::vector<trace::Frame>& frames) override;
    void left(std::uint16_t source, const std::vector<trace::Frame>& frames, trace::FrameEnd end,
              trace::FlowTime time) override;
    void ran(const trace::InstructionRun& run, const std::vector<trace::Frame>& frames) override;

    /// Closes what is open. Each slice comes before those within it.
    FunctionTimeline finish();

  private:
    struct Open {
        std::uint64_t number = 0; ///< in the order of calls
        std::uint64_t begin = 0;
        std::size_t name = 0;
    };
    struct Source {
        std::vector<Open> open;
        std::uint64_t time = 0; ///< the latest that was told
    };
    struct Kept {
        std::uint64_t number = 0;
        FunctionSlice slice;
    };

    std::uint64_t reach(Source& from, trace::FlowTime time);
    void close(std::uint16_t number, Source& from);
    std::size_t name_of(const trace::Frame& frame);

    const Symbolizer& symbols_;
    std::map<std::uint16_t, Source> sources_;
    std::map<std::string, std::size_t> name_numbers_;
    std::vector<std::string> names_;
    std::vector<Kept> kept_;
    std::uint64_t shortest_ = 1; ///< ticks
    std::uint64_t dropped_ = 0;
    std::uint64_t calls_ = 0;
};

} // namespace pes
