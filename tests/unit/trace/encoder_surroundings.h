// SPDX-License-Identifier: Apache-2.0
// Stand-ins for what surrounds an encoder: sink, tracer and hart.
#pragma once

#include "hw/interface/maps/trace.h"
#include "hw/trace/encoder/encoder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes::trace::test {

using Bytes = std::vector<std::uint8_t>;

/// Takes nothing on its own: tests pull.
class FakeSink final : public SinkUnit, public MessageListener {
  public:
    void connect(MessageSource& source, SinkOwner& owner) override {
        source_ = &source;
        owner_ = &owner;
        source.set_listener(this);
    }
    std::vector<Register> registers() override {
        const auto address = [](std::string name, Address offset) {
            return Register{.name = std::move(name), .offset = offset, .write_mask = ~3U};
        };
        return {address("teSinkBase", trace_map::kSinkBase),
                address("teSinkBaseHigh", trace_map::kSinkBaseHigh),
                address("teSinkLimit", trace_map::kSinkLimit),
                address("teSinkWP", trace_map::kSinkWritePointer),
                address("teSinkRP", trace_map::kSinkReadPointer)};
    }
    std::uint32_t present() const override { return present_sinks; }
    std::uint32_t word_bytes() const override { return 8; }
    std::uint32_t select(std::uint32_t code, Cycle) override {
        const bool there = code == 0 || ((present_sinks >> code) & 1U) != 0;
        selected = there ? code : selected;
        return selected;
    }
    void on_wrap(OnWrap action) override { wrap_action = action; }
    void open() override { ++opened; }
    bool empty() const override { return is_empty; }
    bool error() const override { return has_error; }
    void clear_error() override { has_error = false; }
    void reset(Cycle) override {
        selected = 0;
        ++resets;
    }

    void message_ready(std::size_t bytes, Cycle at) override { ready.emplace_back(bytes, at); }
    void flush(Cycle at) override { flushes.push_back(at); }

    void wrap(Cycle at) { owner_->stop_on_wrap(at); }
    /// All messages that are ready at `at`.
    std::vector<Bytes> pull(Cycle at) {
        std::vector<Bytes> list;
        PackedMessage message;
        while (source_->pull(message, at)) {
            list.emplace_back(message.view().begin(), message.view().end());
        }
        return list;
    }

    std::uint32_t present_sinks = 1U << trace_map::sink::kSram | 1U << trace_map::sink::kMemory |
                                  1U << trace_map::sink::kFunnel;
    std::uint32_t selected = 0;
    OnWrap wrap_action = OnWrap::GoOn;
    bool is_empty = true;
    bool has_error = false;
    unsigned resets = 0;
    unsigned opened = 0;
    std::vector<std::pair<std::size_t, Cycle>> ready;
    std::vector<Cycle> flushes;

  private:
    MessageSource* source_ = nullptr;
    SinkOwner* owner_ = nullptr;
};

/// Writes down what it is told.
class FakeTracer final : public InstructionTracer {
  public:
    void configure(const InstructionTraceSettings& wanted) override { settings = wanted; }
    void set_filters(const TraceFilters& wanted) override { filters = wanted; }
    void start(SyncReason reason, Cycle at) override { note("start", reason, at); }
    void stop(CorrelationEvent reason, Cycle at) override {
        note("stop", reason, at);
        if (port != nullptr) {
            last_result = port->send(make_message(MessageCode::ProgramTraceCorrelation)
                                         .set(Field::EventCode, reason)
                                         .set(Field::DataFormat, 0)
                                         .set(Field::InstructionCount, 9),
                                     at);
        }
    }
    void synchronise(SyncReason reason, Cycle at) override { note("synchronise", reason, at); }
    void trigger(unsigned input, Cycle at) override { note("trigger", input, at); }
    std::vector<std::string> take() { return std::exchange(calls, {}); }

    InstructionTraceSettings settings;
    TraceFilters filters;
    std::vector<std::string> calls;
    MessagePort* port = nullptr; ///< if set, stop() sends a message
    std::optional<SendResult> last_result;

  private:
    template <typename Code>
    void note(const std::string& what, Code code, Cycle at) {
        calls.push_back(what + " " + std::to_string(static_cast<unsigned>(code)) + " @" +
                        std::to_string(at));
    }
};

/// A hart whose sink takes one message `pull_delay` cycles after the hart was held.
class FakeHart final : public TracedHart {
  public:
    explicit FakeHart(FakeSink& sink) : sink_(sink) {}

    void catch_up(Cycle at) override {
        catch_ups.push_back(at);
        if (sink_takes_on_catch_up) {
            keep(sink_.pull(at));
        }
    }
    Cycle wait_for_pull(Cycle at) override {
        waits.push_back(at);
        if (wrap_while_waiting) {
            sink_.wrap(at);
            return at;
        }
        if (!sink_pulls) {
            return kNever;
        }
        keep(sink_.pull(at + pull_delay));
        return at + pull_delay;
    }
    void stop_waiting(Cycle at) override { stops.push_back(at); }
    Address pc() const override { return pc_now; }

    Address pc_now = 0;
    Cycle pull_delay = 50;
    bool sink_takes_on_catch_up = false;
    bool sink_pulls = true;
    bool wrap_while_waiting = false;
    std::vector<Cycle> catch_ups, waits, stops;
    std::vector<Bytes> taken;

  private:
    void keep(const std::vector<Bytes>& list) {
        taken.insert(taken.end(), list.begin(), list.end());
    }

    FakeSink& sink_;
};

} // namespace pes::trace::test
