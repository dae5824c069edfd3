// SPDX-License-Identifier: Apache-2.0
// The two interrupts that the library takes while a set that needs them runs: the supervisor timer
// (slices, timer-driven overflow) and counter overflow (13, Sscofpmf). Its vector table takes these
// two and leads everything else to the program's vector; PAPI_stop puts the program's back.
#include "firmware/boot/csr.h"
#include "firmware/papi/console.h"
#include "firmware/papi/counting/interrupt_frame.h"
#include "firmware/papi/counting/parts.h"
#include "firmware/supervisor/sbi_call.h"

extern "C" {
void papi_trap_entry();
/// True: `bits` is scountovf. False: the machine has none.
bool papi_read_scountovf(uint64_t* bits);
bool papi_read_shpmspc(uint64_t* pc);
}

namespace pes::papi {

namespace {

constexpr uint64_t kNever = ~uint64_t{0};

struct Taken {
    bool installed = false;
    uint64_t vector = 0; ///< the program's stvec
    bool in_handler = false;
    uint64_t enabled = 0;    ///< bits of sie that we set
    uint64_t status_sie = 0; ///< SIE as the program had it
};
Taken taken;

void set_timer(uint64_t deadline) {
    sbi_call(sbi::kTimer, sbi::timer::kSetTimer, deadline);
}

constexpr uint64_t kTimerCause = 5;
constexpr uint64_t kOverflowCause = 13;
constexpr unsigned kVectors = 16;
constexpr uint64_t kVectored = 1; ///< stvec mode

/// One jump for each cause. A jump has its target in the instruction: no register is free when the
/// program's vector is to find all of them as they were.
alignas(256) uint32_t vectors[kVectors]; // CVA6: a vectored base is aligned to 256 bytes

/// `j target` at `place`. False: out of its reach of 1 MiB.
bool jump_to(uint32_t& place, uint64_t target) {
    const auto offset = static_cast<int64_t>(target - reinterpret_cast<uint64_t>(&place));
    constexpr int64_t kReach = int64_t{1} << 20;
    if (offset < -kReach || offset >= kReach) {
        return false;
    }
    constexpr uint32_t kJal = 0x6F;
    const auto bits = static_cast<uint32_t>(offset);
    place = kJal | (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3FF) << 21 | (bits >> 11 & 1) << 20 |
            (bits >> 12 & 0xFF) << 12;
    return true;
}

/// The program's vector for interrupt `cause`; exceptions go to the base (0).
uint64_t program_vector(uint64_t stvec, uint64_t cause) {
    const uint64_t base = stvec & ~uint64_t{3};
    return (stvec & 3) == kVectored ? base + 4 * cause : base;
}

void install_vectors() {
    taken.vector = read_csr<csr::kStvec>();
    const auto ours = reinterpret_cast<uint64_t>(papi_trap_entry);
    for (uint64_t cause = 0; cause < kVectors; ++cause) {
        const bool is_ours = cause == kTimerCause || cause == kOverflowCause;
        // Without a vector of the program, or too far off: reported by papi_interrupt.
        if (is_ours || taken.vector == 0 ||
            !jump_to(vectors[cause], program_vector(taken.vector, cause))) {
            jump_to(vectors[cause], ours);
        }
    }
    asm volatile("fence.i" ::: "memory");
    write_csr<csr::kStvec>(reinterpret_cast<uint64_t>(vectors) | kVectored);
}

} // namespace

bool probe_overflow_interrupt() {
    uint64_t bits = 0;
    if (!papi_read_scountovf(&bits)) {
        return false;
    }
    const uint64_t before = read_csr<csr::kSie>();
    const InterruptGuard guard;
    set_csr<csr::kSie>(kInterruptLcofi);
    const bool delegated = (read_csr<csr::kSie>() & kInterruptLcofi) != 0;
    write_csr<csr::kSie>(before);
    return delegated;
}

bool probe_overflow_cause() {
    uint64_t pc = 0;
    return papi_read_shpmspc(&pc);
}

void enable_interrupts(const EventSet& set) {
    const bool hardware = set.source == OverflowSource::Hardware;
    const uint64_t wanted = hardware ? kInterruptLcofi : kInterruptSti;
    if (hardware) {
        clear_csr<csr::kSip>(kInterruptLcofi);
    } else {
        set_timer(kNever);
    }
    taken.status_sie = read_csr<csr::kSstatus>() & kStatusSie;
    taken.enabled = wanted & ~read_csr<csr::kSie>();
    clear_csr<csr::kSstatus>(kStatusSie);
    install_vectors();
    taken.installed = true;
    set_csr<csr::kSie>(wanted);
    set_csr<csr::kSstatus>(kStatusSie);
}

void disable_interrupts() {
    if (!taken.installed) {
        return;
    }
    if (!taken.in_handler) {
        clear_csr<csr::kSstatus>(kStatusSie);
    }
    clear_csr<csr::kSie>(taken.enabled);
    set_timer(kNever);
    write_csr<csr::kStvec>(taken.vector);
    taken.installed = false;
    if (!taken.in_handler) {
        set_csr<csr::kSstatus>(taken.status_sie);
    }
}

void arm_timer(uint64_t units) {
    set_timer(now() + units);
}

InterruptGuard::InterruptGuard() : enabled_(read_csr<csr::kSstatus>() & kStatusSie) {
    clear_csr<csr::kSstatus>(kStatusSie);
}

InterruptGuard::~InterruptGuard() {
    set_csr<csr::kSstatus>(enabled_);
}

namespace {

/// Of an overflow the hart may have captured who caused it; else it is the interrupted instruction.
void* address_of(uint64_t cause, const InterruptFrame& frame) {
    const bool caused = cause == (kInterruptBit | kOverflowCause) && library.overflow_cause;
    return reinterpret_cast<void*>(caused ? read_csr<csr::kShpmspc>() : frame.x[0]);
}

void handle(EventSet& set, uint64_t cause, InterruptFrame& frame) {
    if (set.multiplexed()) {
        end_slice(set);
        begin_slice(set);
    } else {
        handle_overflow(set, address_of(cause, frame), &frame);
    }
}

} // namespace

extern "C" void papi_interrupt(uint64_t cause, InterruptFrame& frame) {
    if (cause != (kInterruptBit | kTimerCause) && cause != (kInterruptBit | kOverflowCause)) {
        print(console_put, "papi: trap without a vector of the program: cause ", Hex{cause},
              ", pc ", Hex{frame.x[0]}, "\n");
        end_run(sbi::reset::kSystemFailure);
    }
    const uint64_t entry = now();
    if (EventSet* set = library.running; set != nullptr) {
        taken.in_handler = true;
        handle(*set, cause, frame);
        taken.in_handler = false;
    } else {
        set_timer(kNever);
        clear_csr<csr::kSip>(kInterruptLcofi);
    }
    if (!taken.installed && taken.status_sie == 0) { // stopped by the program's handler
        frame.status &= ~kStatusSpie;
    }
    library.interrupt_time += now() - entry;
}

} // namespace pes::papi
