// SPDX-License-Identifier: Apache-2.0
// A supervisor program on two harts: starts, stops, suspends and wakes the second one through the
// hart state extension, sends it interrupts and fences its code and translations from the first.
//
// The second hart does what `order` says and answers in `done`; a command is finished when
// `done` has reached the number of the order.
#include "firmware/boot/csr.h"
#include "platform.h"
#include "tests/guest/sbi_test/check.h"

extern "C" void second_start();
extern "C" void second_resume();
extern "C" char second_stack_top[];

namespace pes::test {

unsigned checks = 0;
unsigned failures = 0;

namespace {

constexpr uint64_t kSecond = 1;
constexpr uint64_t kMissing = 63; ///< no machine of the tests has this hart
/// Above an argument that the text gives as uint32_t: without meaning.
constexpr uint64_t kIgnoredBits = 0x8000'0001'0000'0000;

enum class Command : uint64_t {
    RunCode,
    Translate,
    LeaveTranslation,
    Suspend,
    SuspendWithResume,
    FenceFirst,
    Watch,
    ReadWatched,
    Stop,
};

uint64_t order;
Command command;
uint64_t done;
uint64_t answer;
sbi::pmu::FirmwareEvent watched; ///< by the second hart
constexpr uint64_t kTimes = 3;   ///< that each event happens
uint64_t seen_hart, seen_satp, seen_sstatus, resumed;

alignas(64) uint32_t code[16];
alignas(4096) uint64_t root_table[512], middle_table[512], leaf_table[512];
alignas(4096) uint64_t first_page[512], second_page[512];
constexpr uint64_t kWindow = 0x40'0000'0000 - 0x1000; ///< last page of user space's Sv39 half

uint64_t address_of(const void* object) {
    return reinterpret_cast<uint64_t>(object);
}

sbi::Result hart_state(uint64_t function, uint64_t first = 0, uint64_t second = 0,
                       uint64_t third = 0) {
    return sbi_call(sbi::kHartState, function, first, second, third);
}

uint64_t status() {
    return hart_state(sbi::hart_state::kStatus, kSecond).value;
}

void wait_for_status(uint64_t wanted) {
    while (status() != wanted) {
    }
}

sbi::Result start_second() {
    return hart_state(sbi::hart_state::kStart, kSecond, reinterpret_cast<uint64_t>(second_start),
                      address_of(second_stack_top));
}

uint64_t give(Command what) {
    command = what;
    const uint64_t number = order + 1;
    __atomic_store_n(&order, number, __ATOMIC_RELEASE);
    return number;
}

void wait_for(uint64_t number) {
    while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < number) {
    }
}

uint64_t ask(Command what) {
    wait_for(give(what));
    return answer;
}

void write_code(uint32_t value) {
    code[0] = value << 20 | 0x00000513; // li a0, value
    code[1] = 0x00008067;               // ret
}

void map_window(const uint64_t* page) {
    constexpr uint64_t kPointer = 0x01;
    constexpr uint64_t kReadable = 0xC3; // D A R V
    constexpr uint64_t kEverything = 0xCF;
    constexpr auto entry = [](uint64_t physical, uint64_t bits) {
        return physical >> 12 << 10 | bits;
    };
    root_table[PES_DRAM_BASE >> 30 & 511] = entry(PES_DRAM_BASE, kEverything);
    root_table[kWindow >> 30 & 511] = entry(address_of(middle_table), kPointer);
    middle_table[kWindow >> 21 & 511] = entry(address_of(leaf_table), kPointer);
    leaf_table[kWindow >> 12 & 511] = entry(address_of(page), kReadable);
}

uint64_t run_code() {
    return reinterpret_cast<uint64_t (*)()>(&code[0])();
}

void turn_on_translation() {
    constexpr uint64_t kSv39 = uint64_t{8} << 60;
    constexpr uint64_t kAsid = 5;
    write_csr<csr::kSatp>(kSv39 | kAsid << 44 | address_of(root_table) >> 12);
}

// --- Firmware counters, of either hart -----------------------------------------------------------

uint64_t firmware_counter(uint64_t n) {
    constexpr uint64_t kFirmwareCounters = 16;
    return sbi_call(sbi::kPmu, sbi::pmu::kNumCounters).value - kFirmwareCounters + n;
}

sbi::Result count_event(uint64_t n, sbi::pmu::FirmwareEvent event) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, firmware_counter(n), 1,
                    sbi::pmu::kConfigClearValue | sbi::pmu::kConfigAutoStart,
                    sbi::pmu::kEventTypeFirmware << sbi::pmu::kEventTypeShift |
                        static_cast<uint64_t>(event));
}

