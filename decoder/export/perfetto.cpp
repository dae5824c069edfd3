// SPDX-License-Identifier: Apache-2.0
// Perfetto's trace (github.com/google/perfetto/protos/perfetto/trace/trace.proto): each event is a
// sequence of packets, first one with all that its samples refer to by number (interned data), then
// one for each sample. The harts are threads of one process. Field numbers are those of the .proto
// files.
#include "decoder/export/formats.h"
#include "decoder/export/protobuf.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>
#include <unordered_map>

namespace pes {
namespace {

constexpr std::uint64_t kProcess = 1;

/// Thread 0 would be the idle one.
std::uint64_t thread_of(std::uint32_t hart) {
    return std::uint64_t{hart} + 1;
}

void write_packet(OutputFile& file, const ProtobufMessage& packet) {
    file.write(ProtobufMessage().message(1, packet).wire());
}

/// Names, files, frames and call stacks, each under a number from 1.
class InternedData {
  public:
    explicit InternedData(const ExportData& data) : data_(data) {}

    std::uint64_t stack(std::size_t index) {
        const auto [known, is_new] = stacks_.try_emplace(index, stacks_.size() + 1);
        if (is_new) {
            std::vector<std::uint64_t> frames;
            for (const std::size_t place : data_.stacks()[index] | std::views::reverse) {
                frames.push_back(frame(place));
            }
            ProtobufMessage stack;
            stack.number(1, known->second);
            for (const std::uint64_t each : frames) {
                stack.number(2, each); // proto2 does not pack
            }
            message_.message(7, stack);
        }
        return known->second;
    }

    const ProtobufMessage& message() const { return message_; }

  private:
    using Numbers = std::unordered_map<std::string, std::uint64_t>;

    std::uint64_t string(Numbers& numbers, unsigned field, const std::string& text) {
        const auto [known, is_new] = numbers.try_emplace(text, numbers.size() + 1);
        if (is_new) {
            message_.message(field, ProtobufMessage().number(1, known->second).bytes(2, text));
        }
        return known->second;
    }

    std::uint64_t frame(std::size_t index) {
        const auto [known, is_new] = frames_.try_emplace(index, frames_.size() + 1);
        if (is_new) {
            const RowPlace& place = data_.place(index);
            const auto [mapping, begin] = mapping_of(place.program);
            ProtobufMessage frame;
            frame.number(1, known->second);
            frame.number(2, string(functions_, 5, function_name(place)));
            frame.number(3, mapping).any_number(4, place.address - begin);
            if (!place.file.empty()) {
                frame.number(5, string(files_, 18, place.file)).number(6, place.line);
            }
            message_.message(6, frame);
        }
        return known->second;
    }

    struct Mapping {
        std::uint64_t number;
        Address begin;
    };

    /// An address of no program has one of its own, at 0.
    Mapping mapping_of(const std::string& path) {
        const auto program = std::ranges::find(data_.programs(), path, &ElfProgram::path);
        const bool is_known = program != data_.programs().end();
        const auto [begin, end] =
            is_known ? program->code_range() : std::pair{Address{0}, ~Address{0}};
        const auto [known, is_new] = mappings_.try_emplace(path, mappings_.size() + 1);
        if (is_new) {
            ProtobufMessage mapping;
            mapping.number(1, known->second).number(4, begin).number(5, end);
            for (const auto& part : std::filesystem::path(is_known ? path : "(no program)")) {
                if (part != "/") {
                    mapping.number(7, string(paths_, 17, part.string()));
                }
            }
            message_.message(19, mapping);
        }
        return {known->second, begin};
    }

    const ExportData& data_;
    ProtobufMessage message_;
    Numbers functions_;
    Numbers files_;
    Numbers paths_;
    Numbers mappings_;
    std::unordered_map<std::size_t, std::uint64_t> frames_;
    std::unordered_map<std::size_t, std::uint64_t> stacks_;
};

/// One event.
class Sequence {
  public:
    Sequence(const ExportData& data, std::size_t event)
        : data_(data), event_(event), interned_(data) {}

    /// All samples, before anything is written.
    void prepare(const ExportedSample& sample) {
        interned_.stack(sample.stack);
        if (!period_) {
            period_ = sample.weight;
        }
    }

    void write_first(OutputFile& file) const {
        const auto message = [](unsigned field, const ProtobufMessage& content) {
            return ProtobufMessage().message(field, content);
        };
        ProtobufMessage first = packet(kStateCleared);
        first.number(87, 1); // of this sequence
        first.message(59, message(12, message(1, timebase())));
        write_packet(file, first.message(12, interned_.message()));
    }

