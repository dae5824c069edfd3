// SPDX-License-Identifier: Apache-2.0
#include "tb/timing_diagram.h"

#include <algorithm>
#include <cstdio>

namespace pes {
namespace {

// Layout, in pixels.
constexpr int kLabelWidth = 190;
constexpr int kWaveWidth = 900;
constexpr int kMargin = 16;
constexpr int kTitleHeight = 26;
constexpr int kRowHeight = 26;
constexpr int kSignalHeight = 16;
constexpr int kScaleHeight = 18;
constexpr int kPanelGap = 14;
constexpr double kCharacterWidth = 6.4; // of the small font
constexpr double kSlope = 2.5;          // half the width of a vector's crossing

constexpr std::string_view kHead =
    "<style>text{font-family:DejaVu Sans Mono,Menlo,Consolas,monospace;font-size:11px;"
    "fill:#1f2933}.t{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;font-size:13px;"
    "font-weight:bold}.s{font-size:10px;fill:#616e7c}.g{stroke:#e4e7eb;stroke-width:1}"
    ".b{stroke:#0b69a3;stroke-width:1.6;fill:none}.h{fill:#b3ecff;fill-opacity:.6}"
    ".v{stroke:#3d5a80;stroke-width:1.1;fill:#f0f4f8}</style>\n";

std::string fixed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return result;
}

std::string last_part(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

std::string value_text(std::uint64_t value, Radix radix) {
    char text[24];
    std::snprintf(text, sizeof text, radix == Radix::Hexadecimal ? "%#llx" : "%llu",
                  static_cast<unsigned long long>(value));
    return text;
}

/// The cycle of the finest of 1, 2, 5, 10, ... that leaves room for its number.
Cycle tick_distance(double cycle_width) {
    constexpr double kRoom = 56;
    for (Cycle decade = 1;; decade *= 10) {
        for (const Cycle step : {decade, 2 * decade, 5 * decade}) {
            if (static_cast<double>(step) * cycle_width >= kRoom) {
                return step;
            }
        }
    }
}

class Drawing {
  public:
    explicit Drawing(const VcdFile& wave) : wave_(wave) {}

    void panel(const DiagramPanel& panel) {
        from_ = panel.from;
        to_ = panel.to;
        cycle_width_ = kWaveWidth / static_cast<double>(to_ - from_);
        put(kMargin, y_ + 14, "t", "Figure " + panel.figure->number + ": " + panel.figure->title);
        y_ += kTitleHeight;
        scale(static_cast<int>(panel.figure->signals.size()) * kRowHeight);
        for (const FigureSignal& signal : panel.figure->signals) {
            row(signal);
        }
        y_ += kPanelGap;
    }

    std::string svg() const {
        const std::string width = std::to_string(kLabelWidth + kWaveWidth + 2 * kMargin);
        const std::string height = std::to_string(y_);
        std::string text = R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" + width +
                           "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
                           "\">\n";
        text.append(kHead).append("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        return text + body_ + "</svg>\n";
    }

  private:
    double x(Cycle cycle) const {
        return kMargin + kLabelWidth + static_cast<double>(cycle - from_) * cycle_width_;
    }

    void put(double at_x, double at_y, std::string_view style, const std::string& text) {
        body_ += "<text class=\"" + std::string(style) + "\" x=\"" + fixed(at_x) + "\" y=\"" +
                 fixed(at_y) + "\">" + escaped(text) + "</text>\n";
    }

    /// Grid lines at cycle starts, numbered.
    void scale(int height) {
        const Cycle step = tick_distance(cycle_width_);
        const Cycle grid = cycle_width_ >= 6 ? 1 : step;
        for (Cycle cycle = (from_ + grid - 1) / grid * grid; cycle <= to_; cycle += grid) {
            body_ += R"(<path class="g" d="M)" + fixed(x(cycle)) + " " + std::to_string(y_ + 4) +
                     "v" + std::to_string(kScaleHeight + height - 4) + "\"/>\n";
            if (cycle % step == 0 && cycle < to_) {
                put(x(cycle) + 2, y_ + 12, "s", std::to_string(cycle));
            }
        }
        y_ += kScaleHeight;
    }

    void row(const FigureSignal& figure) {
        const WaveSignal& signal = wave_.signal(figure.name);
        std::string label = last_part(figure.name);
        if (figure.bit) {
            label.append("[").append(std::to_string(*figure.bit)).append("]");
        }
        put(kMargin, y_ + kSignalHeight - 3, "", label);
        const auto value_at = [&](Cycle cycle) {
            const std::uint64_t value = signal.at(cycle).value_or(0);
            return figure.bit ? value >> *figure.bit & 1 : value;
        };
        const bool line = signal.width() == 1 || figure.bit.has_value();
        for (Cycle start = from_; start < to_;) {
            Cycle end = start + 1;
            while (end < to_ && value_at(end) == value_at(start)) {
                ++end;
            }
            if (line) {
                level(start, end, value_at(start) != 0);
            } else {
                box(start, end, value_text(value_at(start), figure.radix));
            }
            start = end;
        }
        y_ += kRowHeight;
    }

    void level(Cycle start, Cycle end, bool high) {
        const std::string top = std::to_string(y_);
        const std::string bottom = std::to_string(y_ + kSignalHeight);
        if (high) {
            body_ += R"(<rect class="h" x=")" + fixed(x(start)) + "\" y=\"" + top + "\" width=\"" +
                     fixed(x(end) - x(start)) + "\" height=\"" + std::to_string(kSignalHeight) +
                     "\"/>\n";
        }
        const std::string& own = high ? top : bottom;
        const std::string& other = high ? bottom : top;
        const std::string edge = start == from_ ? own : other; // where the line comes from
        body_ += R"(<path class="b" d="M)" + fixed(x(start)) + " " + edge + "V" + own + "H" +
                 fixed(x(end)) + "\"/>\n";
    }

    void box(Cycle start, Cycle end, const std::string& text) {
        const double left = x(start);
        const double right = x(end);
        const double slope = std::min(kSlope, (right - left) / 2);
        const std::string top = std::to_string(y_);
        const std::string middle = std::to_string(y_ + kSignalHeight / 2);
        const std::string bottom = std::to_string(y_ + kSignalHeight);
        body_ += R"(<path class="v" d="M)" + fixed(left) + " " + middle + "L" +
                 fixed(left + slope) + " " + top + "H" + fixed(right - slope) + "L" + fixed(right) +
                 " " + middle + "L" + fixed(right - slope) + " " + bottom + "H" +
                 fixed(left + slope) + "Z\"/>\n";
        const double width = static_cast<double>(text.size()) * kCharacterWidth;
        if (width + 2 * slope <= right - left) {
            put((left + right - width) / 2, y_ + kSignalHeight - 4, "", text);
        }
    }

    const VcdFile& wave_;
    std::string body_;
    int y_ = kMargin;
    Cycle from_ = 0;
    Cycle to_ = 1;
    double cycle_width_ = 1;
};

} // namespace

std::string draw_timing_diagram(const VcdFile& wave, std::span<const DiagramPanel> panels) {
    Drawing drawing(wave);
    for (const DiagramPanel& panel : panels) {
        drawing.panel(panel);
    }
    return drawing.svg();
}

} // namespace pes
