// SPDX-License-Identifier: Apache-2.0
// Draws windows of a waveform as timing diagrams, one panel a figure, in one SVG image.
#pragma once

#include "tb/figures.h"
#include "tb/vcd_reader.h"

#include <span>
#include <string>
#include <vector>

namespace pes {

struct DiagramPanel {
    const Figure* figure;
    Cycle from, to; ///< `to` exclusive
};

/// Throws UserError if the waveform lacks a signal.
std::string draw_timing_diagram(const VcdFile& wave, std::span<const DiagramPanel> panels);

} // namespace pes
