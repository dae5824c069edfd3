// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/ctf_trace.h"

#include "decoder/elf_program.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

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

constexpr std::uint32_t kMagic = 0xC1FC1FC1; // CTF 1.8, section 5.1
constexpr std::size_t kPacketBytes = std::size_t{64} * 1024;
constexpr std::size_t kNameBytes = 17; // of a process in LTTng: 16 characters and NUL
constexpr std::uint32_t kProcess = 1;  // viewers take 0 for the kernel

template <typename Integer>
void put(std::string& bytes, Integer value) {
    for (std::size_t byte = 0; byte < sizeof value; ++byte) {
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte));
    }
}

/// The same for the same program: a trace is to be reproducible.
std::string uuid_of(const std::string& name) {
    std::string uuid;
    std::uint64_t hash = 0xCBF29CE484222325; // FNV-1a
    for (int half = 0; half < 2; ++half) {
        for (const char character : name) {
            hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
        }
        hash = (hash ^ 0xFF) * 0x100000001B3;
        put(uuid, hash);
    }
    return uuid;
}

std::string uuid_text(const std::string& uuid) {
    std::string text;
    for (std::size_t byte = 0; byte < uuid.size(); ++byte) {
        text += byte == 4 || byte == 6 || byte == 8 || byte == 10 ? "-" : "";
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid[byte]));
    }
    return text;
}

/// A string of the metadata language: names come from files.
std::string metadata_string(const std::string& text) {
    std::string result = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        const bool plain = byte >= 0x20 && byte < 0x7F && character != '"' && character != '\\';
        result += plain ? character : '_';
    }
    return result + "\"";
}

constexpr const char* kMetadata = R"(/* CTF 1.8 */

typealias integer {{ size = 8; align = 8; signed = false; }} := uint8_t;
typealias integer {{ size = 16; align = 8; signed = false; }} := uint16_t;
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
typealias integer {{ size = 64; align = 8; signed = false; base = 16; }} := address_t;

trace {{
	major = 1;
	minor = 8;
	uuid = "{uuid}";
	byte_order = le;
	packet.header := struct {{
		uint32_t magic;
		uint8_t uuid[16];
		uint32_t stream_id;
	}};
}};

env {{
	domain = "ust";
	tracer_name = "lttng-ust";
	tracer_major = 2;
	tracer_minor = 11;
	tracer_patchlevel = 0;
	architecture_bit_width = 64;
	trace_name = {name};
	hostname = "pes-vp";
}};

clock {{
	name = "trace";
	description = "Timestamps of the trace encoder";
	freq = {clock_hz};
	offset = 0;
}};

typealias integer {{
	size = 64; align = 8; signed = false;
	map = clock.trace.value;
}} := time_t;

stream {{
	id = 0;
	packet.context := struct {{
		time_t timestamp_begin;
		time_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t packet_seq_num;
		uint64_t events_discarded;
		uint32_t cpu_id;
	}};
	event.header := struct {{
		uint16_t id;
		time_t timestamp;
	}};
	event.context := struct {{
		uint32_t _vpid;
		uint32_t _vtid;
		integer {{ size = 8; align = 8; signed = false; encoding = UTF8; }} _procname[17];
	}};
}};

event {{
	name = "lttng_ust_cyg_profile:func_entry";
	id = 0; stream_id = 0; loglevel = 12;
	fields := struct {{ address_t _addr; address_t _call_site; }};
}};

event {{
	name = "lttng_ust_cyg_profile:func_exit";
	id = 1; stream_id = 0; loglevel = 12;
	fields := struct {{ address_t _addr; address_t _call_site; }};
}};

event {{
	name = "lttng_ust_statedump:start";
	id = 2; stream_id = 0; loglevel = 13;
	fields := struct {{ }};
}};

event {{
	name = "lttng_ust_statedump:bin_info";
	id = 3; stream_id = 0; loglevel = 13;
	fields := struct {{
		address_t _baddr;
		uint64_t _memsz;
		string _path;
		uint8_t _is_pic;
		uint8_t _has_build_id;
		uint8_t _has_debug_link;
	}};
}};

event {{
	name = "lttng_ust_statedump:end";
	id = 4; stream_id = 0; loglevel = 13;
	fields := struct {{ }};
}};

event {{
	name = "pes:counter";
	id = 5; stream_id = 0; loglevel = 13;
	fields := struct {{ address_t _addr; uint8_t _kind; uint8_t _counter; uint64_t _value; }};
}};

event {{
	name = "pes:sample";
	id = 6; stream_id = 0; loglevel = 13;
	fields := struct {{ address_t _addr; }};
}};
)";

} // namespace

