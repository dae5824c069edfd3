// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd/osd_products.h"

#include "decoder/trace/osd/osd_log.h"
#include "decoder/trace/output/append_text.h"
#include "decoder/trace/output/json_text.h"
#include "platform/host/csv.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pes::trace {
namespace {

using Kind = SoftwareEvent::Kind;

enum CtfEvent : unsigned { kCtfValue, kCtfText, kCtfThreadSwitch, kCtfThreadName };

constexpr std::array kCtfEvents{
    CtfEventType{"pes:software_event", 13, "uint16_t _id; address_t _value;"},
    CtfEventType{"pes:text", 13, "string _text;"},
    CtfEventType{"pes:thread_switch", 13, "address_t _thread; string _name;"},
    CtfEventType{"pes:thread_name", 13, "address_t _thread; string _name;"},
};

const char* to_string(Kind kind) {
    switch (kind) {
    case Kind::Text:
        return "text";
    case Kind::ThreadSwitch:
        return "thread-switch";
    case Kind::ThreadName:
        return "thread-name";
    case Kind::Missed:
        return "missed";
    case Kind::Value:
        break;
    }
    return "event";
}

CtfNames ctf_names(const std::string& trace_file) {
    const std::string stem = std::filesystem::path(trace_file).stem().string();
    return {trace_file == "-" ? "trace" : stem, trace_file};
}

} // namespace

OsdProducts::OsdProducts(const OsdOptions& options, const std::vector<std::string>& trace_files,
                         OutputSet& files)
    : options_(options), several_files_(trace_files.size() > 1),
      story_(options.text_id, [this](const SoftwareEvent& event) { add(event); }),
      log_(files.open(options.log)), text_(files.open(options.itc_print)),
      csv_(files.open(options.csv)), json_(files.open(options.json_lines)),
      timeline_(files.open(options.timeline), options.clock_hz) {
    if (options.ctf) {
        const std::filesystem::path directory =
            options.directory.empty() ? std::filesystem::path(trace_files.front()).parent_path()
                                      : std::filesystem::path(options.directory);
        ctf_ = std::make_unique<CtfWriter>(files, directory, ctf_names(trace_files.front()),
                                           options.clock_hz, kCtfEvents);
    }
    if (csv_.wanted()) {
        csv_.text() = "source,time,kind,id,value,text\n";
    }
}

void OsdProducts::add(const OsdItem& item) {
    ++items_;
    last_time_ = std::max(last_time_, item.time);
    if (log_.wanted()) {
        if (several_files_) {
            append_text(log_.text(), "[{}] ", item.source);
        }
        log_.text() += osd_log_line(item);
        log_.flush_blocks();
    }
    story_.add(item);
}

void OsdProducts::add(const SoftwareEvent& event) {
    ++events_;
    if (text_.wanted() && event.kind == Kind::Text) {
        add_text(event);
    }
    if (csv_.wanted()) {
        add_csv(event);
    }
    if (json_.wanted()) {
        add_json(event);
    }
    if (timeline_.wanted()) {
        add_timeline(event);
    }
    if (ctf_) {
        add_ctf(event);
    }
}

void OsdProducts::add_text(const SoftwareEvent& event) {
    ++lines_;
    append_text(text_.text(), "[{}] ITC Print: Msg Tics: <{}-{}> {}\n", event.source, event.time,
                event.until, printable(event.text));
    text_.flush_blocks();
}

void OsdProducts::add_csv(const SoftwareEvent& event) {
    std::string& csv = csv_.text();
    append_text(csv, "{},{},{},", event.source, event.time, to_string(event.kind));
    switch (event.kind) {
    case Kind::Missed:
        append_text(csv, ",{},", event.value);
        break;
    case Kind::Text:
        append_text(csv, "{:#06x},,", event.id);
        break;
    default:
        append_text(csv, "{:#06x},{:#x},", event.id, event.value);
        break;
    }
    csv += csv_field(event.text) + '\n';
    csv_.flush_blocks();
}

