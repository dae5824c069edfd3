// SPDX-License-Identifier: Apache-2.0
// Charts as SVG text for an HTML page: points and lines over two axes, and bars. Colours and fonts
// are classes of the page's style sheet ("series-N", "axis", "grid"), so that they follow its light
// and dark themes. Labels are HTML-escaped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pes::lab {

std::string html_escaped(std::string_view text);

enum class Scale : std::uint8_t { Linear, Logarithmic };

struct Axis {
    std::string label; ///< with the unit
    Scale scale = Scale::Linear;
};

struct ChartPoint {
    double x = 0;
    double y = 0;
};

struct Series {
    std::string name;
    std::size_t style = 0; ///< colour and mark, the same in all charts of a page
    std::vector<ChartPoint> points;
};

/// A mark for each point; `lines` joins those of a series. Points that a logarithmic axis cannot
/// show stand at its lower end.
std::string xy_chart(const std::string& title, const Axis& x, const Axis& y,
                     const std::vector<Series>& series, bool lines);

struct Bar {
    std::string label;
    double value = 0;
};

std::string bar_chart(const std::string& title, const std::string& x_label,
                      const std::string& y_label, const std::vector<Bar>& bars);

} // namespace pes::lab
