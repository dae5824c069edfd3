// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/published_lines.h"

#include "decoder/trace/output/append_text.h"

namespace pes::trace {

std::string published_head_line(const ElfProgram& program) {
    return "# ELFPATH=" + program.path() + "\n";
}

void begin_published_line(std::string& line, std::uint16_t source, TraceTime time,
                          TextStyle style) {
    line.clear();
    if (style == TextStyle::Published) {
        append_text(line, "[{}] {} ", source,
                    static_cast<std::int32_t>(static_cast<std::uint32_t>(time.value_or(0))));
    } else {
        append_text(line, "[{}] {} ", source, time.value_or(0));
    }
}

bool end_published_line(std::string& line, CodePlaces& places, std::uint16_t source,
                        Address address) {
    const CodePlace& place = places.find(source, address);
    line += place.published;
    line += '\n';
    return place.in_program;
}

} // namespace pes::trace
