// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/host_profile.h"

#include "platform/cli/event_choice.h"
#include "platform/host/user_error.h"
#include "platform/profile/text_layout.h"
#include "platform/sampling/decode_sampler.h"
#include "platform/sampling/ideal_samples.h"

#include <cstdio>
#include <span>
#include <sstream>

namespace pes {
namespace {

using Trigger = SamplingMethod::Trigger;

constexpr std::size_t kTerminalRows = 10;

SamplingPlan plan_of(const ProfileOptions& options, const PlatformConfig& config) {
    const SamplingMethod* const method = find_method(options.method);
    if (method == nullptr) {
        throw UserError("--method got '" + options.method + "', expected one of " + method_names());
    }
    const ChosenEvent event = choose_event("--event", options.event, config);
    return {.method = method,
            .counter = static_cast<std::uint8_t>(event.counter),
            .selector = event.selector,
            .sources = event.sources,
            .period = options.period,
            .spread = options.spread,
            .seed = options.seed};
}

/// The hart has one place for a sampler of decoded instructions.
void require_decode_sampling(const SamplingPlan& plan, const ProfileOptions& options,
                             const PlatformConfig& config) {
    if (config.hart.extensions.smpdis) {
        throw UserError("extensions.smpdis = true excludes --method " + options.method +
                        ": the program has the sampler of decoded instructions");
    }
    if (!decode_choice(plan.sources)) {
        throw UserError("--event got '" + options.event + "', which no record of method '" +
                        options.method + "' shows, expected one of " +
                        decode_events(*config.counters.profile));
    }
}

} // namespace

void HostProfile::prepare(const ProfileOptions& options, PlatformConfig& config) {
    const SamplingPlan plan = plan_of(options, config);
    const Trigger trigger = plan.method->trigger;
    const bool asks = trigger == Trigger::Events || trigger == Trigger::Cycles;
    config.hart.truth = config.hart.truth || trigger == Trigger::Draw;
    config.hart.window = config.hart.window || asks;
    if (trigger == Trigger::Decoded) {
        require_decode_sampling(plan, options, config);
        config.hart.sources |= event_bit(Event::Decoded);
    }
}

HostProfile::HostProfile(const ProfileOptions& options, const PlatformConfig& config,
                         std::vector<std::string> programs, OutputSet& outputs)
    : options_(options), pmu_(config.counters.profile), programs_(std::move(programs)),
      plan_(plan_of(options, config)), samples_(outputs.open(options.samples)),
      csv_(outputs.open(options.csv)), json_(outputs.open(options.json)) {
    if (plan_.method->trigger == Trigger::Draw) {
        return;
    }
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        if (plan_.method->trigger == Trigger::Decoded) {
            samplers_.push_back(std::make_unique<DecodeSampler>(hart, plan_));
        } else {
            samplers_.push_back(std::make_unique<HostSampler>(hart, plan_));
        }
    }
}

bool HostProfile::observes_instructions() const {
    return plan_.method->trigger == Trigger::HalfWords;
}

std::vector<SampleRecord> HostProfile::records_of(Soc& soc, unsigned hart) const {
    return samplers_.empty() ? draw_samples(hart, *soc.hart(hart).truth(), plan_)
                             : samplers_[hart]->records();
}

std::string HostProfile::write(Soc& soc) {
    std::vector<SampleRecord> records;
    for (unsigned hart = 0; hart < soc.hart_count(); ++hart) {
        const std::vector<SampleRecord> more = records_of(soc, hart);
        records.insert(records.end(), more.begin(), more.end());
    }
    if (records.empty()) {
        std::fprintf(stderr,
                     "pes-vp: profile: no sample: the run has fewer than one period (%llu) of what "
                     "method '%s' counts\n",
                     static_cast<unsigned long long>(plan_.period), plan_.method->name);
    }
    if (samples_ != nullptr) {
        samples_->write(std::as_bytes(std::span(records)));
    }
    return write_report(records);
}

std::string HostProfile::write_report(const std::vector<SampleRecord>& records) {
    Report report;
    report.input = std::string("method ") + plan_.method->name;
    report.pmu = pmu_;
    for (const SampleRecord& record : records) {
        report.profile.add(record);
    }
    std::vector<ProgramFile> files;
    for (const std::string& program : programs_) {
        files.push_back(parse_program_file(program));
    }
    const auto by =
        options_.by ? std::vector{*options_.by} : std::vector{GroupBy::Function, GroupBy::Line};
    build_tables(report, Symbolizer(files), {.by = by, .event = std::nullopt});
    const RowLimit file_rows = options_.top.value_or(0);
    if (csv_ != nullptr) {
        write_csv(csv_->stream(), report, file_rows);
    }
    if (json_ != nullptr) {
        write_json(json_->stream(), report, file_rows);
    }
    std::ostringstream text;
    if (options_.csv != "-" && options_.json != "-") {
        write_text(text, report, options_.top.value_or(kTerminalRows),
                   terminal_style(options_.ascii, options_.no_color));
    }
    return text.str();
}

} // namespace pes
