// SPDX-License-Identifier: Apache-2.0
// The file that `perf record` writes and perf report, script and annotate read, as Linux describes
// it in tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h.
// Everything is user space of one process, whose threads are the harts: perf resolves user
// addresses in the files that are mapped there, but looks for a kernel's symbols in its own places.
#include "decoder/export/formats.h"
#include "platform/program/elf_code.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>
#include <string_view>

namespace pes {
namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::uint32_t kSampledProcess = 1;
constexpr std::size_t kHeaderSize = 104;
constexpr std::uint32_t kAttributeSize = 64;                       // its first version
constexpr std::uint64_t kAttributeEntrySize = kAttributeSize + 16; // with the place of its ids

enum class RecordType : std::uint32_t { Comm = 3, Sample = 9, Mmap2 = 10, LostSamples = 13 };
constexpr std::uint16_t kUserMode = 2; // misc of a record

enum Feature : unsigned { kArchitecture = 6, kEventNames = 12 };

// What a sample has.
constexpr std::uint64_t kSampleIp = 1 << 0;
constexpr std::uint64_t kSampleTid = 1 << 1;
constexpr std::uint64_t kSampleTime = 1 << 2;
constexpr std::uint64_t kSampleAddress = 1 << 3;
constexpr std::uint64_t kSampleCallChain = 1 << 5;
constexpr std::uint64_t kSampleCpu = 1 << 7;
constexpr std::uint64_t kSamplePeriod = 1 << 8;
constexpr std::uint64_t kSampleIdentifier = 1 << 16;

constexpr std::uint64_t kWithMmap = 1 << 8; // flags of an event
constexpr std::uint64_t kWithComm = 1 << 9;
constexpr std::uint64_t kWithOrigins = 1 << 18; // of records that are no samples
constexpr std::uint64_t kWithMmap2 = 1 << 23;

constexpr std::uint64_t kUserCallChain = ~std::uint64_t{0} - 511; // "what follows is user space"

class Bytes {
  public:
    Bytes& u16(std::uint16_t value) { return number(value, 2); }
    Bytes& u32(std::uint32_t value) { return number(value, 4); }
    Bytes& u64(std::uint64_t value) { return number(value, 8); }
    Bytes& add(const Bytes& more) {
        bytes_ += more.bytes_;
        return *this;
    }
    /// With an end, and filled up.
    Bytes& text(std::string_view text) {
        bytes_ += text;
        bytes_.append(kAlignment - text.size() % kAlignment, '\0');
        return *this;
    }
    /// With its length in front, as in the features of a file.
    Bytes& counted_text(std::string_view content) {
        const std::size_t size = (content.size() / kAlignment + 1) * kAlignment;
        return u32(static_cast<std::uint32_t>(size)).text(content);
    }

    std::size_t size() const { return bytes_.size(); }
    const std::string& bytes() const { return bytes_; }

  private:
    Bytes& number(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) {
            bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
        }
        return *this;
    }

    std::string bytes_;
};

class PerfData {
  public:
    PerfData(OutputFile& file, const ExportData& data) : file_(file), data_(data) {
        for (const ExportedSample& sample : data.samples()) {
            harts_.insert(sample.record.hart);
            with_stacks_ = with_stacks_ || sample.details;
            with_addresses_ =
                with_addresses_ || (sample.details && sample.details->data_address != 0);
        }
    }

    void write() {
        const Bytes attributes = attribute_section();
        const std::uint64_t begin = kHeaderSize + attributes.size();
        Bytes setup;
        add_threads(setup);
        add_mappings(setup);
        const std::uint64_t end = begin + setup.size() + size_of_samples();
        file_.write(header(begin, end).bytes());
        file_.write(attributes.bytes());
        file_.write(setup.bytes());
        each_sample_record([this](const Bytes& bytes) { file_.write(bytes.bytes()); });
        file_.write(features(end).bytes());
    }

  private:
    static Bytes record(RecordType type, std::uint16_t misc, const Bytes& content) {
        constexpr std::size_t kRecordHeader = 8;
        Bytes bytes;
        return bytes.u32(static_cast<std::uint32_t>(type))
            .u16(misc)
            .u16(static_cast<std::uint16_t>(kRecordHeader + content.size()))
            .add(content);
    }

    /// Thread 0 would be the idle one.
    static std::uint32_t thread_of(std::uint32_t hart) { return hart + 1; }

    /// Behind what is no sample; without it perf takes the records of several harts as they come.
    static Bytes origin(std::uint32_t thread, std::uint64_t time, std::uint32_t hart,
                        std::uint64_t event) {
        return Bytes().u32(kSampledProcess).u32(thread).u64(time).u32(hart).u32(0).u64(event + 1);
    }

    Bytes header(std::uint64_t begin, std::uint64_t end) const {
        Bytes bytes;
        bytes.u64(0x32454C4946524550); // "PERFILE2"
        bytes.u64(kHeaderSize).u64(kAttributeEntrySize);
        bytes.u64(kHeaderSize).u64(kAttributeEntrySize * data_.events().size());
        bytes.u64(begin).u64(end - begin);
        bytes.u64(0).u64(0); // no event types, which older files have
        bytes.u64(1 << kArchitecture | 1 << kEventNames).u64(0).u64(0);
        return bytes.u64(0);
    }