CtfTrace::CtfTrace(OutputSet& files, const std::filesystem::path& directory,
                   const ElfProgram& program, std::uint64_t clock_hz)
    : files_(files), directory_(directory / "ctf"), program_(program),
      base_(std::filesystem::path(program.path()).stem().string()) {
    files_.make_directory(directory_);
    OutputFile* metadata = files_.open((directory_ / "metadata").string());
    metadata->write(fmt::format(kMetadata, fmt::arg("uuid", uuid_text(uuid_of(base_))),
                                fmt::arg("name", metadata_string(base_)),
                                fmt::arg("clock_hz", clock_hz)));
}

void CtfTrace::record(const PerfRecord& record) {
    for (unsigned counter = 0; counter < kMostCounters; ++counter) {
        if ((record.header->mask >> counter & 1) == 0) {
            continue;
        }
        Stream& to = begin_event(record.source, EventId::Counter, record.time);
        put(to.events, record.address);
        put(to.events, static_cast<std::uint8_t>(record.kind));
        put(to.events, static_cast<std::uint8_t>(counter));
        put(to.events, record.values[counter]);
    }
}

void CtfTrace::lost(std::uint16_t source, const PerfLoss& loss) {
    stream(source).discarded += std::max<std::uint64_t>(loss.writes, 1);
}

void CtfTrace::entered(std::uint16_t source, const std::vector<Frame>& frames) {
    const Frame& frame = frames.back();
    Stream& to = begin_event(source, EventId::FunctionEntry, frame.time);
    put(to.events, frame.entry);
    put(to.events, frame.site);
}

void CtfTrace::left(std::uint16_t source, const std::vector<Frame>& frames, FrameEnd,
                    FlowTime time) {
    const Frame& frame = frames.back();
    Stream& to = begin_event(source, EventId::FunctionExit, time);
    put(to.events, frame.entry);
    put(to.events, frame.site);
}

void CtfTrace::event(const TraceEvent& event) {
    if (event.kind == EventSource::PcSample && event.address) {
        put(begin_event(event.source, EventId::Sample, event.time).events, *event.address);
    }
}

void CtfTrace::finish() {
    for (auto& [source, from] : streams_) {
        flush_packet(source, from);
    }
}

CtfTrace::Stream& CtfTrace::stream(std::uint16_t source) {
    const auto [entry, is_new] = streams_.try_emplace(source);
    if (is_new) {
        entry->second.file =
            files_.open((directory_ / fmt::format("{}_{}.ctf", base_, source)).string());
    }
    return entry->second;
}

/// What lets a viewer find the names of functions.
void CtfTrace::describe_program(std::uint16_t source, Stream& to) {
    const auto [begin, end] = program_.code_range();
    begin_event(source, to, EventId::StatedumpStart);
    begin_event(source, to, EventId::StatedumpBinary);
    put(to.events, begin);
    put(to.events, end - begin);
    to.events += std::filesystem::absolute(program_.path()).lexically_normal().string() + '\0';
    to.events += std::string(3, '\0'); // no PIC, no build id, no debug link
    begin_event(source, to, EventId::StatedumpEnd);
}

CtfTrace::Stream& CtfTrace::begin_event(std::uint16_t source, EventId id, TraceTime time) {
    Stream& to = stream(source);
    if (to.events.size() >= kPacketBytes) {
        flush_packet(source, to);
    }
    to.time = std::max(to.time, time.value_or(0)); // unknown: that of the event before
    if (to.events.empty()) {
        to.begin = to.time;
        if (to.packets == 0) {
            describe_program(source, to);
        }
    }
    begin_event(source, to, id);
    return to;
}

void CtfTrace::begin_event(std::uint16_t source, Stream& to, EventId id) {
    put(to.events, static_cast<std::uint16_t>(id));
    put(to.events, to.time);
    put(to.events, kProcess);
    put(to.events, static_cast<std::uint32_t>(source));
    std::string name = base_.substr(0, kNameBytes - 1);
    name.resize(kNameBytes, '\0');
    to.events += name;
}

void CtfTrace::flush_packet(std::uint16_t source, Stream& from) {
    if (from.events.empty()) {
        return;
    }
    std::string head;
    put(head, kMagic);
    head += uuid_of(base_);
    put(head, std::uint32_t{0}); // stream_id
    put(head, from.begin);
    put(head, from.time);
    constexpr std::size_t kRest = 4 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
    const std::uint64_t bits = 8 * (head.size() + kRest + from.events.size());
    put(head, bits); // content_size
    put(head, bits); // packet_size: there is no padding
    put(head, from.packets++);
    put(head, from.discarded);
    put(head, static_cast<std::uint32_t>(source));
    from.file->write(head);
    from.file->write(from.events);
    from.events.clear();
}

} // namespace pes::trace
