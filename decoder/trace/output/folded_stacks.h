// SPDX-License-Identifier: Apache-2.0
// Folded stacks, the input of flame graphs: a line "main;work;sort 1234" for each stack of calls,
// with what was spent in its innermost function itself.
//
// With performance records, what a counter (or the time) has gone on by between two records of a
// source belongs to the stack that stood in between. A manual or timer record adds the function
// that it interrupted. With the instruction flow, each run belongs to the stack that it ran in,
// with events the time between two of them. A PC sample adds the function that it found.
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "decoder/trace/program/code_places.h"
#include "decoder/trace/records/perf_records.h"

#include <map>
#include <optional>
#include <ostream>
#include <utility>

namespace pes::trace {

struct FoldedWeight {
    enum class Of : std::uint8_t {
        Time,         ///< ticks of the timestamps
        Counter,      ///< of performance records
        Instructions, ///< of the instruction flow
        Samples,      ///< of the pc
    };

    Of of = Of::Time;
    unsigned counter = 0;
};

class FoldedStacks : public PerfRecordSink, public CallListener {
  public:
    /// `places` null: functions are addresses.
    FoldedStacks(CodePlaces* places, FoldedWeight weight) : places_(places), weight_(weight) {}

    // As the listener of records, ahead of the RecordCalls that tells of their calls.
    void header(std::uint16_t number, const PerfHeader& header, TraceTime time) override;
    void record(const PerfRecord& record) override;
    void lost(std::uint16_t number, const PerfLoss& loss) override;

    void entered(std::uint16_t number, const std::vector<Frame>& frames) override;
    void left(std::uint16_t number, const std::vector<Frame>& frames, FrameEnd end,
              FlowTime time) override;
    void interrupted(std::uint16_t number) override { source(number).last.reset(); }
    void ran(const InstructionRun& run, const std::vector<Frame>& frames) override;

    /// A PC sample, behind the calls in front of it.
    void sample(std::uint16_t number, Address address);

    bool empty() const;
    /// All lines: a stack before those that go on from it, these by name. With several sources
    /// "source <n>" is the outermost name.
    ///
    /// A line names every caller, so lines of deep recursion grow with the square of its depth. If
    /// they would fill more than about `most_bytes`, stacks below some depth count as part of their
    /// caller at that depth. Returns how many do.
    std::uint64_t write(std::ostream& out, std::uint64_t most_bytes = kMostBytes) const;

    static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

  private:
    static constexpr std::size_t kMostNodes = std::size_t{1} << 20;

    struct Node {
        std::size_t parent = 0;
        Address function = 0;             ///< where it begins; of a root the source
        const Function* symbol = nullptr; ///< the same, if a program names it
        std::uint64_t weight = 0;
    };
    /// Programs of different processes may have functions at one address.
    struct Callee {
        Address address = 0;
        const Function* symbol = nullptr;

        auto operator<=>(const Callee&) const = default;
    };
    struct Source {
        std::uint16_t number = 0;
        std::vector<std::size_t> path;     ///< nodes of the open calls, the root first
        std::optional<std::uint64_t> last; ///< what was weighed at the last record
    };

    struct Tree;

    Tree tree(std::uint64_t most_bytes) const;
    std::size_t deepest_within(const Tree& tree, std::uint64_t most_bytes) const;
    void cut_below(Tree& tree, std::size_t deepest) const;
    Source& source(std::uint16_t number);
    std::size_t child(std::size_t parent, const Callee& callee);
    /// The innermost call of the source, or what runs in its place at `address`.
    std::size_t node_at(const Source& from, Address address);
    Callee function_at(const Source& from, Address address) const;
    std::optional<std::uint64_t> weigh(const PerfRecord& record, Source& from) const;
    static std::optional<std::uint64_t> passed(TraceTime time, Source& from);
    static std::string name(const Node& node);
    std::string root_name(const Node& root) const;

    CodePlaces* places_; ///< null: addresses are their own names
    FoldedWeight weight_;
    std::vector<Node> nodes_;
    std::map<std::pair<std::size_t, Callee>, std::size_t> children_;
    std::map<std::uint16_t, Source> sources_;
};

} // namespace pes::trace
