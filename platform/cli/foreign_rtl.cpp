// SPDX-License-Identifier: Apache-2.0
// pes-foreign-rtl: turns a pin map (docs/rtl-counters.md) into a pes_counter_file that is another
// core's counter block, the list of its sources for Verilator, and its shape.
#include "hw/hpm/counter_config.h"
#include "platform/host/output_file.h"
#include "platform/host/regular_file.h"
#include "platform/host/toml_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace pes {
namespace {

namespace fs = std::filesystem;

struct Request {
    fs::path pins;
    fs::path output;
    fs::path own_file; ///< pes_counter_file.sv
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct PinMap {
    std::string top;
    std::vector<fs::path> sources;
    std::vector<fs::path> include_directories;
    std::vector<std::string> defines;
    std::vector<std::string> verilator;
    unsigned counters = 0;
    unsigned width = 0;
    bool write_freezes = false;
    fs::path constraints; ///< C++ for the streams of the tests; empty: none
    std::string declarations;
    std::string value; ///< expression with {n}
    Pairs parameters, pins;
};

std::string required_text(const TomlValue& value) {
    if (std::string text = value.text(); !text.empty()) {
        return text;
    }
    value.refuse("a quoted string that is not empty");
}

std::string text_or_empty(const TomlValue& value) {
    return value ? value.text() : std::string();
}

std::vector<std::string> texts_or_none(const TomlValue& value) {
    return value ? value.texts() : std::vector<std::string>{};
}

unsigned number(const TomlValue& value, unsigned least, unsigned most) {
    return static_cast<unsigned>(value.number(least, most));
}

/// Relative to the pin map's directory.
std::vector<fs::path> paths(const TomlValue& value, const fs::path& pins) {
    std::vector<fs::path> result;
    for (const std::string& path : texts_or_none(value)) {
        result.push_back(fs::absolute(pins.parent_path() / path).lexically_normal());
    }
    return result;
}

/// Names and the expressions connected to them.
Pairs pairs(const TomlValue& table) {
    Pairs result;
    if (!table) {
        return result;
    }
    for (const TomlValue& value : table.members()) {
        result.emplace_back(value.key(), value.is_text()
                                             ? value.text()
                                             : std::to_string(value.integer(
                                                   "an expression in quotes or an integer")));
    }
    return result;
}

void require_files(const PinMap& map, const TomlValue& document, const fs::path& pins) {
    for (const fs::path& source : map.sources) {
        if (!fs::is_regular_file(source)) {
            document["sources"].fail("cannot read source '" + source.string() + "'");
        }
    }
    if (const fs::path file = pins.parent_path() / map.constraints;
        !map.constraints.empty() && !fs::is_regular_file(file)) {
        document["constraints"].fail("cannot read constraints '" + file.string() + "'");
    }
    for (const fs::path& directory : map.include_directories) {
        if (!fs::is_directory(directory)) {
            document["include_dirs"].fail("include_dirs has '" + directory.string() +
                                          "', expected a directory");
        }
    }
}

PinMap read_pin_map(const fs::path& pins) {
    static constexpr std::string_view kKeys[] = {
        "top",   "sources", "include_dirs",  "defines",      "verilator", "parameters", "counters",
        "width", "pins",    "write_freezes", "declarations", "value",     "constraints"};
    const TomlValue document = TomlValue::read_file(pins, "pin map");
    document.allow(kKeys);
    PinMap map{.top = required_text(document["top"]),
               .sources = paths(document["sources"], pins),
               .include_directories = paths(document["include_dirs"], pins),
               .defines = texts_or_none(document["defines"]),
               .verilator = texts_or_none(document["verilator"]),
               .counters = number(document["counters"], 0, kMaxProgrammable),
               .width = number(document["width"], kMinCounterWidth, kMaxCounterWidth),
               .write_freezes = document["write_freezes"] && document["write_freezes"].flag(),
               .constraints = text_or_empty(document["constraints"]),
               .declarations = text_or_empty(document["declarations"]),
               .value = required_text(document["value"]),
               .parameters = pairs(document["parameters"]),
               .pins = pairs(document["pins"])};
    if (map.sources.empty() || map.pins.empty()) {
        document[map.sources.empty() ? "sources" : "pins"].refuse("at least one");
    }
    require_files(map, document, pins);
    return map;
}

std::string connections(const Pairs& pairs) {
    std::ostringstream out;
    const char* separator = "";
    for (const auto& [name, expression] : pairs) {
        out << separator << "    ." << name << '(' << expression << ')';
        separator = ",\n";
    }
    return out.str();
}

/// `text` with `replacement` for each `what`.
std::string with(const std::string& text, std::string_view what, std::string_view replacement) {
    std::string result;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(what, from)) != std::string::npos;) {
        result.append(text, from, at - from).append(replacement);
        from = at + what.size();
    }
    return result.append(text, from);
}

