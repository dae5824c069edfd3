// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/gtkwave_save.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace pes {
namespace {

// Trace flags of GTKWave's save format; a line "@flags" holds for the traces that follow.
constexpr unsigned kHexadecimal = 0x2;
constexpr unsigned kDecimal = 0x4;
constexpr unsigned kBinary = 0x8;
constexpr unsigned kRightJustified = 0x20;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kText = 0x800;
constexpr unsigned kGroupBegin = 0x80'0000;
constexpr unsigned kGroupEnd = 0x100'0000;

// Of the window, in pixels.
constexpr unsigned kWidth = 1400;
constexpr unsigned kHeight = 900;
constexpr unsigned kTreeWidth = 200;
constexpr unsigned kNamesWidth = 330;
constexpr unsigned kFrames = 310;      ///< around them, and what long names take beyond that
constexpr unsigned kFramePixels = 200; ///< of the "frame" in which GTKWave counts its zoom

constexpr std::size_t kNamedMarkers = 26;

unsigned flags_of(Radix radix) {
    switch (radix) {
    case Radix::Binary:
        return kRightJustified | kBinary;
    case Radix::Decimal:
        return kRightJustified | kDecimal;
    case Radix::Text:
        return kRightJustified | kText;
    case Radix::Hexadecimal:
        break;
    }
    return kRightJustified | kHexadecimal;
}

/// GTKWave knows a vector by its name and range.
std::string name_of(const GtkwaveTrace& trace) {
    return trace.width <= 1
               ? trace.name
               : std::string(trace.name).append("[").append(std::to_string(trace.width - 1)) +
                     ":0]";
}

/// GTKWave's zoom z shows 2^-z time units in a frame, which is one time unit at least.
std::string zoom_of(const GtkwaveSave& save) {
    const auto pixels = static_cast<double>(kWidth - kTreeWidth - kNamesWidth - kFrames);
    const auto time = static_cast<double>(std::max(save.to, save.from + 1) - save.from);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6f",
                  -std::log2(std::max(time * kFramePixels / pixels, 1.0)));
    return text.data();
}

} // namespace

std::string to_text(const GtkwaveSave& save) {
    std::ostringstream out;
    const std::size_t named = std::min(save.named.size(), kNamedMarkers);
    out << "[*] " << save.title << "\n[dumpfile] \"" << save.wave << "\"\n[timestart] " << save.from
        << "\n[size] " << kWidth << " " << kHeight << "\n*" << zoom_of(save) << " " << save.marker;
    for (std::size_t index = 0; index < kNamedMarkers; ++index) {
        out << " " << (index < named ? std::to_string(save.named[index].time) : "-1");
    }
    out << "\n";
    for (std::size_t index = 0; index < named; ++index) {
        out << "[markername] " << static_cast<char>('A' + index) << save.named[index].name << "\n";
    }
    out << "[sst_width] " << kTreeWidth << "\n[signals_width] " << kNamesWidth << "\n";
    for (const GtkwaveGroup& group : save.groups) {
        out << std::hex << "@" << (kGroupBegin | kBlank) << "\n-" << group.title << "\n";
        for (const GtkwaveTrace& trace : group.traces) {
            out << "@" << flags_of(trace.radix) << "\n";
            if (!trace.label.empty()) {
                out << "+{" << trace.label << "} ";
            }
            out << name_of(trace) << "\n";
        }
        out << "@" << (kGroupEnd | kBlank) << std::dec << "\n-" << group.title << "\n";
    }
    return out.str();
}

} // namespace pes
