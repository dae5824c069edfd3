// SPDX-License-Identifier: Apache-2.0
// What the PAPI layer costs beside direct SBI calls, and whether both count the same: two tables in
// Markdown, as in tables 3.1 and 3.2 of T. Rocha's thesis (2023).
#include "firmware/boot/csr.h"
#include "firmware/papi/console.h"
#include "tests/guest/pmu_overhead/gemm.h"
#include "tests/guest/pmu_overhead/ways.h"

namespace pes::overhead {

namespace {

constexpr unsigned kRepetitions = 100;

constexpr uint64_t kRaw = sbi::pmu::kEventRaw;
constexpr Event kCycles{"cycles", sbi::pmu::kEventCycles, 0};
constexpr Event kInstructions{"instructions", sbi::pmu::kEventInstructions, 0};

template <typename... Parts>
void say(Parts... parts) {
    print(papi::console_put, parts..., "\n");
}

uint64_t cycle() {
    return read_csr<csr::kCycle>(); // runs free: no event of the tables' first part is cycles
}

enum Step : unsigned { kInitialise, kStart, kRead, kStopAndRead, kTerminate, kSteps };
constexpr const char* kStepNames[kSteps] = {"Initialisation", "Start", "Read", "Stop and read",
                                            "Termination"};

struct Costs {
    uint64_t sum[kSteps] = {};
};

/// Cycles of each step, summed over the repetitions. The first round fills caches and predictors.
Costs measure_costs(const Way& way) {
    constexpr Event kEvents[] = {{"load", kRaw, 5}, {"store", kRaw, 6}};
    Costs costs;
    for (unsigned round = 0; round <= kRepetitions; ++round) {
        long long values[kMaxEvents];
        uint64_t at[kSteps + 1];
        at[kInitialise] = cycle();
        way.initialise(kEvents, 2);
        at[kStart] = cycle();
        way.start();
        at[kRead] = cycle();
        way.read(values);
        at[kStopAndRead] = cycle();
        way.stop_and_read(values);
        at[kTerminate] = cycle();
        way.terminate();
        at[kSteps] = cycle();
        for (unsigned step = 0; step < kSteps && round != 0; ++step) {
            costs.sum[step] += at[step + 1] - at[step];
        }
    }
    return costs;
}

/// A mean with one decimal.
void put_mean(uint64_t sum) {
    const uint64_t tenths = (sum * 10 + kRepetitions / 2) / kRepetitions;
    print(papi::console_put, " | ", tenths / 10, ".", tenths % 10);
}

void print_costs() {
    const Costs direct = measure_costs(kDirect);
    const Costs papi = measure_costs(kPapi);
    say("| Step | SBI | PAPI | PAPI / SBI |");
    say("| --- | ---: | ---: | ---: |");
    for (unsigned step = 0; step < kSteps; ++step) {
        print(papi::console_put, "| ", kStepNames[step]);
        put_mean(direct.sum[step]);
        put_mean(papi.sum[step]);
        const uint64_t tenths = (papi.sum[step] * 10 + direct.sum[step] / 2) / direct.sum[step];
        say(" | ", tenths / 10, ".", tenths % 10, " |");
    }
}

/// The event's count of one run of `kernel`, caches warm. Compiled once: the same instructions
/// stand around either kernel.
[[gnu::noipa]] long long count_once(const Way& way, const Event& event, void (*kernel)()) {
    long long value = 0;
    way.initialise(&event, 1);
    for (unsigned round = 0; round < 2; ++round) {
        way.start();
        kernel();
        way.stop_and_read(&value);
    }
    way.terminate();
    return value;
}

struct Counted {
    long long kernel; ///< count with the kernel
    long long empty;  ///< count of the calls alone
    long long net() const { return kernel - empty; }
};

Counted count(const Way& way, const Event& event) {
    return {count_once(way, event, gemm), count_once(way, event, nothing)};
}

struct Row {
    Event event;
    const char* kind;
};
constexpr const char* kExact = "deterministic";
constexpr const char* kTiming = "timing";

constexpr Row kRows[] = {
    {kInstructions, kExact},
    {{"load", kRaw, 5}, kExact},
    {{"store", kRaw, 6}, kExact},
    {{"branch", kRaw, 9}, kExact},
    {{"floating-point", kRaw, 21}, kExact},
    // Neighbours among the loop's integer instructions may retire in one cycle and count once.
    {{"integer", kRaw, 20}, kTiming},
    {{"branch-mispredict", kRaw, 10}, kTiming},
    {{"l1d-miss", kRaw, 2}, kTiming},
    {{"l1d-access", kRaw, 17}, kTiming},
    {{"l1i-miss", kRaw, 1}, kTiming},
    {{"l1i-access", kRaw, 16}, kTiming},
    {{"fetch-empty", kRaw, 15}, kTiming},
    {{"pipeline-stall", kRaw, 22}, kTiming},
    {kCycles, kTiming},
};

void put_signed(long long value) {
    print(papi::console_put, value < 0 ? "-" : "",
          static_cast<uint64_t>(value < 0 ? -value : value));
}

/// Events whose counts must be equal and are not.
unsigned print_counts() {
    prepare_gemm();
    unsigned unequal = 0;
    say("| Event | SBI | PAPI | Difference | Kind | SBI calls | PAPI calls |");
    say("| --- | ---: | ---: | ---: | --- | ---: | ---: |");
    for (const Row& row : kRows) {
        const Counted direct = count(kDirect, row.event);
        const Counted papi = count(kPapi, row.event);
        const long long difference = papi.net() - direct.net();
        unequal += row.kind == kExact && difference != 0 ? 1 : 0;
        print(papi::console_put, "| ", row.event.name);
        const long long nets[] = {direct.net(), papi.net(), difference};
        for (const long long value : nets) {
            print(papi::console_put, " | ");
            put_signed(value);
        }
        print(papi::console_put, " | ", row.kind);
        const long long empties[] = {direct.empty, papi.empty};
        for (const long long value : empties) {
            print(papi::console_put, " | ");
            put_signed(value);
        }
        say(" |");
    }
    return unequal;
}

} // namespace

void require(bool condition, const char* what) {
    if (!condition) {
        say("pmu_overhead: failed: ", what);
        papi::end_run(1);
    }
}

} // namespace pes::overhead

extern "C" void payload_main() {
    using namespace pes;
    using namespace pes::overhead;
    say("table costs");
    print_costs();
    say("table counts");
    const unsigned unequal = print_counts();
    say("pmu_overhead: ", uint64_t{unequal}, " deterministic events differ");
    papi::end_run(unequal == 0 ? 0 : 1);
}