uint64_t event_count(uint64_t n) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, firmware_counter(n)).value;
}

void release(uint64_t n) {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, firmware_counter(n), 1, sbi::pmu::kStopReset);
}

// --- The second hart --------------------------------------------------------------------------

void obey(Command what) {
    switch (what) {
    case Command::RunCode:
        answer = run_code();
        return;
    case Command::Translate:
        turn_on_translation();
        answer = *reinterpret_cast<volatile uint64_t*>(kWindow);
        return;
    case Command::LeaveTranslation:
        write_csr<csr::kSatp>(0);
        return;
    case Command::Suspend:
        set_csr<csr::kSie>(kInterruptSsi);
        answer = static_cast<uint64_t>(
            hart_state(sbi::hart_state::kSuspend, kIgnoredBits | sbi::hart_state::kRetentive)
                .error);
        clear_csr<csr::kSip>(kInterruptSsi);
        return;
    case Command::SuspendWithResume:
        set_csr<csr::kSie>(kInterruptSsi);
        hart_state(sbi::hart_state::kSuspend, kIgnoredBits | sbi::hart_state::kNonRetentive,
                   reinterpret_cast<uint64_t>(second_resume), address_of(second_stack_top));
        return;
    case Command::FenceFirst:
        for (unsigned i = 0; i < 100; ++i) {
            sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, 1, 0);
        }
        return;
    case Command::Watch:
        answer = static_cast<uint64_t>(count_event(0, watched).error);
        return;
    case Command::ReadWatched:
        // An interrupt may come later than the command that followed it.
        for (unsigned poll = 0; poll < 1'000'000 && event_count(0) < kTimes; ++poll) {
        }
        answer = event_count(0);
        release(0);
        clear_csr<csr::kSip>(kInterruptSsi);
        return;
    case Command::Stop:
        __atomic_store_n(&done, order, __ATOMIC_RELEASE);
        hart_state(sbi::hart_state::kStop);
        return;
    }
}

[[noreturn]] void serve_orders(uint64_t number) {
    for (;; ++number) {
        while (__atomic_load_n(&order, __ATOMIC_ACQUIRE) < number) {
        }
        obey(command);
        __atomic_store_n(&done, number, __ATOMIC_RELEASE);
    }
}

// --- The first hart ---------------------------------------------------------------------------

/// On a simulator with a thread a hart the second one may come to the firmware later.
void wait_for_arrival() {
    constexpr unsigned kPolls = 100'000'000;
    for (unsigned poll = 0; poll < kPolls; ++poll) {
        if (hart_state(sbi::hart_state::kStatus, kSecond).error == sbi::kSuccess) {
            return;
        }
    }
}

void check_start() {
    using namespace sbi::hart_state;
    wait_for_arrival();
    const auto entry = reinterpret_cast<uint64_t>(second_start);
    expect_success("status of the boot hart", hart_state(kStatus, 0), kStarted);
    expect_success("status of the second hart", hart_state(kStatus, kSecond), kStopped);
    expect_error("status of no hart", hart_state(kStatus, kMissing), sbi::kInvalidParam);
    expect_error("start of no hart", hart_state(kStart, kMissing, entry), sbi::kInvalidParam);
    expect_error("start in machine memory", hart_state(kStart, kSecond, PES_DRAM_BASE),
                 sbi::kInvalidAddress);
    expect_error("start of the boot hart", hart_state(kStart, 0, entry), sbi::kAlreadyAvailable);
    expect_success("start", start_second(), 0);
    wait_for_status(kStarted);
    expect_error("start twice", start_second(), sbi::kAlreadyAvailable);
    write_code(1);
    wait_for(give(Command::RunCode));
    expect_value("a0 is the hart", seen_hart, kSecond);
    expect_value("satp is zero", seen_satp, 0);
    expect_value("sstatus.SIE is clear", seen_sstatus & kStatusSie, 0);
    expect_error("function 4", hart_state(4), sbi::kNotSupported);
}

