// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/plic.h"

#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/plic.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace pes {

namespace {

constexpr unsigned kBits = 32;
constexpr unsigned kMaxSources = 1023;
constexpr unsigned kMaxContexts = 15872;
constexpr std::uint32_t kPriorityMask = 7; // 3 bits; also the threshold's
constexpr unsigned kSignalBits = 64;       // widest signal of a waveform

bool bit(const std::vector<std::uint32_t>& words, unsigned n) {
    return ((words[n / kBits] >> (n % kBits)) & 1U) != 0;
}

void assign_bit(std::vector<std::uint32_t>& words, unsigned n, bool value) {
    const std::uint32_t mask = std::uint32_t{1} << (n % kBits);
    words[n / kBits] = value ? words[n / kBits] | mask : words[n / kBits] & ~mask;
}

/// The bit of id `n` in word `word`; none for n = 0.
std::uint32_t one_hot(unsigned n, unsigned word) {
    return n != 0 && n / kBits == word ? std::uint32_t{1} << (n % kBits) : 0;
}

const PlicConfig& checked(const PlicConfig& config) {
    if (config.sources < 1 || config.sources > kMaxSources) {
        throw std::invalid_argument("PLIC: " + std::to_string(config.sources) +
                                    " sources, expected 1 to 1023");
    }
    if (config.contexts < 1 || config.contexts > kMaxContexts) {
        throw std::invalid_argument("PLIC: " + std::to_string(config.contexts) +
                                    " contexts, expected 1 to 15872");
    }
    return config;
}

} // namespace

Plic::Plic(const PlicConfig& config)
    : config_(checked(config)), words_(config.sources / kBits + 1), lines_(words_),
      pending_(words_), active_(words_), priorities_(config.sources + 1),
      contexts_(config.contexts, Context{Words(words_), 0}), outputs_(config.contexts / kBits + 1),
      registers_("plic", plic::kContext + Address{config.contexts} * plic::kContextStride,
                 describe()) {}

std::vector<Register> Plic::describe() {
    RegisterMap<Plic> map(*this);
    map.reg("priority", plic::kPriority)
        .u32()
        .array(config_.sources + 1)
        .read(&Plic::priority)
        .write(&Plic::set_priority);
    map.reg("pending", plic::kPending).u32().array(words_).read_only().read(&Plic::pending);
    for (unsigned c = 0; c < config_.contexts; ++c) {
        const std::string suffix = fmt::format("({})", c);
        const Address context = plic::kContext + c * plic::kContextStride;
        map.reg("enable" + suffix, plic::kEnable + c * plic::kEnableStride)
            .u32()
            .array(words_)
            .read(&Plic::enabled, c)
            .write(&Plic::set_enabled, c);
        map.reg("threshold" + suffix, context + plic::kThreshold)
            .u32()
            .read(&Plic::threshold, c)
            .write(&Plic::set_threshold, c);
        map.reg("claim/complete" + suffix, context + plic::kClaimComplete)
            .u32()
            .read(&Plic::claim, c)
            .peek(&Plic::claimable, c)
            .write(&Plic::complete, c);
    }
    return map.take();
}

std::uint32_t Plic::implemented(unsigned word) const {
    const unsigned ids = std::min(config_.sources + 1 - word * kBits, kBits);
    const std::uint32_t mask = ids == kBits ? ~0U : (1U << ids) - 1;
    return word == 0 ? mask & ~1U : mask; // id 0 does not exist
}

// ------------------------------------------------------------------------------------------------
// Time

void Plic::set_source(unsigned index, bool level, Cycle at) {
    if (index >= config_.sources) {
        throw std::out_of_range("PLIC: source " + std::to_string(index) + " is not one of " +
                                std::to_string(config_.sources));
    }
    const auto place =
        std::upper_bound(edges_.begin(), edges_.end(), at,
                         [](Cycle when, const Edge& edge) { return when < edge.at; });
    edges_.insert(place, Edge{at, index + 1, level});
}

void Plic::state(Archive& archive) {
    archive(registers_);
    for (Words* const words : {&lines_, &pending_, &active_, &priorities_, &outputs_}) {
        archive.fixed(*words);
    }
    for (Context& context : contexts_) {
        archive.fixed(context.enabled);
        archive(context.threshold);
    }
    archive(now_, last_change_, settled_, edges_);
    for (const Edge& edge : edges_) {
        if (edge.id > config_.sources) {
            archive.refuse("a source is out of its range");
        }
    }
}

