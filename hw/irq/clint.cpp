// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/clint.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/clint.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace pes {

namespace {

constexpr unsigned kMaxHarts = 4095; // mtimecmp of the 4096th would lie on mtime
constexpr std::uint64_t kEnd = clint::kMtime + 8;

const ClintConfig& checked(const ClintConfig& config) {
    if (config.harts < 1 || config.harts > kMaxHarts) {
        throw std::invalid_argument("CLINT: " + std::to_string(config.harts) +
                                    " harts, expected 1 to 4095");
    }
    if (config.cycles_per_tick < 1) {
        throw std::invalid_argument("CLINT: 0 cycles per tick of mtime, expected at least 1");
    }
    if (config.phase >= config.cycles_per_tick) {
        throw std::invalid_argument("CLINT: phase of mtime " + std::to_string(config.phase) +
                                    " is not less than the cycles per tick");
    }
    return config;
}

} // namespace

Clint::Clint(const ClintConfig& config)
    : config_(checked(config)), timers_(config.harts), supervisor_timers_(config.harts),
      software_(config.harts), registers_("clint", kEnd, describe()) {}

std::vector<Register> Clint::describe() {
    RegisterMap<Clint> map(*this);
    map.reg("msip", clint::kMsip).u32().array(config_.harts).mask(1).write(&Clint::set_software);
    map.reg("mtimecmp", clint::kMtimecmp)
        .u64()
        .words()
        .array(config_.harts)
        .read(&Clint::compare)
        .write(&Clint::set_compare);
    map.reg("mtime", clint::kMtime).u64().words().read(&Clint::mtime).write(&Clint::set_mtime);
    return map.take();
}

void Clint::set_software(unsigned hart, std::uint32_t value, Cycle at) {
    const bool level = value != 0;
    if (software_[hart] == level) {
        return;
    }
    software_[hart] = level;
    if (software_sink_ != nullptr) {
        software_sink_->set_level(first_software_line_ + hart, level, at + 1);
    }
}

void Clint::set_compare(unsigned hart, std::uint64_t value, Cycle at) {
    set(timers_[hart], value, at);
}

void Clint::set_stimecmp(unsigned hart, std::uint64_t value, Cycle at) {
    set(supervisor_timers_[hart], value, at);
}

void Clint::set(Timer& timer, std::uint64_t value, Cycle at) {
    advance(at);
    timer.compare = value;
    update(timer, at + 1);
}

void Clint::connect(Timers& timers, LevelSink* sink, unsigned first) {
    for (unsigned hart = 0; hart < timers.size(); ++hart) {
        timers[hart].sink = sink;
        timers[hart].line = first + hart;
    }
}

std::uint64_t Clint::mtime(Cycle at) const {
    return offset_ + step(std::max(at, written_));
}

void Clint::set_mtime(std::uint64_t value, Cycle at) {
    advance(at);
    written_ = at + 1;
    offset_ = value - step(written_);
    for (Timers* const timers : {&timers_, &supervisor_timers_}) {
        for (Timer& timer : *timers) {
            update(timer, written_);
        }
    }
}

void Clint::update(Timer& timer, Cycle at) {
    const bool level = mtime(at) >= timer.compare;
    arm(timer, at);
    if (level != timer.level) {
        timer.level = level;
        if (timer.sink != nullptr) {
            timer.sink->set_level(timer.line, level, at);
        }
    }
}

void Clint::arm(Timer& timer, Cycle at) const {
    const std::uint64_t time = mtime(at);
    const bool level = time >= timer.compare;
    // A high line falls when mtime wraps to 0, unless 0 already reaches mtimecmp.
    const std::uint64_t ticks = level ? 0 - time : timer.compare - time;
    const std::uint64_t past = step(std::max(at, written_));
    const bool never = ticks == 0 || (level && timer.compare == 0) ||
                       ticks > kNever / config_.cycles_per_tick - past;
    timer.deadline = never ? kNever : (past + ticks) * config_.cycles_per_tick - lead();
}

void Clint::advance(Cycle now) {
    for (Timers* const timers : {&timers_, &supervisor_timers_}) {
        for (Timer& timer : *timers) {
            while (timer.deadline <= now) {
                update(timer, timer.deadline);
            }
        }
    }
}

void Clint::state(Archive& archive) {
    archive(registers_, offset_, written_);
    archive.fixed(software_);
    for (Timers* const timers : {&timers_, &supervisor_timers_}) {
        for (Timer& timer : *timers) {
            archive(timer.compare, timer.level, timer.deadline);
        }
    }
}

Cycle Clint::next_change() const {
    Cycle next = kNever;
    for (const Timers* const timers : {&timers_, &supervisor_timers_}) {
        for (const Timer& timer : *timers) {
            next = std::min(next, timer.deadline);
        }
    }
    return next;
}

} // namespace pes
