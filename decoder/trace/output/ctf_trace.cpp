// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/ctf_trace.h"

#include "platform/program/elf_program.h"

#include <algorithm>
#include <array>

namespace pes::trace {

using namespace perf_record;

enum class CtfTrace::EventId : std::uint16_t {
    FunctionEntry,
    FunctionExit,
    StatedumpStart,
    StatedumpBinary,
    StatedumpEnd,
    Counter,
    Sample,
};

namespace {

constexpr std::array kEvents{
    CtfEventType{"lttng_ust_cyg_profile:func_entry", 12, "address_t _addr; address_t _call_site;"},
    CtfEventType{"lttng_ust_cyg_profile:func_exit", 12, "address_t _addr; address_t _call_site;"},
    CtfEventType{"lttng_ust_statedump:start", 13, ""},
    CtfEventType{"lttng_ust_statedump:bin_info", 13,
                 "address_t _baddr; uint64_t _memsz; string _path; uint8_t _is_pic; uint8_t "
                 "_has_build_id; uint8_t _has_debug_link;"},
    CtfEventType{"lttng_ust_statedump:end", 13, ""},
    CtfEventType{"pes:counter", 13,
                 "address_t _addr; uint8_t _kind; uint8_t _counter; uint64_t _value;"},
    CtfEventType{"pes:sample", 13, "address_t _addr;"},
};

std::string name_of(const ElfProgram& program) {
    return std::filesystem::path(program.path()).stem().string();
}

} // namespace

CtfTrace::CtfTrace(OutputSet& files, const std::filesystem::path& directory,
                   const std::string& trace_file, CodePlaces& places, std::uint64_t clock_hz)
    : places_(places),
      writer_(files, directory, {name_of(places.program()), trace_file}, clock_hz, kEvents) {}

void CtfTrace::record(const PerfRecord& record) {
    for (unsigned counter = 0; counter < kMostCounters; ++counter) {
        if ((record.header->mask >> counter & 1) == 0) {
            continue;
        }
        std::string& event = begin_event(record.source, EventId::Counter, record.time);
        put_ctf(event, record.address);
        put_ctf(event, static_cast<std::uint8_t>(record.kind));
        put_ctf(event, static_cast<std::uint8_t>(counter));
        put_ctf(event, record.values[counter]);
    }
}

void CtfTrace::lost(std::uint16_t source, const PerfLoss& loss) {
    writer_.discard(source, std::max<std::uint64_t>(loss.writes, 1));
}

void CtfTrace::entered(std::uint16_t source, const std::vector<Frame>& frames) {
    const Frame& frame = frames.back();
    std::string& event = begin_event(source, EventId::FunctionEntry, frame.time);
    put_ctf(event, frame.entry);
    put_ctf(event, frame.site);
}

void CtfTrace::left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd,
                    FlowTime time) {
    const Frame& frame = frames.back();
    std::string& event = begin_event(source, EventId::FunctionExit, time);
    put_ctf(event, frame.entry);
    put_ctf(event, frame.site);
}

void CtfTrace::event(const TraceEvent& event) {
    if (event.kind == EventSource::PcSample && event.address) {
        put_ctf(begin_event(event.source, EventId::Sample, event.time), *event.address);
    }
}

/// What lets a viewer find the names of functions comes first, and again when the source goes on to
/// a process that has other programs: readers forget the programs before.
std::string& CtfTrace::begin_event(std::uint16_t source, EventId id, TraceTime time) {
    const std::size_t space = places_.spaces().of(source);
    const auto [told, is_new] = described_.try_emplace(source, space);
    if (is_new || told->second != space) {
        told->second = space;
        describe_programs(source, space, time);
    }
    return writer_.event(source, static_cast<unsigned>(id), time);
}

void CtfTrace::describe_programs(std::uint16_t source, std::size_t space, TraceTime time) {
    const auto add = [&](EventId part) -> std::string& {
        return writer_.event(source, static_cast<unsigned>(part), time);
    };
    add(EventId::StatedumpStart);
    for (const ElfProgram& program : places_.programs()) {
        const ProgramFile& file = program.file();
        if (!file.belongs_to(places_.spaces().context(space))) {
            continue;
        }
        const bool moved = file.base != 0; // readers subtract the base of what may be moved
        const auto [first, end] = program.code_range();
        const Address begin = moved ? file.base : first;
        std::string& binary = add(EventId::StatedumpBinary);
        put_ctf(binary, begin);
        put_ctf(binary, end - begin);
        binary += std::filesystem::absolute(program.path()).lexically_normal().string() + '\0';
        put_ctf(binary, static_cast<std::uint8_t>(moved));
        binary += std::string(2, '\0'); // no build id, no debug link
    }
    add(EventId::StatedumpEnd);
}

} // namespace pes::trace