Cycle Plic::next_change() const {
    const Cycle by_state = settled_ ? kNever : now_ + 1;
    const Cycle by_input = edges_.empty() ? kNever : edges_.front().at + 1;
    return std::min(by_state, by_input);
}

void Plic::advance(Cycle now) {
    // An edge may move now_ back; the state must then be brought forward to the previous cycle
    // again.
    const Cycle target = std::max(now, now_);
    apply_edges();
    while (now_ < target) {
        if (settled_) {
            now_ = edges_.empty() ? target : std::min(target, edges_.front().at);
        } else {
            step({});
        }
        apply_edges();
    }
}

void Plic::apply_edges() {
    while (!edges_.empty() && edges_.front().at <= now_) {
        const Edge edge = edges_.front();
        edges_.pop_front();
        if (bit(lines_, edge.id) == edge.level) {
            continue;
        }
        now_ = std::max(edge.at, last_change_);
        assign_bit(lines_, edge.id, edge.level);
        last_change_ = now_;
        settled_ = false;
        show(wave_.sources, lines_, now_);
    }
}

void Plic::step(Strobe strobe) {
    pulse(wave_.claim, strobe.claim);
    pulse(wave_.complete, strobe.complete);
    const bool targets_changed = step_targets(); // from the pending bits of this cycle
    const bool gateways_changed = step_gateways(strobe);
    ++now_;
    settled_ = !targets_changed && !gateways_changed;
    if (!settled_) {
        last_change_ = now_;
    }
}

bool Plic::step_gateways(Strobe strobe) {
    bool pending_changed = false;
    bool active_changed = false;
    for (unsigned w = 0; w < words_; ++w) {
        const std::uint32_t request = lines_[w] & ~active_[w];
        const std::uint32_t freed = one_hot(strobe.complete, w) & ~pending_[w];
        const std::uint32_t pending = (pending_[w] | request) & ~one_hot(strobe.claim, w);
        const std::uint32_t active = (active_[w] & ~freed) | request;
        pending_changed = pending_changed || pending != pending_[w];
        active_changed = active_changed || active != active_[w];
        pending_[w] = pending;
        active_[w] = active;
    }
    if (pending_changed) {
        show(wave_.pending, pending_, now_ + 1);
    }
    return pending_changed || active_changed;
}

bool Plic::step_targets() {
    bool changed = false;
    for (unsigned c = 0; c < config_.contexts; ++c) {
        const bool level = best(contexts_[c], least_priority(contexts_[c])) != 0;
        if (level == target(c)) {
            continue;
        }
        changed = true;
        assign_bit(outputs_, c + 1, level);
        if (targets_ != nullptr) {
            targets_->set_level(c, level, now_ + 1);
        }
    }
    if (changed) {
        show(wave_.outputs, outputs_, now_ + 1);
    }
    return changed;
}

bool Plic::target(unsigned context) const {
    return bit(outputs_, context + 1);
}

// ------------------------------------------------------------------------------------------------
// Targets

std::uint32_t Plic::least_priority(const Context& context) const {
    const std::uint32_t least = context.threshold + 1;
    return config_.threshold_wraps ? least & kPriorityMask : least;
}

unsigned Plic::best(const Context& context, std::uint32_t least) const {
    unsigned best_id = 0;
    std::uint32_t best_priority = 0;
    for (unsigned w = 0; w < words_; ++w) {
        for (std::uint32_t set = pending_[w] & context.enabled[w]; set != 0; set &= set - 1) {
            const unsigned id = w * kBits + static_cast<unsigned>(std::countr_zero(set));
            const std::uint32_t priority = priorities_[id];
            const bool better = best_id == 0 || priority > best_priority; // a tie: the lower id
            if (priority >= least && better) {
                best_id = id;
                best_priority = priority;
            }
        }
    }
    return best_id;
}

// PLIC specification, "Interrupt claim process": the threshold does not affect a claim.
unsigned Plic::claimable(unsigned context) const {
    const Context& claimer = contexts_[context];
    return best(claimer, config_.threshold_wraps ? least_priority(claimer) : 1);
}

// ------------------------------------------------------------------------------------------------
// Bus accesses in cycle `at`

std::uint32_t Plic::priority(unsigned id, Cycle at) {
    advance(at);
    return priorities_[id];
}

