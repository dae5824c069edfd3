// SPDX-License-Identifier: Apache-2.0
#include "tb/gtkwave_save.h"

#include <sstream>

namespace pes {
namespace {

// Trace flags of GTKWave's save format; a line "@flags" holds for the traces that follow.
constexpr unsigned kHexadecimal = 0x2;
constexpr unsigned kDecimal = 0x4;
constexpr unsigned kBinary = 0x8;
constexpr unsigned kRightJustified = 0x20;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kGroupBegin = 0x80'0000;
constexpr unsigned kGroupEnd = 0x100'0000;

unsigned flags_of(Radix radix) {
    switch (radix) {
    case Radix::Binary:
        return kRightJustified | kBinary;
    case Radix::Decimal:
        return kRightJustified | kDecimal;
    case Radix::Hexadecimal:
        break;
    }
    return kRightJustified | kHexadecimal;
}

/// The 26 named markers behind the primary one, unset.
std::string no_markers() {
    constexpr unsigned kNamedMarkers = 26;
    std::string text;
    for (unsigned marker = 0; marker < kNamedMarkers; ++marker) {
        text += " -1";
    }
    return text;
}

/// GTKWave knows a vector by its name and range.
std::string trace_of(const FigureSignal& signal, unsigned width) {
    return width == 1 ? signal.name
                      : std::string(signal.name)
                            .append("[")
                            .append(std::to_string(width - 1))
                            .append(":0]");
}

} // namespace

std::string gtkwave_save(std::span<const Figure> figures, const VcdFile& wave,
                         const GtkwaveView& view) {
    std::ostringstream out;
    out << "[*] Precise event sampling, figure by figure\n"
        << "[dumpfile] \"" << view.vcd << "\"\n"
        << "[timestart] " << view.start * view.cycle_time << "\n"
        << "[size] 1400 900\n"
        << "*" << view.zoom << ".000000 " << view.marker * view.cycle_time << no_markers() << "\n"
        << "[sst_width] 200\n[signals_width] 330\n";
    for (const Figure& figure : figures) {
        const std::string title = "Figure " + figure.number + ": " + figure.title;
        out << std::hex << "@" << (kGroupBegin | kBlank) << "\n-" << title << "\n";
        for (const FigureSignal& signal : figure.signals) {
            out << "@" << flags_of(signal.radix) << "\n"
                << trace_of(signal, wave.signal(signal.name).width()) << "\n";
        }
        out << "@" << (kGroupEnd | kBlank) << std::dec << "\n-" << title << "\n";
    }
    return out.str();
}

} // namespace pes
