// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/host_profile.h"

#include "platform/cli/event_choice.h"
#include "platform/host/user_error.h"
#include "platform/profile/text_layout.h"
#include "platform/sampling/decode_sampler.h"
#include "platform/sampling/ideal_samples.h"
#include "platform/sampling/sample_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <sstream>

#include <spdlog/fmt/fmt.h>

namespace pes {

namespace fs = std::filesystem;

namespace {

using Trigger = SamplingMethod::Trigger;

constexpr std::size_t kTerminalRows = 10;
constexpr auto kBaseReason = static_cast<std::size_t>(CycleReason::Base);

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
            .period = options.period.value_or(SampleLimit::kShortest),
            .automatic = !options.period,
            .skids = !options.report.empty() && method->trigger == Trigger::Events,
            .spread = static_cast<unsigned>(
                options.spread.value_or(options.period ? 0 : SampleLimit::kSpread)),
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

std::vector<ProgramFile> program_files(const std::vector<std::string>& paths) {
    std::vector<ProgramFile> files;
    for (const std::string& path : paths) {
        files.push_back(parse_program_file(path));
    }
    return files;
}

double cycles_for(const TruthTable& truth, TruthRow row, std::size_t reason) {
    const auto column = TruthTable::column_of(static_cast<CycleReason>(reason));
    return static_cast<double>(truth.value(row, column)) / 2;
}

/// Two runs have functions and lines in common, but no addresses.
std::vector<GroupBy> compared_by(const std::vector<GroupBy>& tables) {
    std::vector<GroupBy> compared;
    for (const GroupBy by : tables) {
        compared.push_back(by == GroupBy::Line ? GroupBy::Line : GroupBy::Function);
    }
    return compared;
}

} // namespace

void HostProfile::prepare(const ProfileOptions& options, PlatformConfig& config) {
    const SamplingPlan plan = plan_of(options, config);
    const Trigger trigger = plan.method->trigger;
    const bool asks = trigger == Trigger::Events || trigger == Trigger::Cycles;
    config.hart.truth = true; // the cycle stack
    config.hart.window = config.hart.window || asks;
    if (trigger == Trigger::Decoded) {
        require_decode_sampling(plan, options, config);
        config.hart.sources |= event_bit(Event::Decoded);
    }
}

HostProfile::HostProfile(const ProfileOptions& options, const PlatformConfig& config,
                         const std::optional<std::vector<std::string>>& programs,
                         OutputSet& outputs)
    : options_(options), pmu_(config.counters.profile), counted_(config.hart.sources),
      source_path_(options.source_path), plan_(plan_of(options, config)),
      samples_(outputs.open(options.samples)), csv_(outputs.open(options.csv)),
      json_(outputs.open(options.json)) {
    if (programs) {
        set_scope({.title = programs->empty() ? "run" : fs::path(programs->back()).filename(),
                   .programs = program_files(*programs),
                   .place = {}});
    }
    if (OutputFile* const file = outputs.open(options.report)) {
        page_.emplace(*file, config, options.command, options.settings);
    }
    if (!options.baseline.empty()) {
        baseline_ = read_baseline(options.baseline);
    }
    if (symbolizer_ && options.annotate && !options.annotate->empty() &&
        !has_function(*symbolizer_, *options.annotate)) {
        throw UserError("--annotate got '" + *options.annotate +
                        "', expected a function of the program");
    }
    if (plan_.method->trigger == Trigger::Draw) {
        if (options.call_graph) {
            throw UserError("--call-graph excludes --method " + options.method +
                            ", whose samples are drawn after the run");
        }
        return;
    }
    if (symbolizer_ && (options.call_graph || page_)) {
        plan_.frames = &frames_.emplace(*symbolizer_);
        plan_.stacks = &stacks_;
    }
    plan_.snapshots = !symbolizer_ && page_;
    for (unsigned hart = 0; hart < config.harts; ++hart) {
        if (plan_.method->trigger == Trigger::Decoded) {
            samplers_.push_back(std::make_unique<DecodeSampler>(hart, plan_));
        } else {
            samplers_.push_back(host_sampler(hart));
        }
        if (plan_.automatic) {
            limit_.add(*samplers_.back());
        }
    }
}

std::unique_ptr<RecordingTap> HostProfile::host_sampler(unsigned hart) {
    auto sampler = std::make_unique<HostSampler>(hart, plan_);
    if (page_ && plan_.method->trigger != Trigger::HalfWords) {
        sampler->record(page_->watch_samples(hart, plan_.period));
    }
    return sampler;
}

std::vector<HartTap*> HostProfile::taps(unsigned hart) {
    std::vector<HartTap*> taps;
    if (!samplers_.empty()) {
        taps.push_back(samplers_[hart].get());
    }
    if (page_) {
        taps.push_back(page_->tap(hart));
    }
    return taps;
}

bool HostProfile::observes_instructions() const {
    return plan_.method->trigger == Trigger::HalfWords;
}

std::vector<TakenSample> HostProfile::samples_of(Soc& soc, unsigned hart) const {
    return samplers_.empty() ? draw_samples(hart, *soc.hart(hart).truth(), plan_)
                             : samplers_[hart]->samples();
}

void HostProfile::set_scope(ProfileScope scope) {
    scope_ = std::move(scope);
    symbolizer_.emplace(scope_.programs, source_path_);
}

/// Those in the scope, with the address that they have there.
template <typename Visit>
void HostProfile::each_row(Soc& soc, Visit visit) const {
    for (unsigned hart = 0; hart < soc.hart_count(); ++hart) {
        const TruthTable& truth = *soc.hart(hart).truth();
        truth.each_row([&](TruthRow row) {
            if (const std::optional<Address> pc = scope_.place_of(truth.key(row))) {
                visit(truth, row, *pc);
            }
        });
    }
}

/// Those in the scope, likewise.
std::vector<TakenSample> HostProfile::scoped(const std::vector<TakenSample>& samples) const {
    std::vector<TakenSample> inside;
    for (TakenSample sample : samples) {
        const TruthTable::Key key{
            .context = {.privilege = static_cast<Privilege>(sample.record.privilege),
                        .satp = sample.satp},
            .pc = sample.record.pc};
        if (const std::optional<Address> pc = scope_.place_of(key)) {
            sample.record.pc = *pc;
            inside.push_back(sample);
        }
    }
    return inside;
}

/// The call stacks of samples whose programs are known now.
void HostProfile::find_stacks(std::vector<TakenSample>& samples) {
    frames_.emplace(*symbolizer_);
    for (TakenSample& sample : samples) {
        const auto place = [this, &sample](Address address) {
            return scope_
                .place_of(
                    {.context = {.privilege = Privilege::User, .satp = sample.satp}, .pc = address})
                .value_or(address);
        };
        sample.stack = stacks_.number_of(
            sample.snapshot == nullptr
                ? StackTable::Stack()
                : sample.snapshot->calls_around(sample.record.pc, *frames_, place));
    }
}

/// Of the run that is over: the period that the samples have.
void HostProfile::settle_period(Soc& soc) {
    if (!samplers_.empty()) {
        plan_.period = samplers_.front()->period();
    } else if (plan_.automatic) {
        double events = 0;
        each_row(soc, [&](const TruthTable& truth, TruthRow row, Address) {
            events += exact_events(truth, row, plan_);
        });
        plan_.period = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(events / static_cast<double>(SampleLimit::kMost)));
    }
}

