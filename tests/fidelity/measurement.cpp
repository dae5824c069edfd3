// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/measurement.h"

#include "platform/host/user_error.h"

#include <charconv>
#include <fstream>
#include <sstream>

namespace pes::fidelity {

namespace {

// Columns: kernel, repetition, cycles, instructions, cycles per instruction, events, checksum.
constexpr std::size_t kFirstEvent = 5;
constexpr std::size_t kColumns = kFirstEvent + kEvents + 1;

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) {
        fields.push_back(field);
    }
    return fields;
}

std::uint64_t number(const std::string& field, const std::string& place) {
    std::uint64_t value = 0;
    const char* const end = field.data() + field.size();
    const auto [rest, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc{} || rest != end) {
        throw UserError(place + ": '" + field + "' is not a count");
    }
    return value;
}

/// `settings` are those of the RTL build, and of its defects.
Reference read_reference(const std::filesystem::path& file, unsigned events,
                         std::vector<std::string> settings) {
    std::ifstream in(file);
    if (!in) {
        throw UserError("cannot read reference counts '" + file.string() + "'");
    }
    Reference reference{.name = file.stem().string(),
                        .settings = std::move(settings),
                        .events = events,
                        .kernels = {}};
    std::string line;
    std::getline(in, line); // column names
    for (unsigned row = 2; std::getline(in, line); ++row) {
        const std::string place = file.string() + ":" + std::to_string(row);
        const std::vector<std::string> fields = split(line);
        if (fields.size() != kColumns) {
            throw UserError(place + ": expected " + std::to_string(kColumns) + " columns");
        }
        const std::uint64_t repetition = number(fields[1], place);
        if (repetition >= kRepetitions) {
            throw UserError(place + ": no repetition " + fields[1]);
        }
        Measurement& to = reference.kernels[fields[0]][repetition];
        to.cycles = number(fields[2], place);
        to.instructions = number(fields[3], place);
        for (unsigned event = 0; event < kEvents; ++event) {
            to.events[event] = number(fields[kFirstEvent + event], place);
        }
        to.checksum = number(fields[kFirstEvent + kEvents], place);
    }
    return reference;
}

} // namespace

std::vector<Reference> read_references(const std::filesystem::path& directory) {
    constexpr unsigned kSixCounters = 6;
    const auto of_v5_3_0 = [&directory](const char* file, std::vector<std::string> settings) {
        settings.insert(settings.end(), kSettingsOfV5_3_0.begin(), kSettingsOfV5_3_0.end());
        return read_reference(directory / file, kEvents, std::move(settings));
    };
    return {of_v5_3_0("v5.3.0.csv", {}),
            of_v5_3_0("small-v5.3.0.csv",
                      {"timing.l1i.bytes=8192", "timing.l1i.ways=2", "timing.l1d.bytes=16384",
                       "timing.l1d.ways=4", "timing.bht_rows=32", "timing.btb_rows=4",
                       "timing.ras_entries=4", "timing.scoreboard_entries=4",
                       "timing.eviction_event=as-v5.3.0"}),
            of_v5_3_0("narrow-v5.3.0.csv",
                      {"timing.commit_ports=1", "timing.load_pipe_registers=0", "timing.btb_rows=0",
                       "timing.bht_rows=16", "timing.scoreboard_entries=4"}),
            of_v5_3_0("deep-v5.3.0.csv",
                      {"timing.load_pipe_registers=2", "timing.store_pipe_registers=1",
                       "timing.scoreboard_entries=16", "timing.ras_entries=8"}),
            read_reference(directory / "2025-07.csv", kSixCounters,
                           {"timing.generation=cva6-2025-07"})};
}

} // namespace pes::fidelity