/// Parameters and ports are those of our own module: its text from "module" to ");".
std::string module_header(const fs::path& file) {
    const std::vector<std::byte> bytes = RegularFile(file, "counter file").read();
    std::istringstream in({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::string header;
    for (std::string line; std::getline(in, line);) {
        if (!header.empty() || line == "module pes_counter_file") {
            header += line + '\n';
        }
        if (!header.empty() && line == ");") {
            return header;
        }
    }
    throw UserError("'" + file.string() + "' has no module pes_counter_file");
}

std::string wrapper(const PinMap& map, const fs::path& own_file) {
    constexpr unsigned kFirst = 3;
    constexpr unsigned kLimit = 32;
    std::ostringstream out;
    out << "// Written by pes-foreign-rtl: " << map.top << " as pes_counter_file.\n"
        << "/* verilator lint_off UNUSEDSIGNAL */\n"
           "`default_nettype none\n" // a name that does not exist is no wire
        << module_header(own_file) << map.declarations << "\n  " << map.top << " #(\n"
        << connections(map.parameters) << "\n  ) i_foreign (\n"
        << connections(map.pins) << "\n  );\n";
    for (unsigned index = 0; index < kLimit; ++index) {
        const bool present = index >= kFirst && index < kFirst + map.counters;
        out << "  assign value_o[" << index << "] = "
            << (present ? "64'(" + with(map.value, "{n}", std::to_string(index)) + ")" : "'0")
            << ";\n";
    }
    out << "  assign overflow_o = '0;\n" // Sscofpmf is our own block's
        << "  assign overflowed_o = '0;\n"
        << "  assign overflow_irq_o = 1'b0;\n"
        << "endmodule\n`default_nettype wire\n";
    return out.str();
}

/// The wrapper has a file name of its own, since only it is linted.
constexpr const char* kWrapper = "pes_counter_file.pins";

/// A pin without connection or of the wrong width is an error in the wrapper, but not inside the
/// block: in the files that the map lists, and in the .v, .sv, .vh and .svh files that they
/// include.
std::string lint(const std::vector<fs::path>& sources) {
    std::vector<std::string> files{"*v", "*h"};
    for (const fs::path& source : sources) {
        files.push_back(source.string());
    }
    std::ostringstream out;
    out << "`verilator_config\n";
    for (const std::string& file : files) {
        for (const char* rule : {"PINMISSING", "WIDTH"}) {
            out << "lint_off -rule " << rule << " -file \"" << file << "\"\n";
        }
    }
    return out.str();
}

/// Verilator cuts the names of files off at a blank, so those that have one go by a link.
std::vector<fs::path> without_blanks(const std::vector<fs::path>& paths, const fs::path& links) {
    std::vector<fs::path> result;
    for (const fs::path& path : paths) {
        if (path.string().find(' ') == std::string::npos) {
            result.push_back(path);
            continue;
        }
        const std::string name =
            std::to_string(result.size()) + '_' + with(path.filename().string(), " ", "_");
        fs::create_directories(links);
        fs::remove(links / name);
        fs::create_symlink(path, links / name);
        result.push_back(links / name);
    }
    return result;
}

/// One argument of a file for -f, whatever is in it.
std::string quoted(const std::string& argument) {
    return '"' + with(with(argument, "\\", "\\\\"), "\"", "\\\"") + "\"\n";
}

/// Verilator refuses --savable beside it.
bool has_coverage(const PinMap& map) {
    return std::ranges::any_of(map.verilator, [](const std::string& option) {
        return option.starts_with("--coverage") || option.starts_with("-coverage");
    });
}

/// `own`: what the tool has written for Verilator beside the wrapper.
std::string arguments(const PinMap& map, const Request& request, const fs::path& own,
                      const std::vector<fs::path>& sources) {
    std::string out = "-Wwarn-PINMISSING\n-Werror-PINMISSING\n-Wwarn-WIDTH\n-Werror-WIDTH\n" +
                      quoted(own / "foreign.vlt") + (has_coverage(map) ? "" : "--savable\n") +
                      "-GNumCounters=" + std::to_string(map.counters) +
                      "\n-GCounterWidth=" + std::to_string(map.width) + "\n-GSscofpmf=1'b0\n";
    const std::string directory = fs::absolute(request.pins).parent_path().string();
    for (const std::string& define : map.defines) {
        out += quoted("+define+" + define);
    }
    for (const std::string& option : map.verilator) {
        out += quoted(with(option, "{dir}", directory));
    }
    for (const fs::path& include : without_blanks(map.include_directories, own / "include")) {
        out += quoted("-I" + include.string());
    }
    for (const fs::path& source : sources) {
        out += quoted(source.string());
    }
    return out;
}

/// The row of the table of models, as far as the pin map defines it.
std::string shape(const PinMap& map) {
    return std::to_string(map.counters) + ", " + std::to_string(map.width) + ", " +
           (map.write_freezes ? "true" : "false") + ", RtlOrigin::Foreign\n";
}

/// As make and Ninja want it.
std::string escaped(const fs::path& path) {
    return with(with(with(path.string(), "$", "$$"), "#", "\\#"), " ", "\\ ");
}

/// The files that a new wrapper, and with it a new model, has to follow.
std::string dependencies(const PinMap& map, const fs::path& target) {
    std::string out = escaped(target) + ':';
    for (const fs::path& source : map.sources) {
        out += ' ' + escaped(source);
    }
    for (const fs::path& directory : map.include_directories) {
        for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
            if (entry.is_regular_file()) {
                out += ' ' + escaped(entry.path());
            }
        }
    }
    return out + '\n';
}

void write(const fs::path& file, const std::string& text) {
    OutputFile out(file);
    out.write(text);
    out.commit();
}

int run(const Request& request) {
    const PinMap map = read_pin_map(request.pins);
    const std::string text = wrapper(map, request.own_file);
    fs::create_directories(request.output);
    const fs::path target = request.output / kWrapper;
    write(target, text);
    const fs::path own = fs::absolute(request.output);
    const std::vector<fs::path> sources = without_blanks(map.sources, own / "sources");
    write(own / "foreign.vlt", lint(sources));
    write(own / "arguments.f", arguments(map, request, own, sources));
    write(request.output / "shape.inc", shape(map));
    write(request.output / "depends.d", dependencies(map, target));
    return 0;
}

} // namespace
} // namespace pes

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("pes-foreign-rtl: expected PINS.toml DIRECTORY pes_counter_file.sv\n", stderr);
        return pes::kUserErrorExit;
    }
    try {
        return pes::run({argv[1], argv[2], argv[3]});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pes-foreign-rtl: %s\n", error.what());
    }
    return pes::kUserErrorExit;
}
