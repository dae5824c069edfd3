// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_settings.h"

#include "platform/host/toml_file.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace pes::trace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProtocols[] = {"nexus", "e-trace"};
constexpr std::string_view kDialects[] = {"sifive", "n-trace"}; // in the order of the enumeration

std::optional<unsigned> number(const TomlValue& value, unsigned least, unsigned most) {
    return value ? std::optional(static_cast<unsigned>(value.number(least, most))) : std::nullopt;
}

/// A string or a list of strings.
std::vector<std::string> texts(const TomlValue& value) {
    if (!value) {
        return {};
    }
    return value.is_text() ? std::vector{value.text()} : value.texts();
}

/// As written, or beside the trace; empty if it is in neither place: traces are moved about.
std::string find_program(const std::string& program, const fs::path& trace) {
    std::error_code ignored;
    for (const fs::path& path : {fs::path(program), trace.parent_path() / program,
                                 trace.parent_path() / fs::path(program).filename()}) {
        if (fs::is_regular_file(path, ignored)) {
            return path.string();
        }
    }
    return "";
}

} // namespace

std::optional<TimestampDialect> parse_dialect(const std::string& name) {
    const auto* const found = std::ranges::find(kDialects, name);
    return found == std::end(kDialects)
               ? std::nullopt
               : std::optional(static_cast<TimestampDialect>(found - std::begin(kDialects)));
}

TraceSettings read_side_file(const std::string& trace_file) {
    const std::string path = trace_file + ".toml";
    std::error_code ignored;
    TraceSettings settings;
    if (trace_file == "-" || !fs::is_regular_file(path, ignored)) {
        return settings;
    }
    const TomlValue file = TomlValue::read_file(path, "trace description");
    if (const TomlValue protocol = file["protocol"]) {
        settings.protocol = static_cast<Protocol>(protocol.choice(kProtocols));
    }
    for (const etrace::NamedParameter& one : etrace::kNamedParameters) {
        if (const auto value = number(file[one.name], one.least, one.most)) {
            settings.packets.*one.member = *value;
        }
    }
    if (const TomlValue dialect = file["timestamps"]) {
        settings.dialect = static_cast<TimestampDialect>(dialect.choice(kDialects));
    }
    settings.timestamp_bits = number(file["timestamp_bits"], 1, kMostTimestampBits);
    settings.source_bits = number(file["source_bits"], 0, kMostSourceBits);
    settings.address_bits = number(file["address_bits"], 1, 64);
    if (const TomlValue extended = file["extended_addresses"]) {
        settings.addresses = extended.flag() ? AddressForm::Extended : AddressForm::Plain;
    }
    if (const TomlValue wrapped = file["wrapped"]) {
        settings.start = wrapped.flag() ? StreamStart::InMessage : StreamStart::AtMessage;
    }
    if (const TomlValue stopped = file["stopped"]) {
        settings.end = stopped.flag() ? StreamEnd::InMessage : StreamEnd::BehindMessage;
    }
    if (const TomlValue clock = file["clock_hz"]) {
        settings.clock_hz = clock.positive("a frequency in Hz");
    }
    if (const TomlValue bytes = file["bytes"]) {
        settings.bytes = bytes.number(0, TomlValue::kMostInteger);
    }
    settings.crc32 = number(file["crc32"], 0, 0xFFFF'FFFF);
    for (const std::string& program : texts(file["program"])) {
        if (std::string found = find_program(program, trace_file); !found.empty()) {
            settings.programs.push_back({std::move(found), 0, std::nullopt});
        }
    }
    return settings;
}

TraceEncoding resolve(const TraceSettings& options, const TraceSettings& side_file,
                      const TraceSettings& found) {
    const auto either = [](const auto& first, const auto& second) {
        return first ? first : second;
    };
    TraceEncoding encoding;
    encoding.protocol = either(either(options.protocol, side_file.protocol), found.protocol)
                            .value_or(Protocol::Nexus);
    encoding.timestamps.dialect = either(either(options.dialect, side_file.dialect), found.dialect)
                                      .value_or(TimestampDialect::SiFive);
    // The width that the file gives is that of its dialect, if it says one.
    const bool other_dialect =
        options.dialect && side_file.dialect && options.dialect != side_file.dialect;
    encoding.timestamps.bits =
        either(either(options.timestamp_bits,
                      other_dialect ? std::optional<unsigned>{} : side_file.timestamp_bits),
               found.timestamp_bits)
            .value_or(encoding.timestamps.dialect == TimestampDialect::SiFive ? kSiFiveTimestampBits
                                                                              : kMostTimestampBits);
    encoding.source_bits = either(options.source_bits, side_file.source_bits).value_or(0);
    encoding.packets = {.framing = {.source_bits = encoding.source_bits,
                                    .timestamp_bytes = (encoding.timestamps.bits + 7) / 8},
                        .parameters = side_file.packets,
                        .timestamp_bits = encoding.timestamps.bits};
    encoding.start = either(options.start, side_file.start).value_or(StreamStart::AtMessage);
    encoding.end = either(options.end, side_file.end).value_or(StreamEnd::BehindMessage);
    encoding.clock_hz = either(options.clock_hz, side_file.clock_hz);
    encoding.address_bits = either(options.address_bits, side_file.address_bits);
    encoding.addresses =
        either(options.addresses, side_file.addresses).value_or(AddressForm::Plain);
    const bool says_programs = !options.programs.empty() || !options.maps.empty();
    encoding.programs = says_programs ? options.programs : side_file.programs;
    for (const ProcessMap& map : options.maps) {
        const MappedPrograms mapped = read_process_map(map);
        encoding.programs.insert(encoding.programs.end(), mapped.programs.begin(),
                                 mapped.programs.end());
        encoding.missing.insert(encoding.missing.end(), mapped.missing.begin(),
                                mapped.missing.end());
    }
    encoding.memory = options.memory;
    return encoding;
}

} // namespace pes::trace
