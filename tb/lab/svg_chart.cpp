// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/svg_chart.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pes::lab {
namespace {

// In pixels of the picture.
constexpr double kWidth = 560;
constexpr double kHeight = 320;
constexpr double kLeft = 56;
constexpr double kRight = 16;
constexpr double kTop = 16;
constexpr double kBottom = 48;
constexpr double kLegendRow = 18;
constexpr double kMark = 5;
constexpr std::size_t kLegendColumns = 4;
constexpr std::size_t kMarks = 4;
constexpr std::size_t kMostBarLabels = 24;

/// Numbers of one axis on the picture.
class Ruler {
  public:
    Ruler(Scale scale, double least, double most, double from, double to)
        : scale_(scale), from_(from), to_(to) {
        if (scale == Scale::Logarithmic) {
            first_ = std::floor(std::log10(least));
            last_ = std::max(first_ + 1, std::ceil(std::log10(most)));
            for (double power = first_; power <= last_; ++power) {
                ticks_.push_back(std::pow(10, power));
            }
        } else {
            const double step = nice_step(most);
            last_ = std::max(1.0, std::ceil(most / step)) * step;
            for (double tick = 0; tick <= last_ + step / 2; tick += step) {
                ticks_.push_back(tick);
            }
        }
    }

    double at(double value) const {
        if (scale_ == Scale::Logarithmic) {
            value = value > 0 ? std::log10(value) : first_;
        }
        const double part = std::clamp((value - first_) / (last_ - first_), 0.0, 1.0);
        return from_ + part * (to_ - from_);
    }
    const std::vector<double>& ticks() const { return ticks_; }

  private:
    /// 1, 2 or 5 times a power of ten, so that there are about five steps.
    static double nice_step(double most) {
        const double raw = std::max(most, 1e-9) / 5;
        const double power = std::pow(10, std::floor(std::log10(raw)));
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor * power >= raw) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    Scale scale_;
    double from_, to_;
    double first_ = 0;
    double last_ = 1;
    std::vector<double> ticks_;
};

std::string line(const char* style, double x1, double y1, double x2, double y2) {
    return fmt::format("<line class='{}' x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}'/>", style,
                       x1, y1, x2, y2);
}

std::string text(const char* anchor, double x, double y, std::string_view words) {
    return fmt::format("<text text-anchor='{}' x='{:.1f}' y='{:.1f}'>{}</text>", anchor, x, y,
                       html_escaped(words));
}

/// Styles differ in shape too, for those who do not tell colours apart.
std::string mark(std::size_t style, double x, double y) {
    switch (style % kMarks) {
    case 0:
        return fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'/>", x, y, kMark);
    case 1:
        return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{}'/>", x - kMark,
                           y - kMark, 2 * kMark, 2 * kMark);
    case 2:
        return fmt::format("<path d='M{:.1f},{:.1f} l{},{} h{} z'/>", x, y - kMark, kMark,
                           2 * kMark, -2 * kMark);
    default:
        return fmt::format("<path d='M{:.1f},{:.1f} l{},{} l{},{} l{},{} z'/>", x, y - kMark - 1,
                           kMark + 1, kMark + 1, -kMark - 1, kMark + 1, -kMark - 1, -kMark - 1);
    }
}

std::string frame(const Ruler& y, const std::string& x_label, const std::string& y_label) {
    std::string svg;
    for (const double tick : y.ticks()) {
        svg += line("grid", kLeft, y.at(tick), kWidth - kRight, y.at(tick));
        svg += text("end", kLeft - 6, y.at(tick) + 4, fmt::format("{:g}", tick));
    }
    svg += line("axis", kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom);
    svg += text("middle", (kLeft + kWidth - kRight) / 2, kHeight - 8, x_label);
    svg += fmt::format("<text text-anchor='middle' transform='translate(14,{:.1f}) rotate(-90)'>"
                       "{}</text>",
                       (kTop + kHeight - kBottom) / 2, html_escaped(y_label));
    return svg;
}

