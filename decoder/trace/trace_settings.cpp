// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_settings.h"

#include "hw/common/host/user_error.h"

#include <cmath>
#include <filesystem>
#include <toml++/toml.h>

namespace pes::trace {
namespace {

namespace fs = std::filesystem;

class SideFile {
  public:
    explicit SideFile(const std::string& path) : path_(path) {
        try {
            table_ = toml::parse_file(path);
        } catch (const toml::parse_error& error) {
            throw UserError("'" + path + "': " + std::string(error.description()) +
                            ", expected TOML");
        }
    }

    std::optional<unsigned> number(const char* key, unsigned least, unsigned most) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
        if (!value || *value < least || *value > most) {
            refuse(key, std::to_string(least) + " to " + std::to_string(most));
        }
        return static_cast<unsigned>(*value);
    }

    std::optional<std::uint64_t> bytes(const char* key) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
        if (!value || *value < 0) {
            refuse(key, "a number of bytes");
        }
        return static_cast<std::uint64_t>(*value);
    }

    std::optional<double> frequency(const char* key) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        const std::optional<double> value = node->value<double>();
        if (!value || !std::isfinite(*value) || *value <= 0) {
            refuse(key, "a frequency in Hz");
        }
        return value;
    }

    std::optional<bool> flag(const char* key) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        const std::optional<bool> value = node->value_exact<bool>();
        if (!value) {
            refuse(key, "true or false");
        }
        return value;
    }

    std::optional<std::string> text(const char* key) const {
        const toml::node* node = table_.get(key);
        if (node == nullptr) {
            return std::nullopt;
        }
        std::optional<std::string> value = node->value_exact<std::string>();
        if (!value) {
            refuse(key, "a string");
        }
        return value;
    }

    /// A string, or an array of them.
    std::vector<std::string> texts(const char* key) const {
        const toml::array* const array = table_[key].as_array();
        if (array == nullptr) {
            const std::optional<std::string> one = text(key);
            return one ? std::vector{*one} : std::vector<std::string>{};
        }
        std::vector<std::string> values;
        for (const toml::node& node : *array) {
            const std::optional<std::string> value = node.value_exact<std::string>();
            if (!value) {
                refuse(key, "a string or an array of strings");
            }
            values.push_back(*value);
        }
        return values;
    }

    [[noreturn]] void refuse(const char* key, const std::string& expected) const {
        throw UserError("'" + path_ + "': " + key + " is not usable, expected " + expected);
    }

  private:
    std::string path_;
    toml::table table_;
};

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
    if (name == "sifive") {
        return TimestampDialect::SiFive;
    }
    if (name == "n-trace") {
        return TimestampDialect::NTrace;
    }
    return std::nullopt;
}

TraceSettings read_side_file(const std::string& trace_file) {
    const std::string path = trace_file + ".toml";
    std::error_code ignored;
    TraceSettings settings;
    if (trace_file == "-" || !fs::is_regular_file(path, ignored)) {
        return settings;
    }
    const SideFile file(path);
    if (const auto dialect = file.text("timestamps")) {
        settings.dialect = parse_dialect(*dialect);
        if (!settings.dialect) {
            file.refuse("timestamps", R"("sifive" or "n-trace")");
        }
    }
    settings.timestamp_bits = file.number("timestamp_bits", 1, kMostTimestampBits);
    settings.source_bits = file.number("source_bits", 0, kMostSourceBits);
    settings.address_bits = file.number("address_bits", 1, 64);
    if (const auto wrapped = file.flag("wrapped")) {
        settings.start = *wrapped ? StreamStart::InMessage : StreamStart::AtMessage;
    }
    if (const auto stopped = file.flag("stopped")) {
        settings.end = *stopped ? StreamEnd::InMessage : StreamEnd::BehindMessage;
    }
    settings.clock_hz = file.frequency("clock_hz");
    settings.bytes = file.bytes("bytes");
    settings.crc32 = file.number("crc32", 0, 0xFFFF'FFFF);
    for (const std::string& program : file.texts("program")) {
        if (std::string path = find_program(program, trace_file); !path.empty()) {
            settings.programs.push_back({std::move(path), 0, std::nullopt});
        }
    }
    return settings;
}

TraceEncoding resolve(const TraceSettings& options, const TraceSettings& side_file) {
    const auto either = [](const auto& first, const auto& second) {
        return first ? first : second;
    };
    TraceEncoding encoding;
    encoding.timestamps.dialect =
        either(options.dialect, side_file.dialect).value_or(TimestampDialect::SiFive);
    // The width that the file gives is that of its dialect, if it says one.
    const bool other_dialect =
        options.dialect && side_file.dialect && options.dialect != side_file.dialect;
    encoding.timestamps.bits =
        either(options.timestamp_bits,
               other_dialect ? std::optional<unsigned>{} : side_file.timestamp_bits)
            .value_or(encoding.timestamps.dialect == TimestampDialect::SiFive ? kSiFiveTimestampBits
                                                                              : kMostTimestampBits);
    encoding.source_bits = either(options.source_bits, side_file.source_bits).value_or(0);
    encoding.start = either(options.start, side_file.start).value_or(StreamStart::AtMessage);
    encoding.end = either(options.end, side_file.end).value_or(StreamEnd::BehindMessage);
    encoding.clock_hz = either(options.clock_hz, side_file.clock_hz);
    encoding.address_bits = either(options.address_bits, side_file.address_bits);
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
