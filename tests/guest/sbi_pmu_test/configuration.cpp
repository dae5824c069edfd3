// SPDX-License-Identifier: Apache-2.0
// config_matching: errors, every event, which counter is handed out, flags.
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace pes::pmu_test {

namespace {

constexpr uint64_t kCycles = sbi::pmu::kEventCycles;
constexpr uint64_t kInstructions = sbi::pmu::kEventInstructions;

/// Whether any counter takes the event. It is given back.
void show_event(uint64_t event, uint64_t data) {
    const sbi::Result result = configure(0, all_counters(), 0, event, data);
    if (result.error == sbi::kSuccess) {
        stop(result.value, 1, sbi::pmu::kStopReset);
    }
    print(put_byte, "event ", Hex{event}, " data ", Hex{data});
    report("", result, Shows::Kind);
}

void show_bad_events() {
    constexpr struct {
        uint64_t event;
        uint64_t data;
    } kCases[] = {
        {0x00000, 0},         {0x0000B, 0},       {0x01234, 0},         {0x0FFFF, 0},
        {0x10006, 0},         {0x10038, 0},       {0x12345, 0},         {0x20001, 5},
        {0x30001, 5},         {0x20000, 0},       {0x30000, 0},         {0x20000, 31},
        {0x30000, 31},        {0x20000, 1u << 8}, {0x30000, 1ul << 47}, {0x20000, 1ul << 48},
        {0x30000, 1ul << 56}, {0x40001, 0},       {0xE0001, 0},         {0x00001, 1},
        {0x10000, 1},         {0xF0005, 1},       {0xF0016, 0},         {0xF00FF, 0},
        {0xF0100, 0},         {0xFFFFE, 0},       {0xFFFFF, 0},         {0xFFFFF, 1},
        {0x100001, 0},        {1ul << 32 | 1, 0},
    };
    for (const auto& each : kCases) {
        show_event(each.event, each.data);
    }
}

} // namespace

void show_configuration_errors() {
    const uint64_t all = all_counters();
    report("config, an empty set", configure(0, 0, 0, kCycles), Shows::Counter);
    report("config, base past the end", configure(machine.count, 1, 0, kCycles), Shows::Counter);
    report("config, base far past the end", configure(~uint64_t{0}, 1, 0, kCycles), Shows::Counter);
    report("config, mask past the end", configure(0, uint64_t{1} << machine.count, 0, kCycles),
           Shows::Counter);
    report("config, full mask", configure(0, ~uint64_t{0}, 0, kCycles), Shows::Counter);
    report("config, an empty set and a bad event", configure(0, 0, 0, 0x1234));
    report("config, the hole", configure(1, 1, 0, kBranches));
    for (unsigned bit = 8; bit < 64; bit += 11) {
        print(put_byte, "config, reserved flag ", uint64_t{bit});
        report("", configure(3, 1, uint64_t{1} << bit, kBranches));
        stop(3, 1, sbi::pmu::kStopReset);
    }
    report("config, a reserved flag and a bad event", configure(0, all, 1 << 8, 0x1234));
    report("config, a firmware event on hardware", configure(3, 1, 0, kSetTimer));
    report("config, a hardware event on firmware", configure(firmware_counter(0), 1, 0, kBranches));
    report("config, a cache event on firmware", configure(firmware_counter(0), 1, 0, kL1dReads));
    report("config, a raw event on firmware",
           configure(firmware_counter(0), 1, 0, sbi::pmu::kEventRaw, kLoadSelector));
    report("config, a general event on the fixed counters", configure(0, 5, 0, kBranches));
    report("config, cycles without cycle in the set", configure(3, 1, 0, kCycles), Shows::Counter);
    release_all();
    report("config, instructions without instret in the set", configure(3, 1, 0, kInstructions),
           Shows::Counter);
    release_all();
    report("config, cycles on instret", configure(2, 1, 0, kCycles), Shows::Counter);
}

void show_events() {
    for (uint64_t code = 1; code <= 10; ++code) {
        show_event(code, 0);
    }
    for (uint64_t cache = 0; cache < 7; ++cache) {
        for (uint64_t what = 0; what < 6; ++what) {
            show_event(0x10000 | cache << 3 | what, 0);
        }
    }
    for (uint64_t selector = 1; selector <= 23; ++selector) {
        show_event(sbi::pmu::kEventRaw, selector);
        show_event(sbi::pmu::kEventRawV2, selector);
    }
    for (uint64_t code = 0; code < 22; ++code) {
        show_event(firmware_event(code), 0);
    }
    show_bad_events();
}

void show_allocation() {
    const uint64_t all = all_counters();
    report("cycles", configure(0, all, 0, kCycles), Shows::Counter);
    report("cycles a second time", configure(0, all, 0, kCycles), Shows::Counter);
    report("instructions", configure(0, all, 0, kInstructions), Shows::Counter);
    report("instructions a second time", configure(0, all, 0, kInstructions), Shows::Counter);
    release_all();

    report("the first counter of all", configure(0, all, 0, kBranches), Shows::Counter);
    report("the second counter of all", configure(0, all, 0, kBranches), Shows::Counter);
    report("a counter of three", configure(5, 7, 0, kBranches), Shows::Counter);
    report("a set that starts in the hole", configure(1, 1 << 7, 0, kBranches), Shows::Counter);
    release_all();

    for (uint64_t n = 3; n < machine.first_firmware; ++n) {
        configure(n, 1, 0, kBranches);
    }
    report("no programmable counter is left", configure(0, all, 0, kBranches), Shows::Counter);
    stop(4, 1, sbi::pmu::kStopReset);
    report("one is free again", configure(0, all, 0, kBranches), Shows::Counter);
    report("a taken counter", configure(4, 1, 0, kL1dReads), Shows::Counter);
    release_all();

    report("the first firmware counter of all", configure(0, all, 0, kSetTimer), Shows::Counter);
    report("the second firmware counter of all", configure(0, all, 0, kSetTimer), Shows::Counter);
    for (uint64_t n = 0; firmware_counter(n) < machine.count; ++n) {
        configure(firmware_counter(n), 1, 0, kSetTimer);
    }
    report("no firmware counter is left", configure(0, all, 0, kSetTimer), Shows::Counter);
    report("a taken firmware counter", configure(firmware_counter(0), 1, 0, kSetTimer),
           Shows::Counter);
}

namespace {

void show_skip_match(const char* kind, uint64_t counter, uint64_t event, uint64_t other) {
    constexpr uint64_t kSkip = sbi::pmu::kConfigSkipMatch;
    const auto line = [kind](const char* name, sbi::Result result, Shows shows) {
        print(put_byte, kind, ", ");
        report(name, result, shows);
    };
    line("skip match, unconfigured", configure(counter, 1, kSkip, event), Shows::Counter);
    line("configured", configure(counter, 1, 0, event), Shows::Counter);
    line("skip match, the same event", configure(counter, 1, kSkip, event), Shows::Counter);
    line("skip match, another event", configure(counter, 1, kSkip, other), Shows::Counter);
    line("skip match, the lowest of a set", configure(counter, 3, kSkip, event), Shows::Counter);
    line("skip match, the lowest of a set is unconfigured", configure(counter + 1, 3, kSkip, event),
         Shows::Nothing);
    line("skip match with auto start",
         configure(counter, 1, kSkip | sbi::pmu::kConfigAutoStart, event), Shows::Counter);
    line("it runs", start(counter, 1), Shows::Nothing);
    line("skip match of a running counter", configure(counter, 1, kSkip, event), Shows::Counter);
    line("it still runs", start(counter, 1), Shows::Nothing);
    release_all();
}

/// They have their event always.
void show_skip_match_of_fixed() {
    constexpr uint64_t kSkip = sbi::pmu::kConfigSkipMatch;
    struct Fixed {
        const char* name;
        uint64_t counter;
        uint64_t event;
    };
    constexpr Fixed kFixed[] = {{"cycle", 0, kCycles}, {"instret", 2, kInstructions}};
    for (const Fixed& fixed : kFixed) {
        const auto line = [&fixed](const char* name, sbi::Result result, Shows shows) {
            print(put_byte, fixed.name, ", ");
            report(name, result, shows);
        };
        line("skip match", configure(fixed.counter, 1, kSkip, fixed.event), Shows::Counter);
        line("it starts", start(fixed.counter, 1), Shows::Nothing);
        line("it stops with reset", stop(fixed.counter, 1, sbi::pmu::kStopReset), Shows::Nothing);
        line("skip match after the reset",
             configure(fixed.counter, 1, kSkip | sbi::pmu::kConfigAutoStart, fixed.event),
             Shows::Counter);
        line("it runs", start(fixed.counter, 1), Shows::Nothing);
        stop(fixed.counter, 1, sbi::pmu::kStopReset);
    }
}

/// Filters are hints, so any of them is accepted.
void show_filter_flags(const char* kind, uint64_t counter, uint64_t event) {
    for (unsigned bit = 3; bit < 8; ++bit) {
        print(put_byte, kind, ", filter flag ", uint64_t{bit});
        report("", configure(counter, 1, uint64_t{1} << bit, event), Shows::Counter);
        stop(counter, 1, sbi::pmu::kStopReset);
    }
    print(put_byte, kind, ", all filter flags");
    report("", configure(counter, 1, 0xF8, event), Shows::Counter);
    stop(counter, 1, sbi::pmu::kStopReset);
}

/// Seen by a start that finds the counter running, and by the value.
void show_hardware_flags(const char* kind, uint64_t event, uint64_t data) {
    configure(3, 1, 0, event, data);
    start(3, 1, sbi::pmu::kStartSetInitValue, uint64_t{1} << 40);
    stop(3, 1, sbi::pmu::kStopReset);
    configure(3, 1, sbi::pmu::kConfigAutoStart, event, data);
    print(put_byte, "auto start of ", kind);
    report("", start(3, 1));
    print(put_byte, "auto start keeps the value of ", kind);
    report_number("", read_counter(3) >> 40);
    stop(3, 1, sbi::pmu::kStopReset);
    configure(3, 1, sbi::pmu::kConfigClearValue, event, data);
    print(put_byte, "clear value of ", kind);
    report_number("", read_counter(3) >> 40);
    print(put_byte, "clear value does not start ", kind);
    report("", start(3, 1));
    stop(3, 1, sbi::pmu::kStopReset);
}

} // namespace

void show_configuration_flags() {
    constexpr uint64_t kClear = sbi::pmu::kConfigClearValue;
    constexpr uint64_t kAutoStart = sbi::pmu::kConfigAutoStart;
    show_skip_match("hardware", 3, kBranches, kL1dReads);
    show_skip_match("firmware", firmware_counter(0), kSetTimer, firmware_event(0));
    show_skip_match_of_fixed();
    report("skip match of the hole", configure(1, 1, sbi::pmu::kConfigSkipMatch, kBranches));
    configure(3, 1, 0, kBranches);
    report("skip match of the hole and a configured counter",
           configure(1, 5, sbi::pmu::kConfigSkipMatch, kBranches), Shows::Counter);
    report("skip match of the hole, instret and a configured counter",
           configure(1, 7, sbi::pmu::kConfigSkipMatch, kBranches), Shows::Counter);
    release_all();
    show_filter_flags("hardware", 3, kBranches);
    show_filter_flags("firmware", firmware_counter(0), kSetTimer);

    show_hardware_flags("a general event", kBranches, 0);
    show_hardware_flags("a cache event", kL1dReads, 0);
    show_hardware_flags("a raw event", sbi::pmu::kEventRaw, kLoadSelector);

    const uint64_t counter = firmware_counter(0);
    const uint64_t event = kSetTimer;
    configure(counter, 1, kClear, event);
    start(counter, 1, sbi::pmu::kStartSetInitValue, 700);
    stop(counter, 1, sbi::pmu::kStopReset);
    report("config keeps the value", configure(counter, 1, 0, event), Shows::Counter);
    report("value", firmware_read(counter), Shows::Number);
    stop(counter, 1, sbi::pmu::kStopReset);
    report("config with auto start", configure(counter, 1, kAutoStart, event), Shows::Counter);
    report("auto start keeps the value", firmware_read(counter), Shows::Number);
    set_far_timer();
    report("auto start counts", firmware_read(counter), Shows::Number);
    stop(counter, 1, sbi::pmu::kStopReset);
    report("config with clear value", configure(counter, 1, kClear, event), Shows::Counter);
    set_far_timer();
    report("cleared, and not started", firmware_read(counter), Shows::Number);
    stop(counter, 1, sbi::pmu::kStopReset);
    report("config with clear value and auto start",
           configure(counter, 1, kClear | kAutoStart, event), Shows::Counter);
    set_far_timer();
    report("cleared and counting", firmware_read(counter), Shows::Number);
}

} // namespace pes::pmu_test