std::string legend(const std::vector<Series>& series) {
    std::string svg;
    const double column = (kWidth - kLeft) / kLegendColumns;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const double x = kLeft + column * static_cast<double>(i % kLegendColumns);
        const double y = kHeight + kLegendRow * static_cast<double>(i / kLegendColumns) + 8;
        svg += fmt::format("<g class='series-{}'>{}</g>", series[i].style,
                           mark(series[i].style, x, y));
        svg += text("start", x + 2 * kMark, y + 4, series[i].name);
    }
    return svg;
}

std::string figure(const std::string& title, double height, const std::string& svg) {
    return fmt::format("<figure><figcaption>{0}</figcaption><svg viewBox='0 0 {1} {2}' role='img' "
                       "aria-label='{0}'>{3}</svg></figure>\n",
                       html_escaped(title), kWidth, height, svg);
}

/// The least positive and the largest number of all points.
struct Range {
    double least = std::numeric_limits<double>::max();
    double most = 0;
};

Range range_of(const std::vector<Series>& series, double ChartPoint::*number) {
    Range range;
    for (const Series& one : series) {
        for (const ChartPoint& point : one.points) {
            range.most = std::max(range.most, point.*number);
            if (point.*number > 0) {
                range.least = std::min(range.least, point.*number);
            }
        }
    }
    if (range.most <= 0) {
        return {.least = 1, .most = 1};
    }
    return range;
}

std::string drawn(const Series& series, const Ruler& x, const Ruler& y, bool lines) {
    std::string path;
    std::string marks;
    for (const ChartPoint& point : series.points) {
        path += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
        marks +=
            fmt::format("<g><title>{}: {:.4g}, {:.4g}</title>{}</g>", html_escaped(series.name),
                        point.x, point.y, mark(series.style, x.at(point.x), y.at(point.y)));
    }
    if (lines) {
        marks += fmt::format("<polyline points='{}'/>", path);
    }
    return fmt::format("<g class='series-{}'>{}</g>", series.style, marks);
}

} // namespace

std::string html_escaped(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        switch (letter) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '\'':
            result += "&#39;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += letter;
        }
    }
    return result;
}

std::string xy_chart(const std::string& title, const Axis& x, const Axis& y,
                     const std::vector<Series>& series, bool lines) {
    const Range xs = range_of(series, &ChartPoint::x);
    const Range ys = range_of(series, &ChartPoint::y);
    const Ruler across(x.scale, xs.least, xs.most, kLeft, kWidth - kRight);
    const Ruler up(y.scale, ys.least, ys.most, kHeight - kBottom, kTop);
    std::string svg = frame(up, x.label, y.label);
    for (const double tick : across.ticks()) {
        svg += line("grid", across.at(tick), kTop, across.at(tick), kHeight - kBottom);
        svg += text("middle", across.at(tick), kHeight - kBottom + 16, fmt::format("{:g}", tick));
    }
    for (const Series& one : series) {
        svg += drawn(one, across, up, lines);
    }
    const std::size_t rows = (series.size() + kLegendColumns - 1) / kLegendColumns;
    return figure(title, kHeight + kLegendRow * static_cast<double>(rows), svg + legend(series));
}

std::string bar_chart(const std::string& title, const std::string& x_label,
                      const std::string& y_label, const std::vector<Bar>& bars) {
    double most = 0;
    for (const Bar& bar : bars) {
        most = std::max(most, bar.value);
    }
    const Ruler up(Scale::Linear, 0, most, kHeight - kBottom, kTop);
    std::string svg = frame(up, x_label, y_label);
    const double step =
        (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(1, bars.size()));
    const std::size_t each = bars.size() / kMostBarLabels + 1; // labels must not overlap
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double x = kLeft + step * static_cast<double>(i);
        const double y = up.at(bars[i].value);
        svg += fmt::format("<rect class='bar' x='{:.1f}' y='{:.1f}' width='{:.1f}' "
                           "height='{:.1f}'><title>{}: {:.4g}</title></rect>",
                           x + step * 0.1, y, step * 0.8, kHeight - kBottom - y,
                           html_escaped(bars[i].label), bars[i].value);
        if (i % each == 0) {
            svg += text("middle", x + step / 2, kHeight - kBottom + 16, bars[i].label);
        }
    }
    return figure(title, kHeight, svg);
}

} // namespace pes::lab