std::string HostProfile::write(Soc& soc) {
    settle_period(soc);
    std::vector<TakenSample> samples;
    for (unsigned hart = 0; hart < soc.hart_count(); ++hart) {
        const std::vector<TakenSample> more = samples_of(soc, hart);
        samples.insert(samples.end(), more.begin(), more.end());
    }
    if (samples.empty()) {
        std::fprintf(stderr,
                     "pes-vp: profile: no sample: the run has fewer than one period (%llu) of what "
                     "method '%s' counts\n",
                     static_cast<unsigned long long>(plan_.period), plan_.method->name);
    }
    if (samples_ != nullptr) {
        write_samples(samples_->stream(), samples, options_.call_graph ? &stacks_ : nullptr);
    }
    std::vector<TakenSample> inside = scoped(samples);
    if (plan_.snapshots) {
        find_stacks(inside);
    }
    if (inside.empty() && !samples.empty()) {
        std::fprintf(stderr,
                     "pes-vp: profile: no sample: all %zu of the run are of what is left out\n",
                     samples.size());
    }
    return write_report(soc, inside);
}

RunFacts HostProfile::facts_of(Soc& soc) const {
    std::array<double, kCycleReasons> cycles{};
    std::array<std::int64_t, kEventCount> totals{};
    std::uint64_t half_cycles = 0;
    std::map<Address, double> waits;
    RunFacts facts;
    each_row(soc, [&](const TruthTable& truth, TruthRow row, Address pc) {
        const std::int64_t retired = truth.value(row, TruthTable::kRetired);
        half_cycles += truth.half_cycles(row);
        facts.instructions += static_cast<std::uint64_t>(retired);
        for (std::size_t source = 1; source < kEventCount; ++source) {
            totals[source] += truth.value(row, TruthTable::column_of(static_cast<Event>(source)));
        }
        waits[pc] += cycles_for(truth, row, kBaseReason) - static_cast<double>(retired);
        for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
            cycles[reason] += cycles_for(truth, row, reason);
        }
    });
    for (const auto& [pc, cycles] : waits) {
        facts.frontend_waits += std::max(0.0, cycles);
    }
    facts.cycles = half_cycles / 2;
    for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
        if (cycles[reason] != 0) {
            facts.reasons.emplace_back(to_string(static_cast<CycleReason>(reason)), cycles[reason]);
        }
    }
    std::ranges::stable_sort(facts.reasons, std::ranges::greater{},
                             &std::pair<std::string, double>::second);
    facts.events = {{Event::Cycles, facts.cycles}, {Event::Instructions, facts.instructions}};
    (counted_ & kAllEvents).for_each([&facts, &totals](Event source) {
        facts.events.emplace_back(
            source, static_cast<std::uint64_t>(totals[static_cast<std::size_t>(source)]));
    });
    return facts;
}

