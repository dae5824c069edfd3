// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/source_width.h"

#include "decoder/trace/file_sample.h"
#include "decoder/trace/messages/trace_quality.h"

#include <sstream>

namespace pes::trace {
namespace {

bool reads_well(const std::string& bytes, unsigned source_bits, const TraceEncoding& tried) {
    std::istringstream input(bytes);
    TraceReader reader(input, source_bits, tried.start);
    ContextTracker contexts(tried.timestamps);
    TraceItem item;
    bool any = false;
    while (reader.next(item)) {
        if (item.kind == TraceItem::Kind::Truncated) {
            break;
        }
        const MessageContext context = contexts.next(item);
        any = true;
        if (item.kind == TraceItem::Kind::Damage || item.doubtful ||
            (item.message.timestamp && !context.time)) {
            return false;
        }
    }
    return any;
}

} // namespace

std::vector<unsigned> better_source_bits(const std::string& file, const TraceEncoding& tried) {
    std::vector<unsigned> widths;
    const std::string bytes = sample_of(file);
    if (bytes.empty() || reads_well(bytes, tried.source_bits, tried)) {
        return widths; // what is wrong with the file is something else
    }
    for (unsigned width = 0; width <= kMostSourceBits; ++width) {
        if (width != tried.source_bits && reads_well(bytes, width, tried)) {
            widths.push_back(width);
        }
    }
    return widths;
}

} // namespace pes::trace
