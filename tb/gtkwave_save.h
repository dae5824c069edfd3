// SPDX-License-Identifier: Apache-2.0
// Save file of GTKWave: the published figures as groups, in the viewer's text format.
#pragma once

#include "tb/figures.h"
#include "tb/vcd_reader.h"

#include <span>
#include <string>
#include <string_view>

namespace pes {

struct GtkwaveView {
    std::string vcd;          ///< name of the waveform file beside the save file
    std::uint64_t cycle_time; ///< one cycle in units of the file's time stamps
    Cycle start = 0;          ///< left edge
    Cycle marker = 0;         ///< primary marker
    int zoom = -6;            ///< GTKWave's: 2^-zoom time units a pixel
};

/// Throws UserError if the waveform lacks a signal of a figure.
std::string gtkwave_save(std::span<const Figure> figures, const VcdFile& wave,
                         const GtkwaveView& view);

} // namespace pes