void Plic::set_priority(unsigned id, std::uint32_t value, Cycle at) {
    if (id != 0) { // id 0 does not exist: its priority is hard zero
        configure(priorities_[id], value & kPriorityMask, at);
    }
}

std::uint32_t Plic::pending(unsigned word, Cycle at) {
    advance(at);
    return pending_[word];
}

std::uint32_t Plic::enabled(unsigned context, unsigned word, Cycle at) {
    advance(at);
    return contexts_[context].enabled[word];
}

void Plic::set_enabled(unsigned context, unsigned word, std::uint32_t value, Cycle at) {
    configure(contexts_[context].enabled[word], value & implemented(word), at);
}

std::uint32_t Plic::threshold(unsigned context, Cycle at) {
    advance(at);
    return contexts_[context].threshold;
}

void Plic::set_threshold(unsigned context, std::uint32_t value, Cycle at) {
    configure(contexts_[context].threshold, value & kPriorityMask, at);
}

std::uint32_t Plic::claim(unsigned context, Cycle at) {
    advance(at);
    const unsigned id = claimable(context);
    if (id != 0) {
        step({.claim = id});
    }
    return id;
}

void Plic::complete(unsigned context, std::uint32_t word, Cycle at) {
    advance(at);
    std::uint32_t id = word;
    if (config_.completion_unchecked) {
        id &= (1U << std::bit_width(config_.sources)) - 1;
    }
    const bool exists = id >= 1 && id <= config_.sources;
    const bool accepted =
        exists && (config_.completion_unchecked || bit(contexts_[context].enabled, id));
    if (!accepted) {
        // "Interrupt completion": an id that is not enabled for the target is ignored.
        module_logger("plic")->warn("context {} completes {:#x}, which is not an enabled id: "
                                    "ignored",
                                    context, word);
        return;
    }
    step({.complete = id});
}

void Plic::configure(std::uint32_t& slot, std::uint32_t value, Cycle at) {
    advance(at);
    if (slot == value) {
        return;
    }
    step({}); // cycle `at` still has the old value
    slot = value;
    last_change_ = now_;
    settled_ = false;
}

// ------------------------------------------------------------------------------------------------
// Waveform: bit n of irq_sources_i, ip, claim and complete is source index n, as in the RTL; claim
// and complete are pulses of one cycle. More than 64 bits are split over several signals.

void Plic::attach_wave(WaveSink& wave, std::string_view scope) {
    if (!wave.wants(scope)) {
        return;
    }
    wave_.sink = &wave;
    wave_.sources = declare(scope, "irq_sources_i", config_.sources);
    wave_.pending = declare(scope, "ip", config_.sources);
    wave_.claim = declare(scope, "claim", config_.sources);
    wave_.complete = declare(scope, "complete", config_.sources);
    wave_.outputs = declare(scope, "eip_targets_o", config_.contexts);
}

std::vector<SignalId> Plic::declare(std::string_view scope, std::string_view name,
                                    unsigned width) const {
    std::vector<SignalId> signals;
    for (unsigned low = 0; low < width; low += kSignalBits) {
        const unsigned bits = std::min(width - low, kSignalBits);
        std::string full(name);
        if (width > kSignalBits) {
            full += fmt::format("({}:{})", low + bits - 1, low);
        }
        signals.push_back(wave_.sink->declare(scope, scope, full, bits, 0));
    }
    return signals;
}

void Plic::show(const std::vector<SignalId>& signals, const Words& words, Cycle at) const {
    for (std::size_t s = 0; s < signals.size(); ++s) {
        // Words count from id 0, signals from index 0 = id 1.
        const auto word = [&](std::size_t n) {
            return n < words.size() ? std::uint64_t{words[n]} : 0;
        };
        const std::uint64_t low = word(2 * s) | word(2 * s + 1) << kBits;
        wave_.sink->change(signals[s], at, low >> 1 | word(2 * s + 2) << (kSignalBits - 1));
    }
}

void Plic::pulse(const std::vector<SignalId>& signals, unsigned id) const {
    if (id == 0 || signals.empty()) {
        return;
    }
    const unsigned index = id - 1;
    const SignalId signal = signals[index / kSignalBits];
    wave_.sink->change(signal, now_, std::uint64_t{1} << (index % kSignalBits));
    wave_.sink->change(signal, now_ + 1, 0);
}

} // namespace pes
