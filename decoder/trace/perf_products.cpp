// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/perf_products.h"

namespace pes::trace {

PerfProducts::PerfProducts(const PerfOptions& options, const std::string& trace_file,
                           const ElfProgram* program, OutputSet& files)
    : enabled_(options.any()), streams_(options.stimulus, pieces_) {
    if (program != nullptr) {
        places_.emplace(*program);
    }
    CodePlaces* places = places_ ? &*places_ : nullptr;
    quality_.emplace(places);
    records_.listen(*quality_);
    if (options.text_files) {
        const std::filesystem::path directory =
            options.directory.empty() ? std::filesystem::path(trace_file).parent_path()
                                      : std::filesystem::path(options.directory);
        text_files_ = std::make_unique<PerfFiles>(files, directory, *places, options.style);
        pieces_.listen(*text_files_);
    }
    pieces_.listen(records_);
}

void PerfProducts::add(const TraceItem& item, const MessageContext& context) {
    if (!enabled_) {
        return;
    }
    if (item.kind != TraceItem::Kind::Message) {
        if (item.status == ParseStatus::UnknownCode && is_vendor_code(item.code)) {
            return;
        }
        streams_.messages_lost(item.offset);
        return;
    }
    const TraceMessage& message = item.message;
    if (message.code == MessageCode::Error) {
        streams_.messages_lost(message.source, item.offset);
    } else if (message.code == MessageCode::DataAcquisition) {
        const StimulusWrite write = to_stimulus_write(message);
        if (write.stimulus == streams_.stimulus()) {
            streams_.add({message.source, write.bytes, write.value, context.time, item.offset});
        }
    }
}

void PerfProducts::finish(std::uint64_t end_of_file) {
    if (!enabled_) {
        return;
    }
    streams_.finish(end_of_file);
    if (text_files_) {
        text_files_->finish();
    }
}

} // namespace pes::trace
