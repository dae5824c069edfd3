// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/perf_products.h"

#include <cmath>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {

PerfProducts::PerfProducts(const PerfOptions& options, const std::string& trace_file,
                           const Symbolizer& symbols, const ProgramImage& code,
                           const TraceEncoding& encoding, OutputSet& files)
    : enabled_(options.any()), calls_wanted_(options.calls != nullptr),
      clock_hz_(static_cast<std::uint64_t>(std::llround(encoding.clock_hz.value_or(1e9)))),
      record_calls_(calls_.records()), weight_(options.weight),
      streams_(options.stimulus, pieces_) {
    if (!symbols.programs().empty()) {
        places_.emplace(symbols);
    }
    quality_.emplace(places_ ? &*places_ : nullptr, encoding.end);
    const std::filesystem::path directory = options.directory.empty()
                                                ? std::filesystem::path(trace_file).parent_path()
                                                : std::filesystem::path(options.directory);
    if (!options.directory.empty()) {
        files.make_directory(directory);
    }
    open_files(options, directory, files);
    open_trees(options, trace_file, directory, files);
    if (places_ && wants_calls()) {
        event_calls_.emplace(code, *places_, calls_.events());
    }
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
void PerfProducts::open_trees(const PerfOptions& options, const std::string& trace_file,
                              const std::filesystem::path& directory, OutputSet& files) {
    CodePlaces* places = places_ ? &*places_ : nullptr;
    if (OutputFile* file = files.open(options.timeline)) {
        timeline_ = std::make_unique<Timeline>(file, places, clock_hz_);
        records_.listen(*timeline_);
        calls_.listen(*timeline_);
    }
    if (options.ctf) {
        ctf_ = std::make_unique<CtfTrace>(files, directory, trace_file, *places, clock_hz_);
        records_.listen(*ctf_);
        calls_.listen(*ctf_);
    }
    folded_file_ = files.open(options.folded);
    if (folded_file_ != nullptr) {
        folded_ = std::make_unique<FoldedStacks>(places, options.weight);
        records_.listen(*folded_);
        calls_.listen(*folded_);
    }
    if (options.calls != nullptr) {
        calls_.listen(*options.calls);
    }
    records_.listen(record_calls_);
}

void PerfProducts::follow(Flow& flow) {
    if (wants_calls()) {
        flow.add_sink(flow_calls_.emplace(calls_.flow()));
    }
}

void PerfProducts::add(const TraceItem& item, const MessageContext& context) {
    if (!enabled_) {
        return;
    }
    const std::optional<Ownership> ownership = places_ ? ownership_of(item, context) : std::nullopt;
    if (ownership) {
        places_->own(*ownership);
    }
    if (item.kind != TraceItem::Kind::Message) {
        if (item.status == ParseStatus::UnknownCode && is_vendor_code(item.code)) {
            return;
        }
        streams_.messages_lost(item.offset);
        if (event_calls_) {
            event_calls_->lost();
        }
        return;
    }
    const TraceMessage& message = item.message;
    if (message.code == MessageCode::Error) {
        streams_.messages_lost(message.source, item.offset);
        if (event_calls_) {
            event_calls_->lost(message.source);
        }
        if (event_files_) {
            event_files_->lost();
        }
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
    if (!json_ && !timeline_ && !ctf_ && !folded_) {
        return;
    }
    if (const std::optional<TraceEvent> event = event_of(item, context)) {
        tell_event(*event);
    } else if (const std::optional<Ownership> ownership = ownership_of(item, context)) {
        if (json_) {
            json_->ownership(*ownership);
        }
        if (timeline_) {
            timeline_->ownership(*ownership);
        }
    }
}

/// Calls first: a timeline is told of everything in the order of time.
void PerfProducts::tell_event(const TraceEvent& event) {
    if (event_calls_) {
        event_calls_->add(event);
    }
    if (folded_ && event.kind == EventSource::PcSample && event.address) {
        folded_->sample(event.source, *event.address);
    }
    if (json_) {
        json_->event(event);
    }
    if (timeline_) {
        timeline_->event(event);
    }
    if (ctf_) {
        ctf_->event(event);
    }
}

void PerfProducts::finish(std::uint64_t end_of_file) {
    if (!enabled_) {
        return;
    }
    streams_.finish(end_of_file);
    record_calls_.finish();
    if (event_calls_) {
        event_calls_->finish();
    }
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
        cut_stacks_ = folded_->write(folded_file_->stream());
    }
}

std::string PerfProducts::why_no_stacks() const {
    switch (weight_.of) {
    case FoldedWeight::Of::Samples:
        return "the trace has no PC sample at a known address";
    case FoldedWeight::Of::Instructions:
        return "the trace has no program trace";
    case FoldedWeight::Of::Counter:
        return fmt::format("no two performance records have counter {}", weight_.counter);
    case FoldedWeight::Of::Time:
        break;
    }
    return calls_.any() ? "the trace has calls but no times between them"
                        : "the trace has no calls: neither performance records nor, with --elf, "
                          "program trace or call and return events";
}

std::vector<std::string> PerfProducts::notes() const {
    std::vector<std::string> notes;
    const auto empty = [&](const auto& product, const char* option, const std::string& why) {
        if (product && product->empty()) {
            notes.push_back(fmt::format("{} has nothing in it: {}", option, why));
        }
    };
    const std::string no_record =
        fmt::format("the trace has no performance record on stimulus {}", streams_.stimulus());
    if (text_files_ && !quality_->found()) {
        notes.push_back("--perf has nothing in it: " + no_record);
    }
    empty(event_files_, "--events", "the trace has no event message that these files show");
    empty(csv_, "--csv", no_record);
    empty(json_, "--json-lines", no_record + ", no event and no ownership message");
    const std::string nothing = no_record + ", no call, event or ownership message";
    empty(timeline_, "--timeline", nothing);
    empty(ctf_, "--ctf", nothing);
    empty(folded_, "--folded", why_no_stacks());
    const std::uint64_t strange = event_calls_ ? event_calls_->disagreements() : 0;
    if (strange != 0) {
        notes.push_back(
            fmt::format("call or return events where the program has no such jump: {}", strange));
    }
    const std::uint64_t too_deep = record_calls_.too_deep() +
                                   (flow_calls_ ? flow_calls_->too_deep() : 0) +
                                   (event_calls_ ? event_calls_->calls().too_deep() : 0);
    if (too_deep != 0) {
        notes.push_back(fmt::format("calls below {} others, which count as part of the deepest one "
                                    "that is kept: {}",
                                    CallTracker::kMostFrames, too_deep));
    }
    if (cut_stacks_ != 0) {
        notes.push_back(fmt::format("--folded would be larger than {} GB: {} of the deepest stacks "
                                    "count as part of a caller",
                                    FoldedStacks::kMostBytes >> 30, cut_stacks_));
    }
    return notes;
}

} // namespace pes::trace