    void write_sample(OutputFile& file, const ExportedSample& sample) {
        const SampleRecord& record = sample.record;
        std::uint64_t& count = counts_[record.hart];
        count = saturating_sum(count, sample.weight);
        ProtobufMessage message;
        message.any_number(1, record.hart).number(2, kProcess).number(3, thread_of(record.hart));
        message.number(4, interned_.stack(sample.stack)).number(5, cpu_mode(record.privilege));
        write_at(file, record, message.any_number(6, count));
    }

    /// Before this sample.
    void write_loss(OutputFile& file, const SampleRecord& record, std::uint64_t lost) const {
        write_at(file, record, ProtobufMessage().any_number(1, record.hart).number(17, lost));
    }

  private:
    enum SequenceFlags : std::uint64_t { kStateCleared = 1, kNeedsState = 2 };

    void write_at(OutputFile& file, const SampleRecord& record,
                  const ProtobufMessage& message) const {
        const std::uint64_t time = data_.nanoseconds(record.cycle);
        write_packet(file, packet(kNeedsState).any_number(8, time).message(66, message));
    }

    ProtobufMessage packet(SequenceFlags flags) const {
        ProtobufMessage packet;
        packet.number(10, event_ + 1).number(13, flags);
        return packet;
    }

    ProtobufMessage timebase() const {
        constexpr std::uint64_t kCycles = 10;
        constexpr std::uint64_t kInstructions = 11;
        constexpr std::uint64_t kRaw = 4;
        const ExportedEvent& event = data_.events()[event_];
        ProtobufMessage timebase;
        timebase.number(1, period_.value_or(0)).bytes(10, event.name);
        switch (event.id.kind) {
        case CounterKind::Cycles:
            return timebase.number(4, kCycles);
        case CounterKind::Instret:
            return timebase.number(4, kInstructions);
        case CounterKind::Programmable:
            break;
        }
        return timebase.message(5, ProtobufMessage().number(1, kRaw).number(2, event.id.selector));
    }

    /// Machine mode is what is below the kernel.
    static std::uint64_t cpu_mode(std::uint8_t privilege) {
        constexpr std::uint64_t kKernel = 1;
        constexpr std::uint64_t kUser = 2;
        constexpr std::uint64_t kHypervisor = 3;
        return privilege == 0 ? kUser : privilege == 1 ? kKernel : kHypervisor;
    }

    const ExportData& data_;
    std::size_t event_;
    InternedData interned_;
    std::optional<std::uint64_t> period_;           ///< of the first sample
    std::map<std::uint32_t, std::uint64_t> counts_; ///< events so far, by hart
};

/// Names of process and threads.
void write_process(OutputFile& file, const ExportData& data) {
    std::set<std::uint32_t> harts;
    for (const ExportedSample& sample : data.samples()) {
        harts.insert(sample.record.hart);
    }
    ProtobufMessage process;
    process.number(1, kProcess).bytes(3, data.programs().front().path());
    ProtobufMessage tree;
    tree.message(1, process);
    for (const std::uint32_t hart : harts) {
        ProtobufMessage thread;
        thread.number(1, thread_of(hart)).bytes(2, "hart " + std::to_string(hart));
        tree.message(2, thread.number(3, kProcess));
    }
    write_packet(file, ProtobufMessage().number(10, data.events().size() + 1).message(2, tree));
}

} // namespace

void export_perfetto(OutputFile& file, ExportData& data) {
    std::vector<Sequence> sequences;
    for (std::size_t event = 0; event < data.events().size(); ++event) {
        sequences.emplace_back(data, event);
    }
    for (const ExportedSample& sample : data.samples()) {
        sequences[sample.event].prepare(sample);
    }
    write_process(file, data);
    for (const Sequence& sequence : sequences) {
        sequence.write_first(file);
    }
    std::map<std::uint32_t, std::uint64_t> lost_by_hart;
    for (const ExportedSample& sample : data.samples()) {
        const SampleRecord& record = sample.record;
        std::uint64_t& before = lost_by_hart[record.hart];
        if (record.lost != before) { // falls where another run begins
            sequences[sample.event].write_loss(
                file, record, record.lost > before ? record.lost - before : record.lost);
        }
        before = record.lost;
        sequences[sample.event].write_sample(file, sample);
    }
}

} // namespace pes