/// Values are strings: readers of JSON round large numbers.
void OsdProducts::add_json(const SoftwareEvent& event) {
    std::string& json = json_.text();
    append_text(json, R"({{"type":"{}","source":{},"time":{})", to_string(event.kind), event.source,
                event.time);
    switch (event.kind) {
    case Kind::Value:
        append_text(json, R"(,"id":"{:#06x}","value":"{:#x}")", event.id, event.value);
        break;
    case Kind::Text:
        append_text(json, R"(,"until":{},"text":{})", event.until, json_string(event.text));
        break;
    case Kind::ThreadSwitch:
    case Kind::ThreadName:
        append_text(json, R"(,"thread":"{:#x}","name":{})", event.value,
                    event.text.empty() ? "null" : json_string(event.text));
        break;
    case Kind::Missed:
        append_text(json, R"(,"events":{})", event.value);
        break;
    }
    json += "}\n";
    json_.flush_blocks();
}

void OsdProducts::add_timeline(const SoftwareEvent& event) {
    if (event.kind == Kind::ThreadSwitch) {
        end_slice(event.source, event.time);
        slices_[event.source] = {event.value, event.time};
        return;
    }
    const Track track = event.kind == Kind::Text         ? Track::Text
                        : event.kind == Kind::ThreadName ? Track::Threads
                                                         : Track::Events;
    std::string name = event.text;
    if (event.kind == Kind::ThreadName) {
        name = "name: " + event.text;
    } else if (event.kind == Kind::Missed) {
        name = fmt::format("{} events missed", event.value);
    } else if (event.kind == Kind::Value) {
        name = fmt::format("id {:#06x}: {:#x}", event.id, event.value);
    }
    timeline_.mark(place_of(event.source, track), event.time, name);
}

/// Written when it ends, because a thread tells its name while it runs.
void OsdProducts::end_slice(std::uint16_t source, std::uint64_t time) {
    const auto slice = slices_.find(source);
    if (slice == slices_.end()) {
        return;
    }
    const auto [thread, begin] = slice->second;
    const std::string name = story_.thread_name(thread);
    const auto place = place_of(source, Track::Threads);
    timeline_.begin_slice(place, begin, name, fmt::format("thread {:#x}", thread));
    timeline_.end_slice(place, time, name);
    slices_.erase(slice);
}

TimelineWriter::Place OsdProducts::place_of(std::uint16_t source, Track track) {
    const auto place = [&](Track of) {
        return TimelineWriter::Place{source, static_cast<unsigned>(of)};
    };
    if (named_.insert(source).second) {
        timeline_.name_process(source, fmt::format("software trace module {}", source));
        timeline_.name_track(place(Track::Threads), "threads");
        timeline_.name_track(place(Track::Text), "text");
        timeline_.name_track(place(Track::Events), "events");
    }
    return place(track);
}

void OsdProducts::add_ctf(const SoftwareEvent& event) {
    const auto put_thread = [&](unsigned id) {
        std::string& fields = ctf_->event(event.source, id, event.time);
        put_ctf(fields, event.value);
        fields += event.text + '\0';
    };
    switch (event.kind) {
    case Kind::Value: {
        std::string& fields = ctf_->event(event.source, kCtfValue, event.time);
        put_ctf(fields, event.id);
        put_ctf(fields, event.value);
        break;
    }
    case Kind::Text:
        ctf_->event(event.source, kCtfText, event.until) += event.text + '\0';
        break;
    case Kind::ThreadSwitch:
        put_thread(kCtfThreadSwitch);
        break;
    case Kind::ThreadName:
        put_thread(kCtfThreadName);
        break;
    case Kind::Missed:
        ctf_->discard(event.source, event.value);
        break;
    }
}

void OsdProducts::finish() {
    story_.finish();
    while (!slices_.empty()) {
        end_slice(slices_.begin()->first, last_time_);
    }
    if (timeline_.wanted()) {
        timeline_.finish();
    }
    for (TextOutput* output : {&log_, &text_, &csv_, &json_}) {
        output->flush();
    }
    if (ctf_) {
        ctf_->finish();
    }
}

std::vector<std::string> OsdProducts::notes() const {
    std::vector<std::string> notes;
    const auto note = [&](bool empty, const char* option, const std::string& why) {
        if (empty) {
            notes.push_back(fmt::format("{} has nothing in it: {}", option, why));
        }
    };
    const std::string no_event = "the file has no event of a software trace module";
    note(log_.wanted() && items_ == 0, "--log", no_event);
    note(csv_.wanted() && events_ == 0, "--csv", no_event);
    note(json_.wanted() && events_ == 0, "--json-lines", no_event);
    note(timeline_.wanted() && events_ == 0, "--timeline", no_event);
    note(ctf_ && ctf_->empty(), "--ctf", no_event);
    note(text_.wanted() && lines_ == 0, "--itc-print",
         fmt::format("no character was sent with id {}", options_.text_id));
    return notes;
}

} // namespace pes::trace
