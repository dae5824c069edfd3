// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/perf_products.h"

#include <cmath>

namespace pes::trace {

PerfProducts::PerfProducts(const PerfOptions& options, const std::string& trace_file,
                           const ElfProgram* program, const ProgramImage& code,
                           std::optional<double> clock_hz, OutputSet& files)
    : enabled_(options.any()),
      clock_hz_(static_cast<std::uint64_t>(std::llround(clock_hz.value_or(1e9)))),
      record_calls_(calls_.records()), streams_(options.stimulus, pieces_) {
    if (program != nullptr) {
        places_.emplace(*program);
    }
    quality_.emplace(places_ ? &*places_ : nullptr);
    const std::filesystem::path directory = options.directory.empty()
                                                ? std::filesystem::path(trace_file).parent_path()
                                                : std::filesystem::path(options.directory);
    if (!options.directory.empty()) {
        files.make_directory(directory);
    }
    open_files(options, directory, files);
    open_trees(options, directory, files);
    if (options.event_files) {
        event_files_ =
            std::make_unique<EventFiles>(files, directory, *places_, code, options.style);
    }
}

/// What is made of records one by one.
void PerfProducts::open_files(const PerfOptions& options, const std::filesystem::path& directory,
                              OutputSet& files) {
    CodePlaces* places = places_ ? &*places_ : nullptr;
    records_.listen(*quality_);
    if (options.text_files) {
        text_files_ = std::make_unique<PerfFiles>(files, directory, *places, options.style);
        pieces_.listen(*text_files_);
    }
    pieces_.listen(records_);
    if (OutputFile* file = files.open(options.csv)) {
        csv_ = std::make_unique<RecordCsv>(file, places);
        records_.listen(*csv_);
    }
    if (OutputFile* file = files.open(options.json_lines)) {
        json_ = std::make_unique<RecordJson>(file, places);
        records_.listen(*json_);
    }
}

/// What is made of the calls in them. Who weighs or counts at a record is told of it before the
/// call that it stands for.
void PerfProducts::open_trees(const PerfOptions& options, const std::filesystem::path& directory,
                              OutputSet& files) {
    CodePlaces* places = places_ ? &*places_ : nullptr;
    if (OutputFile* file = files.open(options.timeline)) {
        timeline_ = std::make_unique<Timeline>(file, places, clock_hz_);
        records_.listen(*timeline_);
        calls_.listen(*timeline_);
    }
    if (options.ctf) {
        ctf_ = std::make_unique<CtfTrace>(files, directory, places->program(), clock_hz_);
        records_.listen(*ctf_);
        calls_.listen(*ctf_);
    }
    folded_file_ = files.open(options.folded);
    if (folded_file_ != nullptr) {
        folded_ = std::make_unique<FoldedStacks>(places, options.weight);
        records_.listen(*folded_);
        calls_.listen(*folded_);
    }
    records_.listen(record_calls_);
}

void PerfProducts::follow(Flow& flow) {
    if (timeline_ || ctf_ || folded_) {
        flow.add_sink(flow_calls_.emplace(calls_.flow()));
    }
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
    } else {
        add_event(item, context);
    }
}

void PerfProducts::add_event(const TraceItem& item, const MessageContext& context) {
    if (event_files_) {
        event_files_->add(item, context);
    }
    if (!json_ && !timeline_ && !ctf_) {
        return;
    }
    if (const std::optional<TraceEvent> event = event_of(item, context)) {
        if (json_) {
            json_->event(*event);
        }
        if (timeline_) {
            timeline_->event(*event);
        }
        if (ctf_) {
            ctf_->event(*event);
        }
    } else if (const std::optional<Ownership> ownership = ownership_of(item, context)) {
        if (json_) {
            json_->ownership(*ownership);
        }
        if (timeline_) {
            timeline_->ownership(*ownership);
        }
    }
}

void PerfProducts::finish(std::uint64_t end_of_file) {
    if (!enabled_) {
        return;
    }
    streams_.finish(end_of_file);
    record_calls_.finish();
    if (text_files_) {
        text_files_->finish();
    }
    if (event_files_) {
        event_files_->finish();
    }
    if (csv_) {
        csv_->finish();
    }
    if (json_) {
        json_->finish();
    }
    if (timeline_) {
        timeline_->finish();
    }
    if (ctf_) {
        ctf_->finish();
    }
    if (folded_) {
        folded_->write(folded_file_->stream());
    }
}

} // namespace pes::trace
