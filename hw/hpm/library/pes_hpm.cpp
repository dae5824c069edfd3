// SPDX-License-Identifier: Apache-2.0
// Mistakes of the caller are refused here, so that the bank's own checks, which end the process,
// are never met. No exception leaves a function of the C interface.
#include "hw/hpm/library/pes_hpm.h"

#include "hw/hpm/library/counter_settings.h"
#include "hw/hpm/model_bank.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

static_assert(PES_HPM_USER == static_cast<int>(pes::Privilege::User) &&
              PES_HPM_SUPERVISOR == static_cast<int>(pes::Privilege::Supervisor) &&
              PES_HPM_MACHINE == static_cast<int>(pes::Privilege::Machine));

struct pes_hpm {
    explicit pes_hpm(const pes::CounterConfig& settings)
        : config(settings), bank(pes::make_model_bank(config)) {}

    const pes::CounterConfig config;
    std::unique_ptr<pes::ModelBank> bank;
    pes::EventTotals totals{};
    unsigned privilege = PES_HPM_MACHINE;
    bool write_pending = false;
    std::string error;
};

namespace {

constexpr unsigned kCsrLimit = 0x1000;

std::string& creation_error() {
    thread_local std::string error;
    return error;
}

int mistake(pes_hpm& model, const std::string& sentence) {
    model.error = sentence;
    return -1;
}

int done(pes_hpm& model) {
    model.error.clear();
    return 0;
}

bool owns(const pes_hpm& model, unsigned csr) {
    return csr < kCsrLimit && model.bank->owns(static_cast<std::uint16_t>(csr));
}

std::string no_register(unsigned csr) {
    char text[64];
    std::snprintf(text, sizeof text, "the counters have no CSR 0x%X", csr);
    return text;
}

bool is_mode(unsigned privilege) {
    return privilege == PES_HPM_USER || privilege == PES_HPM_SUPERVISOR ||
           privilege == PES_HPM_MACHINE;
}

void enter(pes_hpm& model, unsigned privilege) {
    if (privilege != model.privilege) {
        model.privilege = privilege;
        model.bank->set_mode(static_cast<pes::Privilege>(privilege));
    }
}

void tick(pes_hpm& model, const pes::CyclePulses& pulses) {
    pulses.events.for_each(
        [&](pes::Event event) { ++model.totals.events[static_cast<std::size_t>(event)]; });
    model.totals.retired += pulses.retired;
    model.bank->tick(pulses, model.bank->now() + 1);
    model.write_pending = false;
}

} // namespace

pes_hpm* pes_hpm_create(const char* settings) {
    std::string& error = creation_error();
    try {
        error.clear();
        pes::CounterConfig config;
        error = pes::read_counter_settings(settings == nullptr ? "" : settings, config);
        return error.empty() ? std::make_unique<pes_hpm>(config).release() : nullptr;
    } catch (const std::exception& exception) {
        error = exception.what();
    }
    return nullptr;
}

void pes_hpm_destroy(pes_hpm* model) {
    delete model; // NOLINT(cppcoreguidelines-owning-memory): the handle of a C interface
}

const char* pes_hpm_error(const pes_hpm* model) {
    return model == nullptr ? creation_error().c_str() : model->error.c_str();
}

int pes_hpm_tick(pes_hpm* model, uint64_t pulses, unsigned retired, unsigned privilege,
                 unsigned debug) {
    pes::CyclePulses cycle{.events = {}, .retired = static_cast<std::uint8_t>(retired)};
    cycle.events.word(0) = pulses;
    cycle.events.remove(pes::Event::None);
    const pes::EventMask pins = pes::pin_sources(*model->config.profile);
    if ((cycle.events - pins).any()) {
        return mistake(*model, "pulses has a bit from " +
                                   std::to_string(pes::pulse_pins(*model->config.profile)) +
                                   " on, which is no pulse of this profile");
    }
    if (retired > 2) {
        return mistake(*model, "retired is " + std::to_string(retired) + ", expected 0 to 2");
    }
    if (!is_mode(privilege)) {
        return mistake(*model,
                       "privilege is " + std::to_string(privilege) + ", expected 0, 1 or 3");
    }
    enter(*model, privilege);
    model->bank->set_debug(debug != 0);
    tick(*model, cycle);
    model->bank->set_debug(false);
    return done(*model);
}

int pes_hpm_advance(pes_hpm* model, uint64_t cycles) {
    while (cycles != 0) {
        const std::uint64_t safe = std::min(cycles, model->bank->safe_cycles());
        if (safe > 1 && !model->write_pending) {
            model->bank->advance(model->totals, model->bank->now() + safe);
            cycles -= safe;
        } else {
            tick(*model, {});
            --cycles;
        }
    }
    return done(*model);
}

int pes_hpm_read(pes_hpm* model, unsigned csr, uint64_t* value) {
    if (!owns(*model, csr)) {
        return mistake(*model, no_register(csr));
    }
    *value = model->bank->read(static_cast<std::uint16_t>(csr));
    return done(*model);
}

int pes_hpm_write(pes_hpm* model, unsigned csr, uint64_t value) {
    if (!owns(*model, csr)) {
        return mistake(*model, no_register(csr));
    }
    if (model->write_pending) {
        return mistake(*model, "a second write before pes_hpm_tick(), expected one a cycle");
    }
    model->bank->write(static_cast<std::uint16_t>(csr), value);
    model->write_pending = true;
    return done(*model);
}

int pes_hpm_owns(const pes_hpm* model, unsigned csr) {
    return owns(*model, csr) ? 1 : 0;
}

unsigned pes_hpm_lines(const pes_hpm* model) {
    const auto level = [model](pes::BankLine line, unsigned bit) {
        return model->bank->interrupt(line).level ? bit : 0U;
    };
    return level(pes::BankLine::Threshold, PES_HPM_LINE_THRESHOLD) |
           level(pes::BankLine::BufferFull, PES_HPM_LINE_BUFFER_FULL) |
           level(pes::BankLine::Overflow, PES_HPM_LINE_OVERFLOW);
}

uint32_t pes_hpm_reached(const pes_hpm* model) {
    return model->bank->reached();
}

uint64_t pes_hpm_cycles(const pes_hpm* model) {
    return model->bank->now();
}

namespace {

const pes::EventRow* find(pes_hpm& model, const char* event) {
    const pes::EventRow* row =
        event == nullptr ? nullptr : pes::find_event(*model.config.profile, event);
    if (row == nullptr) {
        mistake(model, "profile '" + std::string(model.config.profile->name) + "' has no event '" +
                           (event == nullptr ? "" : event) + "'");
    }
    return row;
}

} // namespace

int pes_hpm_pulse(pes_hpm* model, const char* event) {
    const pes::EventRow* const row = find(*model, event);
    if (row == nullptr) {
        return -1;
    }
    const bool has_pulse = row->source != pes::Event::None &&
                           pes::pin_sources(*model->config.profile).has(row->source);
    if (!has_pulse) {
        return mistake(*model, "the event '" + std::string(event) + "' has no pulse");
    }
    done(*model);
    return static_cast<int>(row->source);
}

int64_t pes_hpm_selector(pes_hpm* model, const char* event) {
    const pes::EventRow* const row = find(*model, event);
    if (row == nullptr) {
        return -1;
    }
    done(*model);
    return static_cast<std::int64_t>(row->selector);
}