void check_instruction_fence() {
    for (uint32_t value = 2; value < 6; ++value) {
        write_code(value);
        expect_success("remote fence.i",
                       sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, 1, kSecond),
                       0);
        expect_value("the other hart runs the new code", ask(Command::RunCode), value);
    }
    const uint64_t number = give(Command::FenceFirst); // both at once: neither may wait for ever
    for (unsigned i = 0; i < 100; ++i) {
        sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, 0, sbi::kAllHarts);
    }
    wait_for(number);
    expect_error("remote fence.i on no hart",
                 sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, 1, kMissing),
                 sbi::kInvalidParam);
    write_code(6);
    expect_error("legacy fence.i everywhere", sbi_call(sbi::kLegacyFenceI, 0, 0), sbi::kSuccess);
    expect_value("the other hart runs the last code", ask(Command::RunCode), 6);
    expect_error("remote hfence", sbi_call(sbi::kRemoteFence, 3, 1, kSecond), sbi::kNotSupported);
}

void check_translation_fence() {
    using namespace sbi::remote_fence;
    struct {
        uint64_t function, start, size, asid;
    } const fences[] = {
        {kTranslations, kWindow, 0x1000, 0}, {kTranslations, 0, 0, 0},
        {kTranslations, 0, ~uint64_t{0}, 0}, {kTranslationsOfAsid, kWindow, 0x1000, 5},
        {kTranslationsOfAsid, 0, 0, 5},
    };
    first_page[0] = 0x11;
    second_page[0] = 0x22;
    map_window(first_page);
    sbi_call(sbi::kRemoteFence, kTranslations, 1, kSecond, 0, 0);
    expect_value("the first page", ask(Command::Translate), 0x11);
    bool second = false;
    for (const auto& fence : fences) {
        second = !second;
        map_window(second ? second_page : first_page);
        expect_success("remote sfence.vma",
                       sbi_call(sbi::kRemoteFence, fence.function, 1, kSecond, fence.start,
                                fence.size, fence.asid),
                       0);
        expect_value("the other hart sees the new page", ask(Command::Translate),
                     second ? 0x22 : 0x11);
    }
    ask(Command::LeaveTranslation);
    expect_error("a range that wraps",
                 sbi_call(sbi::kRemoteFence, kTranslations, 1, kSecond, ~uint64_t{0} - 1, 4096),
                 sbi::kInvalidAddress);
}

void check_interrupts() {
    expect_success("send to itself", sbi_call(sbi::kIpi, sbi::ipi::kSend, 1, 0), 0);
    while ((read_csr<csr::kSip>() & kInterruptSsi) == 0) {
    }
    clear_csr<csr::kSip>(kInterruptSsi);
    expect_error("send to no hart", sbi_call(sbi::kIpi, sbi::ipi::kSend, 1, kMissing),
                 sbi::kInvalidParam);
    expect_error("sPI function 1", sbi_call(sbi::kIpi, 1), sbi::kNotSupported);
}

