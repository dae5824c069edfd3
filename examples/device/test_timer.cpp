// SPDX-License-Identifier: Apache-2.0
#include "examples/device/test_timer.h"

#include "examples/device/map.h"
#include "hw/common/register_map.h"

namespace pes {
namespace {

constexpr std::uint64_t kBytes = 0x18;

} // namespace

TestTimer::TestTimer(const TestTimerConfig& config)
    : config_(config), registers_("test_timer", kBytes, describe()) {}

std::vector<Register> TestTimer::describe() {
    RegisterMap<TestTimer> map(*this);
    map.reg("count", TEST_TIMER_COUNT).u64().words().read_only().read(&TestTimer::count);
    map.reg("compare", TEST_TIMER_COMPARE)
        .u64()
        .words()
        .read(&TestTimer::compare_)
        .write(&TestTimer::set_compare);
    map.reg("control", TEST_TIMER_CONTROL)
        .u32()
        .mask(1)
        .read(&TestTimer::enabled_)
        .write(&TestTimer::set_control);
    return map.take();
}

void TestTimer::set_compare(std::uint64_t value, Cycle at) {
    advance(at);
    compare_ = value;
    if (wave_ != nullptr) {
        wave_->change(compare_signal_, at + 1, value);
    }
    update(at + 1);
}

void TestTimer::set_control(std::uint32_t value, Cycle at) {
    advance(at);
    enabled_ = value != 0;
    update(at + 1);
}

/// The only change that the timer makes by itself is that count reaches compare.
Cycle TestTimer::next_change() const {
    const bool never = !enabled_ || level_ || compare_ > kNever / config_.cycles_per_tick;
    return never ? kNever : compare_ * config_.cycles_per_tick;
}

void TestTimer::advance(Cycle now) {
    if (const Cycle at = next_change(); at <= now) {
        update(at);
    }
}

void TestTimer::update(Cycle at) {
    const bool level = enabled_ && count(at) >= compare_;
    if (level == level_) {
        return;
    }
    level_ = level;
    if (lines_ != nullptr) {
        lines_->set_level(0, level, at);
    }
    if (wave_ != nullptr) {
        wave_->change(irq_signal_, at, level ? 1 : 0);
    }
}

void TestTimer::attach_wave(WaveSink& wave, std::string_view scope) {
    if (wave.wants(scope)) {
        wave_ = &wave;
        irq_signal_ = wave.declare(scope, scope, "irq", 1, 0);
        compare_signal_ = wave.declare(scope, scope, "compare", 64, compare_);
    }
}

} // namespace pes
