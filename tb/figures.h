// SPDX-License-Identifier: Apache-2.0
// The five published figures of precise event sampling as lists of signals: what the GTKWave save
// file groups and what the drawing shows. One signal may be in several figures.
#pragma once

#include "platform/soc/waves/gtkwave_save.h"

#include <optional>
#include <string>
#include <vector>

namespace pes {

struct FigureSignal {
    std::string name; ///< scoped, as in the waveform file
    Radix radix = Radix::Hexadecimal;
    std::optional<unsigned> bit{}; ///< the one that matters, drawn as a line of its own
};

struct Figure {
    std::string number; ///< "4.3"
    std::string title;
    std::vector<FigureSignal> signals;
};

/// For counter `index`: 0 mcycle, 2 minstret, 3.. mhpmcounterN.
std::vector<Figure> published_figures(unsigned index);

} // namespace pes