/// The main reason of an address in two modes or address spaces is that of the row with most
/// cycles.
ExactCosts HostProfile::costs_of(Soc& soc) const {
    ExactCosts costs;
    each_row(soc, [&](const TruthTable& truth, TruthRow row, Address pc) {
        ExactCost& cost = costs[pc];
        cost.events += exact_events(truth, row, plan_);
        for (std::size_t reason = 0; reason < kCycleReasons; ++reason) {
            const double cycles = cycles_for(truth, row, reason);
            cost.cycles += cycles;
            if (cycles > cost.of_reason) {
                cost.of_reason = cycles;
                cost.reason = to_string(static_cast<CycleReason>(reason));
            }
        }
    });
    return costs;
}

/// Of the samples, against what the run really had; nothing if either has no event.
std::optional<ProfileError> HostProfile::error_by(GroupBy by,
                                                  const std::vector<TakenSample>& samples,
                                                  const ExactCosts& costs,
                                                  const Symbolizer& symbolizer) {
    std::map<Address, std::pair<std::uint64_t, std::uint64_t>> counts; // in the finder's order
    for (const auto& [pc, cost] : costs) {
        counts[pc].first += static_cast<std::uint64_t>(std::max(0.0, 2 * cost.events));
    }
    for (const TakenSample& sample : samples) {
        counts[sample.record.pc].second += sample.record.threshold;
    }
    RowFinder finder(symbolizer, by);
    std::vector<std::uint64_t> exact;
    std::vector<std::uint64_t> sampled;
    for (const auto& [pc, count] : counts) {
        const std::size_t row = finder.row_of(pc);
        exact.resize(finder.places().size());
        sampled.resize(finder.places().size());
        exact[row] += count.first;
        sampled[row] += count.second;
    }
    const auto any = [](const std::vector<std::uint64_t>& rows) {
        return std::ranges::any_of(rows, [](std::uint64_t events) { return events != 0; });
    };
    return any(exact) && any(sampled) ? std::optional(profile_error(exact, sampled, samples.size()))
                                      : std::nullopt;
}

