// SPDX-License-Identifier: Apache-2.0
// The matrix of an experiment, from a TOML file (docs/lab.md): programs, platform settings, and
// groups of points, each the product of its lists. A mistake in the file is a UserError with its
// line.
#pragma once

#include "hw/interface/pmu/profile.h"
#include "platform/profile/sample_profile.h"
#include "platform/sampling/method.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pes {
class ProfileFile;
}

namespace pes::lab {

/// What pes-vp is to run: a program, or a firmware and its payload. Paths that can be opened.
struct Guest {
    std::string program;
    std::string firmware;
    std::string kernel;

    std::vector<std::string> files() const; ///< those that are not empty
    std::vector<std::string> arguments() const;
};

struct LabProgram {
    std::string name;
    Guest guest;
};

struct LabSettings {
    std::string name;
    std::vector<std::string> assignments; ///< of --set
    const PmuProfile* pmu = nullptr;
    std::shared_ptr<const ProfileFile> profile_file{}; ///< owns it if it is of a file
};

struct LabEvent {
    std::string name;
    EventId id;
    EventMask sources{};
};

/// How often to sample: every so many units of the method's trigger, or so often that a run gives
/// about so many samples.
struct Rate {
    enum class Kind : std::uint8_t { Period, Samples };
    Kind kind = Kind::Samples;
    std::uint64_t number = 0;
};

/// The product of its lists.
struct PointGroup {
    std::vector<std::size_t> programs; ///< places in Matrix::programs
    std::vector<std::size_t> settings;
    std::vector<const SamplingMethod*> methods;
    std::vector<LabEvent> events;
    std::vector<Rate> rates;
    std::vector<std::uint64_t> seeds;
    unsigned spread = 0; ///< percent
};

/// Two guests that differ in that one of them samples itself.
struct DeliveryTrial {
    std::string delivery;
    Guest sampling;
    Guest plain;
    std::vector<std::string> assignments;
    unsigned traps = 0; ///< for one sample; 0: the samples are those of the run's statistics
};

/// A guest that samples itself, whose skid is measured.
struct SkidTrial {
    std::string name;
    Guest guest;
    std::vector<std::string> assignments;
};

struct Matrix {
    std::filesystem::path file;
    std::uint64_t max_cycles = 0; ///< of each run
    std::uint64_t min_events = 0; ///< a program with fewer of an event has no points of it
    std::vector<LabProgram> programs;
    std::vector<LabSettings> settings;
    std::vector<PointGroup> groups;
    std::vector<DeliveryTrial> deliveries;
    std::vector<SkidTrial> skids;
};

/// `programs`: where relative names of ELF files are; empty: beside the matrix. Throws UserError.
Matrix read_matrix(const std::filesystem::path& file, const std::filesystem::path& programs);

} // namespace pes::lab
