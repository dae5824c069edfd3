// SPDX-License-Identifier: Apache-2.0
// PMU extension, functions 0..6, hardware events (SBI 3.0). There are no firmware counters, no
// snapshot memory and no event-info call. Where the text is silent the behaviour is that of
// OpenSBI, with the exceptions that docs/sbi.md lists.
#include "firmware/sbi/counters.h"
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/machine.h"

namespace pes {

namespace {

constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};
constexpr uint32_t kFixed = 1U << kCycleIndex | 1U << kInstretIndex;

/// A set of counters: base + i for every bit i of mask. A hole inside is left out; an empty mask or
/// a member past the last counter is an error.
struct CounterSet {
    bool valid;
    uint32_t members;
};

CounterSet counter_set(uint64_t base, uint64_t mask) {
    if (mask == 0 || base >= kCounterCount || mask >> (kCounterCount - base) != 0) {
        return {false, 0};
    }
    return {true, static_cast<uint32_t>(mask << base) & counters().present()};
}

bool has(unsigned n) {
    return counters().owner(n) == CounterOwner::Pmu;
}

uint32_t configured(uint32_t members) {
    uint32_t result = 0;
    for_each_counter(members, [&result](unsigned n) { result |= has(n) ? 1U << n : 0; });
    return result;
}

/// What an event needs: one of `candidates`, with this selector.
struct Requirement {
    uint32_t candidates;
    uint64_t selector;
};

Requirement requirement(uint64_t event, uint64_t data) {
    const uint32_t programmable = counters().present() & ~kFixed;
    if (event == kEventRaw || event == kEventRawV2) {
        return {selects_event(data) ? programmable : 0, data};
    }
    if (data != 0) {
        return {0, 0}; // reserved for general and cache events
    }
    if (event == kEventCycles) {
        return {1U << kCycleIndex, 0};
    }
    if (event == kEventInstructions) {
        return {1U << kInstretIndex, 0};
    }
    for (const SbiEventRow& row : kCva6SbiEvents) {
        if (row.event == event) {
            return {programmable, row.selector};
        }
    }
    return {0, 0};
}

void apply_config_flags(unsigned n, uint64_t flags) {
    if ((flags & sbi::pmu::kConfigClearValue) != 0) {
        counters().set_value(n, 0);
    }
    if ((flags & sbi::pmu::kConfigAutoStart) != 0) {
        counters().run(1U << n);
    }
}

/// An unconfigured fixed counter runs free; any other stands still.
void release(unsigned n) {
    counters().set_owner(n, CounterOwner::None);
    if ((kFixed >> n & 1) != 0) {
        counters().run(1U << n);
    } else {
        counters().set_event(n, 0);
    }
}

sbi::Result counter_info(uint64_t n) {
    if (n >= kCounterCount || !counters().exists(static_cast<unsigned>(n))) {
        return kInvalid;
    }
    const uint64_t width = counters().width(static_cast<unsigned>(n));
    return {sbi::kSuccess, (width - 1) << 12 | (csr::kCycle + n)};
}

sbi::Result config_matching(const uint64_t* argument) {
    const CounterSet set = counter_set(argument[0], argument[1]);
    const uint64_t flags = argument[2];
    if (!set.valid || (flags & ~sbi::pmu::kConfigKnown) != 0) {
        return kInvalid;
    }
    if ((flags & sbi::pmu::kConfigSkipMatch) != 0) {
        const auto first = static_cast<unsigned>(__builtin_ctzl(argument[1]) + argument[0]);
        if (!counters().exists(first) || !has(first)) {
            return kInvalid;
        }
        apply_config_flags(first, flags);
        return {sbi::kSuccess, first};
    }
    const Requirement need = requirement(argument[3], argument[4]);
    for (unsigned n = 0; n < kCounterCount; ++n) {
        if ((need.candidates & set.members & 1U << n) == 0 ||
            counters().owner(n) != CounterOwner::None) {
            continue;
        }
        counters().hold(1U << n);
        counters().set_owner(n, CounterOwner::Pmu);
        if (n >= kFirstProgrammable) {
            counters().set_event(n, need.selector);
        }
        apply_config_flags(n, flags);
        return {sbi::kSuccess, n};
    }
    return kSbiNotSupported;
}

/// The counters that a start or stop call is about, or its error.
struct Selection {
    uint32_t members;
    int64_t error;
};

Selection select(const uint64_t* argument, uint64_t known_flags, uint64_t snapshot_flag) {
    const CounterSet set = counter_set(argument[0], argument[1]);
    const uint64_t flags = argument[2];
    if (!set.valid || (flags & ~known_flags) != 0) {
        return {0, sbi::kInvalidParam};
    }
    if ((flags & snapshot_flag) != 0) {
        return {0, sbi::kNoShmem};
    }
    const uint32_t members = configured(set.members);
    return {members, members != 0 ? sbi::kSuccess : sbi::kInvalidParam};
}

sbi::Result start(const uint64_t* argument) {
    const uint64_t flags = argument[2];
    if (flags == sbi::pmu::kStartKnown) { // an initial value and a snapshot exclude each other
        return kInvalid;
    }
    const Selection chosen = select(argument, sbi::pmu::kStartKnown, sbi::pmu::kStartInitSnapshot);
    int64_t error = chosen.error;
    for_each_counter(chosen.members, [&](unsigned n) {
        if (counters().running(n)) {
            error = sbi::kAlreadyStarted;
            return;
        }
        if ((flags & sbi::pmu::kStartSetInitValue) != 0) {
            counters().set_value(n, argument[3]);
        }
        counters().run(1U << n);
    });
    return {error, 0};
}

sbi::Result stop(const uint64_t* argument) {
    const uint64_t flags = argument[2];
    const Selection chosen = select(argument, sbi::pmu::kStopKnown, sbi::pmu::kStopTakeSnapshot);
    int64_t error = chosen.error;
    for_each_counter(chosen.members, [&](unsigned n) {
        if (!counters().running(n)) {
            error = sbi::kAlreadyStopped;
        }
        counters().hold(1U << n);
        if ((flags & sbi::pmu::kStopReset) != 0) {
            release(n);
        }
    });
    return {error, 0};
}

} // namespace

sbi::Result pmu_extension(const sbi::Call& call) {
    switch (call.function) {
    case sbi::pmu::kNumCounters:
        return {sbi::kSuccess, kCounterCount};
    case sbi::pmu::kCounterGetInfo:
        return counter_info(call.argument[0]);
    case sbi::pmu::kCounterConfigMatching:
        return config_matching(call.argument);
    case sbi::pmu::kCounterStart:
        return start(call.argument);
    case sbi::pmu::kCounterStop:
        return stop(call.argument);
    case sbi::pmu::kCounterFirmwareRead:
    case sbi::pmu::kCounterFirmwareReadHigh:
        return kInvalid; // every counter is a hardware counter
    default:
        return kSbiNotSupported;
    }
}

} // namespace pes