std::string HostProfile::head_line(const RunFacts& facts) const {
    const bool counts_cycles =
        plan_.method->trigger == Trigger::Cycles ||
        (plan_.method->trigger == Trigger::Events && plan_.sources.has(Event::Cycles));
    return fmt::format("method {}, period {}{}{}", plan_.method->name, plan_.period,
                       counts_cycles ? fmt::format(" of {} cycles", facts.cycles) : "",
                       plan_.automatic ? " (by the length of the run)" : "");
}

std::string HostProfile::write_report(Soc& soc, const std::vector<TakenSample>& samples) {
    Report report;
    report.run = facts_of(soc);
    report.input = head_line(*report.run);
    report.pmu = pmu_;
    for (const TakenSample& sample : samples) {
        report.profile.add(sample.record);
    }
    const auto by =
        options_.by ? std::vector{*options_.by} : std::vector{GroupBy::Function, GroupBy::Line};
    build_tables(report, *symbolizer_, {.by = by, .event = std::nullopt});
    RunReport exact{.title = scope_.title, .run = *report.run, .baseline = baseline_};
    if (page_ || !baseline_.empty()) {
        add_exact_profile(exact, [this, &soc](const VisitRow& visit) { each_row(soc, visit); });
    }
    if (!baseline_.empty()) {
        report.comparison = compare_with_baseline(exact, *symbolizer_);
        report.compared_by = compared_by(by);
    }
    const RowLimit file_rows = options_.top.value_or(0);
    if (csv_ != nullptr) {
        write_csv(csv_->stream(), report, file_rows);
    }
    if (json_ != nullptr) {
        write_json(json_->stream(), report, file_rows);
    }
    if (page_) {
        write_page(soc, std::move(exact), report, samples);
    }
    std::ostringstream text;
    if (options_.csv != "-" && options_.json != "-") {
        const TextStyle style = terminal_style(options_.ascii, options_.no_color);
        write_text(text, report, options_.top.value_or(kTerminalRows), style);
        if (options_.annotate) {
            annotate_function(text, soc, report, style);
        }
    }
    return text.str();
}

void HostProfile::write_page(Soc& soc, RunReport page, const Report& report,
                             const std::vector<TakenSample>& samples) {
    page.sampling = report.input;
    page.event = options_.event;
    page.period = plan_.period;
    for (const TakenSample& sample : samples) {
        page.samples.push_back(sample.record);
        if (has_stacks()) {
            page.calls.add(stacks_[sample.stack], sample.record.pc);
        }
    }
    for (const auto& sampler : samplers_) {
        for (const auto& [skid, samples] : sampler->skids()) {
            page.skids[skid] += samples;
        }
    }
    const ExactCosts costs = costs_of(soc);
    for (const GroupBy by : {GroupBy::Function, GroupBy::Instruction}) {
        if (const auto error = error_by(by, samples, costs, *symbolizer_)) {
            page.errors.emplace_back(to_string(by), *error);
        }
    }
    page_->write(std::move(page), *symbolizer_);
}

void HostProfile::annotate_function(std::ostream& out, Soc& soc, const Report& report,
                                    TextStyle style) const {
    static const AddressTallies kNone;
    const auto& events = report.profile.events(); // at most one
    const std::optional<Annotation> annotation =
        annotate(*symbolizer_, *options_.annotate,
                 events.empty() ? kNone : events.begin()->second.addresses, costs_of(soc));
    if (annotation) {
        write_annotation(out, *annotation, options_.event, style);
    } else {
        std::fputs("pes-vp: --annotate: no sample lies in a function\n", stderr);
    }
}

} // namespace pes
