// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/ctf_writer.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMagic = 0xC1FC1FC1; // CTF 1.8, section 5.1
constexpr std::size_t kPacketBytes = std::size_t{64} * 1024;
constexpr std::size_t kNameBytes = 17; // of a process in LTTng: 16 characters and NUL
constexpr std::uint32_t kProcess = 1;  // viewers take 0 for the kernel

/// The same for the same trace: a conversion is to be reproducible.
std::string uuid_of(const std::string& name) {
    std::string uuid;
    std::uint64_t hash = 0xCBF29CE484222325; // FNV-1a
    for (int half = 0; half < 2; ++half) {
        for (const char character : name) {
            hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
        }
        hash = (hash ^ 0xFF) * 0x100000001B3;
        put_ctf(uuid, hash);
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
)";

/// The streams in a directory: readers pass over hidden files.
std::vector<fs::path> streams_in(const fs::path& directory) {
    std::vector<fs::path> streams;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with('.') && name != "metadata") {
            streams.push_back(entry.path());
        }
    }
    std::sort(streams.begin(), streams.end());
    return streams;
}

[[noreturn]] void refuse(const fs::path& directory, const std::string& found) {
    throw UserError("--ctf got '" + directory.string() + "', which holds " + found +
                    ", expected an empty or a new directory (--output-dir)");
}

} // namespace

CtfWriter::CtfWriter(OutputSet& files, const fs::path& directory, CtfNames names,
                     std::uint64_t clock_hz, std::span<const CtfEventType> events)
    : files_(files), directory_(directory / "ctf"), names_(std::move(names)),
      uuid_(uuid_of(names_.base + '\0' + fs::absolute(names_.trace).lexically_normal().string())) {
    require_no_other_trace();
    files_.make_directory(directory_);
    OutputFile* metadata = files_.open((directory_ / "metadata").string());
    metadata->write(fmt::format(kMetadata, fmt::arg("uuid", uuid_text(uuid_)),
                                fmt::arg("name", metadata_string(names_.base)),
                                fmt::arg("clock_hz", clock_hz)));
    for (std::size_t id = 0; id < events.size(); ++id) {
        metadata->write(
            fmt::format("\nevent {{\n\tname = \"{}\";\n\tid = {}; stream_id = 0; loglevel = {};\n"
                        "\tfields := struct {{ {} }};\n}};\n",
                        events[id].name, id, events[id].loglevel, events[id].fields));
    }
}

void CtfWriter::require_no_other_trace() const {
    std::ifstream file(directory_ / "metadata", std::ios::binary);
    if (file) {
        const std::string metadata{std::istreambuf_iterator<char>(file), {}};
        if (names_.trace == "-" || metadata.find(uuid_text(uuid_)) == std::string::npos) {
            refuse(directory_, "another trace");
        }
    } else if (const auto streams = streams_in(directory_); !streams.empty()) {
        refuse(directory_, fmt::format("'{}'", streams.front().filename().string()));
    }
}

std::string& CtfWriter::event(std::uint16_t source, unsigned id, TraceTime time) {
    Stream& to = stream(source);
    if (to.events.size() >= kPacketBytes) {
        flush_packet(source, to);
    }
    to.time = std::max(to.time, time.value_or(0));
    if (to.events.empty()) {
        to.begin = to.time;
    }
    put_ctf(to.events, static_cast<std::uint16_t>(id));
    put_ctf(to.events, to.time);
    put_ctf(to.events, kProcess);
    put_ctf(to.events, static_cast<std::uint32_t>(source));
    std::string name = names_.base.substr(0, kNameBytes - 1);
    name.resize(kNameBytes, '\0');
    return to.events += name;
}

void CtfWriter::discard(std::uint16_t source, std::uint64_t events) {
    stream(source).discarded += events;
}

void CtfWriter::finish() {
    for (auto& [source, from] : streams_) {
        flush_packet(source, from);
    }
    std::vector<fs::path> own;
    for (const auto& [source, from] : streams_) {
        own.push_back(path_of(source));
    }
    for (const fs::path& found : streams_in(directory_)) {
        const bool ours = std::any_of(own.begin(), own.end(), [&](const fs::path& path) {
            return found.string().starts_with(path.string()); // or its temporary name
        });
        if (!ours && !found.filename().string().starts_with("metadata.tmp")) {
            refuse(directory_, fmt::format("'{}' of an earlier run", found.filename().string()));
        }
    }
}

fs::path CtfWriter::path_of(std::uint16_t source) const {
    return directory_ / fmt::format("{}_{}.ctf", names_.base, source);
}

CtfWriter::Stream& CtfWriter::stream(std::uint16_t source) {
    const auto [entry, is_new] = streams_.try_emplace(source);
    if (is_new) {
        entry->second.file = files_.open(path_of(source).string());
    }
    return entry->second;
}

void CtfWriter::flush_packet(std::uint16_t source, Stream& from) {
    if (from.events.empty()) {
        return;
    }
    std::string head;
    put_ctf(head, kMagic);
    head += uuid_;
    put_ctf(head, std::uint32_t{0}); // stream_id
    put_ctf(head, from.begin);
    put_ctf(head, from.time);
    constexpr std::size_t kRest = 4 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
    const std::uint64_t bits = 8 * std::uint64_t{head.size() + kRest + from.events.size()};
    put_ctf(head, bits); // content_size
    put_ctf(head, bits); // packet_size: there is no padding
    put_ctf(head, from.packets++);
    put_ctf(head, from.discarded);
    put_ctf(head, static_cast<std::uint32_t>(source));
    from.file->write(head);
    from.file->write(from.events);
    from.events.clear();
}

} // namespace pes::trace