    Bytes attribute(std::size_t event) const {
        struct PerfEvent {
            std::uint32_t type;
            std::uint64_t config;
        };
        const EventId& id = data_.events()[event].id;
        constexpr std::uint32_t kHardware = 0;
        constexpr std::uint32_t kRaw = 4;
        const PerfEvent perf = id.kind == CounterKind::Cycles    ? PerfEvent{kHardware, 0}
                               : id.kind == CounterKind::Instret ? PerfEvent{kHardware, 1}
                                                                 : PerfEvent{kRaw, id.selector};
        const auto first = std::ranges::find(data_.samples(), event, &ExportedSample::event);
        Bytes bytes;
        bytes.u32(perf.type).u32(kAttributeSize).u64(perf.config).u64(first->weight);
        bytes.u64(kSampleIdentifier | kSampleIp | kSampleTid | kSampleTime | kSampleCpu |
                  kSamplePeriod | (with_addresses_ ? kSampleAddress : 0) |
                  (with_stacks_ ? kSampleCallChain : 0));
        bytes.u64(0); // no values of counters
        bytes.u64(kWithMmap | kWithComm | kWithOrigins | kWithMmap2);
        return bytes.u64(0).u64(0); // wake-ups and breakpoints
    }

    /// Each event with the place of its id; the ids are behind, from 1 in the order of the events.
    Bytes attribute_section() const {
        const std::size_t events = data_.events().size();
        Bytes bytes;
        for (std::size_t i = 0; i < events; ++i) {
            const std::uint64_t place = kHeaderSize + events * kAttributeEntrySize + 8 * i;
            bytes.add(attribute(i)).u64(place).u64(8);
        }
        for (std::size_t i = 0; i < events; ++i) {
            bytes.u64(i + 1);
        }
        return bytes;
    }

    void add_threads(Bytes& bytes) const {
        const std::string name =
            std::filesystem::path(data_.programs().front().path()).filename().string();
        std::set<std::uint32_t> threads{kSampledProcess};
        for (const std::uint32_t hart : harts_) {
            threads.insert(thread_of(hart));
        }
        for (const std::uint32_t thread : threads) {
            const Bytes content = Bytes().u32(kSampledProcess).u32(thread).text(name);
            bytes.add(
                record(RecordType::Comm, 0, Bytes(content).add(origin(thread, 0, thread - 1, 0))));
        }
    }

    /// What is mapped later hides what was mapped before, and the first program goes first.
    void add_mappings(Bytes& bytes) const {
        for (const ElfProgram& program : data_.programs() | std::views::reverse) {
            const std::string path = std::filesystem::absolute(program.path()).string();
            for (const trace::CodeMapping& mapping : trace::code_mappings(program.file())) {
                constexpr std::uint32_t kReadAndExecute = 5;
                constexpr std::uint32_t kPrivate = 2;
                Bytes content;
                content.u32(kSampledProcess).u32(kSampledProcess);
                content.u64(mapping.begin).u64(mapping.size).u64(mapping.offset);
                content.u32(0).u32(0).u64(0).u64(0); // device and inode
                content.u32(kReadAndExecute).u32(kPrivate).text(path);
                content.add(origin(kSampledProcess, 0, 0, 0));
                bytes.add(record(RecordType::Mmap2, kUserMode, content));
            }
        }
    }

    Bytes sample_record(const ExportedSample& sample) const {
        const SampleRecord& raw = sample.record;
        Bytes content;
        content.u64(sample.event + 1).u64(raw.pc).u32(kSampledProcess).u32(thread_of(raw.hart));
        content.u64(data_.nanoseconds(raw.cycle));
        if (with_addresses_) {
            content.u64(sample.details ? sample.details->data_address : 0);
        }
        content.u32(raw.hart).u32(0).u64(sample.weight);
        if (with_stacks_) {
            const ExportedStack& stack = data_.stacks()[sample.stack];
            content.u64(stack.size() + 1).u64(kUserCallChain);
            for (const std::size_t place : stack) {
                content.u64(data_.place(place).address);
            }
        }
        return record(RecordType::Sample, kUserMode, content);
    }

    /// A sample may follow samples that were lost.
    template <typename Use>
    void each_sample_record(const Use& use) const {
        std::map<std::uint32_t, std::uint64_t> lost_by_hart;
        for (const ExportedSample& sample : data_.samples()) {
            std::uint64_t& before = lost_by_hart[sample.record.hart];
            const std::uint64_t lost = sample.record.lost;
            if (lost != before) { // falls where another run begins
                use(record(RecordType::LostSamples, 0,
                           Bytes()
                               .u64(lost > before ? lost - before : lost)
                               .add(origin(thread_of(sample.record.hart),
                                           data_.nanoseconds(sample.record.cycle),
                                           sample.record.hart, sample.event))));
            }
            before = lost;
            use(sample_record(sample));
        }
    }

    std::uint64_t size_of_samples() const {
        std::uint64_t size = 0;
        each_sample_record([&size](const Bytes& bytes) { size += bytes.size(); });
        return size;
    }

    /// A table of places, then the contents, in the order of their bits.
    Bytes features(std::uint64_t begin) const {
        const Bytes architecture = Bytes().counted_text(
            data_.programs().front().xlen() == Xlen::Rv64 ? "riscv64" : "riscv32");
        Bytes names;
        names.u32(static_cast<std::uint32_t>(data_.events().size())).u32(kAttributeSize);
        for (std::size_t i = 0; i < data_.events().size(); ++i) {
            names.add(attribute(i)).u32(1).counted_text(data_.events()[i].name).u64(i + 1);
        }
        constexpr std::uint64_t kTable = std::uint64_t{2} * 16;
        Bytes bytes;
        bytes.u64(begin + kTable).u64(architecture.size());
        bytes.u64(begin + kTable + architecture.size()).u64(names.size());
        return bytes.add(architecture).add(names);
    }

    OutputFile& file_;
    const ExportData& data_;
    std::set<std::uint32_t> harts_;
    bool with_stacks_ = false;
    bool with_addresses_ = false;
};

} // namespace

void export_perf_data(OutputFile& file, ExportData& data) {
    PerfData(file, data).write();
}

} // namespace pes
