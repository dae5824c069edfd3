// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/perf_files.h"

#include "decoder/trace/output/append_text.h"

namespace pes::trace {

using namespace perf_record;

namespace {

const char* count_type_line(CountType type) {
    switch (type) {
    case CountType::Delta:
        return "# COUNT_TYPE: Delta\n";
    case CountType::DeltaXor:
        return "# COUNT_TYPE: DeltaXOR\n";
    case CountType::Raw:
        break;
    }
    return "# COUNT_TYPE: RAW\n";
}

} // namespace

PerfFiles::PerfFiles(OutputSet& files, const std::filesystem::path& directory, CodePlaces& places,
                     TextStyle style)
    : files_(files), places_(places), style_(style), all_(nullptr),
      parts_(kFiles, TextOutput(nullptr)) {
    const std::string base = std::filesystem::path(places.program().path()).stem().string();
    stem_ = directory / "perf" / base;
    all_ = TextOutput(files_.open((directory / (base + ".perf")).string()));
    files_.make_directory(directory / "perf");
    all_.text() = published_head_line(places.program());
}

void PerfFiles::count_type(std::uint16_t number, CountType type, TraceTime) {
    source(number).type = type;
    all_.text() += count_type_line(type);
}

void PerfFiles::mask(std::uint16_t number, std::uint32_t mask, TraceTime time) {
    begin_line(number, time);
    append_text(line_, "[Perf Cntr Mask] [Mask={:#010x}]\n", mask);
    all_.text() += line_;
}

void PerfFiles::definition(std::uint16_t number, const CounterDefinition& definition,
                           TraceTime time) {
    const bool raw = definition.type == EventType::Raw;
    begin_line(number, time);
    append_text(line_,
                "[Perf Cntr Def] [Counter={}] [Type={}] [Code={}] [EventData={:#010x}] "
                "[CntrCSR={:#05x}] [CntrBits={}]\n",
                definition.counter, static_cast<unsigned>(definition.type),
                raw ? 0 : static_cast<std::int32_t>(definition.event), raw ? definition.event : 0,
                definition.info.csr, definition.info.width);
    write(definition.counter, number);
}

void PerfFiles::address(std::uint16_t number, const PerfAddress& address) {
    std::size_t index = kCalls;
    std::uint64_t place = address.address;
    begin_line(number, address.time);
    switch (address.kind) {
    case RecordKind::FunctionEnter:
        append_text(line_, "[Func Enter at {:#010x}] [Called From {:#010x}]", address.address,
                    address.call_site);
        break;
    case RecordKind::FunctionExit:
        place = address.call_site;
        append_text(line_, "[Func Exit] [Func at {:#010x}] [Returning to {:#010x}]",
                    address.address, address.call_site);
        break;
    case RecordKind::Manual:
    case RecordKind::Interrupt:
        index = kAddresses;
        append_text(line_, "PC={:#010x} [Address]", address.address);
        break;
    }
    source(number).counted_at = place;
    file(index, number); // it begins with the first record, even if that is left out
    if (end_line_at(number, place)) {
        write(index, number);
    }
}

void PerfFiles::value(std::uint16_t number, const PerfValue& value) {
    const bool published = style_ == TextStyle::Published;
    if (published && value.end == PerfValue::End::TraceEnded) {
        return;
    }
    const std::uint64_t place = source(number).counted_at;
    begin_line(number, published ? value.settled_time : value.time);
    append_text(line_, "PC={:#010x} [Perf Cntr] [Index={}] [Value={}] ", place, value.counter,
                static_cast<std::int64_t>(published ? value.running : value.value));
    if (end_line_at(number, place)) {
        write(value.counter, number);
    }
}

void PerfFiles::finish() {
    all_.flush();
    for (TextOutput& part : parts_) {
        part.flush();
    }
}

PerfFiles::Source& PerfFiles::source(std::uint16_t number) {
    if (number >= sources_.size()) {
        sources_.resize(number + std::size_t{1});
    }
    return sources_[number];
}

TextOutput& PerfFiles::file(std::size_t index, std::uint16_t number) {
    TextOutput& part = parts_[index];
    if (!part.wanted()) {
        std::string name = stem_.string();
        if (index == kAddresses) {
            name += ".address";
        } else if (index == kCalls) {
            name += ".callret";
        } else {
            append_text(name, ".perfchannel{}", index);
        }
        part = TextOutput(files_.open(name));
        part.text() = published_head_line(places_.program()) + count_type_line(source(number).type);
    }
    return part;
}

void PerfFiles::write(std::size_t index, std::uint16_t number) {
    TextOutput& part = file(index, number);
    part.text() += line_;
    part.flush_blocks();
    all_.text() += line_;
    all_.flush_blocks();
}

} // namespace pes::trace
