// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/read_trace.h"

#include "platform/host/input_file.h"
#include "platform/host/user_error.h"

#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

/// What FILE.toml says of another trace must not be taken for this one.
void require_same_trace(const std::string& file, std::uint32_t told, std::uint32_t found) {
    if (told != found) {
        throw UserError(fmt::format("'{0}.toml' is of another trace: its crc32 is {1:#010x}, that "
                                    "of '{0}' {2:#010x}; expected the file that was written with "
                                    "this trace, or none",
                                    file, told, found));
    }
}

/// All items of the file, in order. `add` gets each of them but a last one that a full buffer has
/// cut.
template <typename Item, typename Reader, typename Quality, typename Add>
void read_all(const std::string& file, InputFile& input, Reader& reader, StreamEnd end,
              const TraceSettings& side_file, Quality& quality, Add add) {
    Crc32 sum;
    if (side_file.crc32) {
        reader.add_bytes_to(sum);
    }
    Item item;
    while (reader.next(item)) {
        if (item.kind == Item::Kind::Truncated && end == StreamEnd::InMessage) {
            quality.cut_end_bytes = item.size;
            continue; // the last of the file
        }
        add(item);
    }
    input.require_read();
    if (side_file.crc32) {
        require_same_trace(file, *side_file.crc32, sum.value());
    }
    quality.bytes = reader.bytes();
    quality.idle_bytes = reader.idle_bytes();
    quality.cut_bytes = reader.cut_bytes();
}

} // namespace

TraceQuality read_trace(const std::string& file, const TraceEncoding& encoding,
                        const TraceSettings& side_file,
                        const std::function<void(const TraceItem&, const MessageContext&)>& add) {
    InputFile input(file);
    TraceReader reader(input.stream(), encoding.source_bits, encoding.start, encoding.addresses);
    ContextTracker contexts(encoding.timestamps, encoding.address_bits);
    TraceQuality quality;
    read_all<TraceItem>(file, input, reader, encoding.end, side_file, quality,
                        [&](const TraceItem& item) {
                            const MessageContext context = contexts.next(item);
                            quality.add(item, context);
                            add(item, context);
                        });
    return quality;
}

etrace::PacketQuality read_packets(const std::string& file, const TraceEncoding& encoding,
                                   const TraceSettings& side_file,
                                   const std::function<void(const etrace::PacketItem&)>& add) {
    InputFile input(file);
    etrace::PacketReader reader(input.stream(), encoding.packets, encoding.start);
    etrace::PacketQuality quality;
    read_all<etrace::PacketItem>(file, input, reader, encoding.end, side_file, quality,
                                 [&](const etrace::PacketItem& item) {
                                     quality.add(item);
                                     add(item);
                                 });
    return quality;
}

} // namespace pes::trace