/// What one hart sends the other receives, and each counts its own side.
void check_counts() {
    using Event = sbi::pmu::FirmwareEvent;
    struct {
        const char* what;
        Event sent, received;
        uint64_t extension, function;
    } const kinds[] = {
        {"IPI", Event::IpiSent, Event::IpiReceived, sbi::kIpi, sbi::ipi::kSend},
        {"FENCE.I", Event::FenceISent, Event::FenceIReceived, sbi::kRemoteFence,
         sbi::remote_fence::kInstructions},
        {"SFENCE.VMA", Event::SfenceVmaSent, Event::SfenceVmaReceived, sbi::kRemoteFence,
         sbi::remote_fence::kTranslations},
        {"SFENCE.VMA with ASID", Event::SfenceVmaAsidSent, Event::SfenceVmaAsidReceived,
         sbi::kRemoteFence, sbi::remote_fence::kTranslationsOfAsid},
    };
    for (const auto& kind : kinds) {
        watched = kind.received;
        expect_value("the other hart has counters of its own", ask(Command::Watch), 0);
        count_event(0, kind.sent);
        count_event(1, kind.received);
        for (uint64_t i = 0; i < kTimes; ++i) {
            sbi_call(kind.extension, kind.function, 1, kSecond);
        }
        expect_value(kind.what, ask(Command::ReadWatched), kTimes);
        expect_value(kind.what, event_count(0), kTimes);
        expect_value(kind.what, event_count(1), 0);
        release(0);
        release(1);
    }
}

void check_suspend() {
    using namespace sbi::hart_state;
    const uint64_t sleeping = give(Command::Suspend);
    wait_for_status(kSuspended);
    write_code(7);
    sbi_call(sbi::kRemoteFence, sbi::remote_fence::kInstructions, 0, sbi::kAllHarts);
    expect_success("a fence does not wake", hart_state(kStatus, kSecond), kSuspended);
    sbi_call(sbi::kIpi, sbi::ipi::kSend, 1, kSecond);
    wait_for(sleeping);
    expect_value("retentive suspend returns success", answer, 0);
    expect_value("and knows the new code", ask(Command::RunCode), 7);
    const uint64_t number = give(Command::SuspendWithResume);
    wait_for_status(kSuspended);
    sbi_call(sbi::kIpi, sbi::ipi::kSend, uint64_t{1} << kSecond, 0);
    wait_for(number);
    expect_value("non-retentive suspend resumes at its address", resumed, kSecond);
    expect_error("suspend type 1", hart_state(kSuspend, 1), sbi::kInvalidParam);
    expect_error("suspend type of a platform", hart_state(kSuspend, 0x1000'0000),
                 sbi::kNotSupported);
    expect_error("resume in machine memory", hart_state(kSuspend, kNonRetentive, PES_DRAM_BASE),
                 sbi::kInvalidAddress);
}

void check_stop() {
    wait_for(give(Command::Stop));
    wait_for_status(sbi::hart_state::kStopped);
    write_code(8);
    seen_hart = kMissing;
    expect_success("start again", start_second(), 0);
    expect_value("a hart that was stopped runs again", ask(Command::RunCode), 8);
    expect_value("with a0 as before", seen_hart, kSecond);
}

} // namespace

extern "C" [[noreturn]] void second_hart(uint64_t hart, uint64_t satp, uint64_t sstatus) {
    seen_hart = hart;
    seen_satp = satp;
    seen_sstatus = sstatus;
    serve_orders(__atomic_load_n(&done, __ATOMIC_ACQUIRE) + 1);
}

extern "C" [[noreturn]] void second_hart_resumed(uint64_t hart) {
    resumed = hart;
    clear_csr<csr::kSip>(kInterruptSsi);
    __atomic_store_n(&done, order, __ATOMIC_RELEASE);
    serve_orders(order + 1);
}

extern "C" [[noreturn]] void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    print(supervisor_put, "unexpected trap: cause ", Hex{cause}, "  pc ", Hex{pc}, "  value ",
          Hex{value}, "\n");
    shut_down(1);
}

extern "C" [[noreturn]] void run_tests() {
    check_start();
    check_instruction_fence();
    check_translation_fence();
    check_interrupts();
    check_counts();
    check_suspend();
    check_stop();
    print(supervisor_put, "harts_sbi: ", checks, " checks, ", failures, " failures\n");
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, kIgnoredBits | sbi::reset::kShutdown,
             kIgnoredBits | (failures == 0 ? sbi::reset::kNoReason : sbi::reset::kSystemFailure));
    print(supervisor_put, "harts_sbi: system_reset returned\n");
    shut_down(1);
}

} // namespace pes::test
