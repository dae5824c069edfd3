// SPDX-License-Identifier: Apache-2.0
// Save file of GTKWave: which signals it shows, in which groups, with which markers, and the time
// that fills its window.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pes {

enum class Radix : std::uint8_t { Binary, Decimal, Hexadecimal, Text };

struct GtkwaveTrace {
    std::string name; ///< scoped, as in the waveform file, without a range
    unsigned width = 1;
    Radix radix = Radix::Hexadecimal;
    std::string label{}; ///< shown instead of the name's last part; empty: that
};

struct GtkwaveGroup {
    std::string title;
    std::vector<GtkwaveTrace> traces;
};

/// One of the named markers, of which there are 26.
struct GtkwaveMarker {
    std::string name;
    std::uint64_t time;
};

/// Times are in units of the waveform file.
struct GtkwaveSave {
    std::string title;
    std::string wave;                 ///< name of the waveform file beside the save file
    std::uint64_t from = 0, to = 0;   ///< what fills the window
    std::uint64_t marker = 0;         ///< the primary one
    std::vector<GtkwaveMarker> named; ///< from A on
    std::vector<GtkwaveGroup> groups;
};

std::string to_text(const GtkwaveSave& save);

} // namespace pes
