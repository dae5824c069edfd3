// SPDX-License-Identifier: Apache-2.0
// Save file of GTKWave for a sample: the published figures as groups, the sample's steps as
// markers.
#pragma once

#include "tb/figures.h"
#include "tb/sample_steps.h"
#include "tb/vcd_reader.h"

#include <span>
#include <string>

namespace pes {

struct ScenarioView {
    std::string vcd;          ///< name of the waveform file beside the save file
    std::uint64_t cycle_time; ///< one cycle in units of the file's time stamps
};

/// Throws UserError if the waveform lacks a signal of a figure.
std::string scenario_save(std::span<const Figure> figures, const VcdFile& wave,
                          const Sample& sample, const ScenarioView& view);

} // namespace pes
