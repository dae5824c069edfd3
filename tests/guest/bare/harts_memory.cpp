// SPDX-License-Identifier: Apache-2.0
// HARTS harts share memory: locks made of AMOs and of LR/SC, messages ordered by fences, code that
// one hart writes for another, and interrupts between them. The exit code says which step failed.
#include "firmware/apps/bare/harts.h"

namespace pes {

namespace {

constexpr uint64_t kRounds = 1000;
constexpr uint64_t kMessages = 300;
constexpr uint64_t kVersions = 20;
constexpr uint64_t kInterrupts = 50;

enum Step : uint32_t { kAmoLock = 1, kReservationLock, kReservationAdd, kMessage, kCode, kIpi };

Barrier barrier;
volatile uint64_t guarded; ///< changed by plain loads and stores under a lock
uint32_t lock;
uint64_t added; ///< changed by LR/SC
volatile uint64_t message[8];
uint64_t sent;
uint64_t received[PES_MAX_HARTS];
volatile uint64_t answers[PES_MAX_HARTS];
alignas(64) uint32_t code[16];

bool try_amo() {
    uint32_t old;
    asm volatile("amoswap.w.aq %0, %1, (%2)" : "=&r"(old) : "r"(1), "r"(&lock) : "memory");
    return old == 0;
}

bool try_reservation() {
    uint32_t failed;
    asm volatile("lr.w.aq %0, (%1)\n"
                 "bnez %0, 1f\n"
                 "sc.w %0, %2, (%1)\n"
                 "1:"
                 : "=&r"(failed)
                 : "r"(&lock), "r"(1)
                 : "memory");
    return failed == 0;
}

void unlock() {
    asm volatile("amoswap.w.rl zero, zero, (%0)" ::"r"(&lock) : "memory");
}

template <typename TryLock>
void count_under(TryLock try_lock, uint64_t hart, Step step) {
    if (hart == 0) {
        guarded = 0;
    }
    barrier.meet();
    for (uint64_t round = 0; round < kRounds; ++round) {
        while (!try_lock()) {
        }
        guarded = guarded + 1;
        unlock();
    }
    barrier.meet();
    expect(guarded == kRounds * kHarts, step);
    barrier.meet();
}

void add_with_reservations() {
    for (uint64_t round = 0; round < kRounds; ++round) {
        uint64_t scratch;
        asm volatile("1: lr.d %0, (%1)\n"
                     "addi %0, %0, 1\n"
                     "sc.d %0, %0, (%1)\n"
                     "bnez %0, 1b"
                     : "=&r"(scratch)
                     : "r"(&added)
                     : "memory");
    }
    barrier.meet();
    expect(added == kRounds * kHarts, kReservationAdd);
}

bool everybody_has(uint64_t number) {
    for (uint64_t hart = 1; hart < kHarts; ++hart) {
        if (__atomic_load_n(&received[hart], __ATOMIC_ACQUIRE) < number) {
            return false;
        }
    }
    return true;
}

/// Hart 0 writes eight words and then their number; who sees the number must see the words.
void pass_messages(uint64_t hart) {
    for (uint64_t number = 1; number <= kMessages; ++number) {
        if (hart == 0) {
            for (volatile uint64_t& word : message) {
                word = number;
            }
            __atomic_store_n(&sent, number, __ATOMIC_RELEASE);
            while (!everybody_has(number)) {
            }
            continue;
        }
        while (__atomic_load_n(&sent, __ATOMIC_ACQUIRE) < number) {
        }
        for (const volatile uint64_t& word : message) {
            expect(word == number, kMessage);
        }
        __atomic_store_n(&received[hart], number, __ATOMIC_RELEASE);
    }
}

/// Hart 0 writes a function, all call it: li a0, version; ret.
void run_written_code(uint64_t hart) {
    for (uint32_t version = 0; version < kVersions; ++version) {
        if (hart == 0) {
            code[0] = version << 20 | 0x00000513;
            code[1] = 0x00008067;
            asm volatile("fence rw, w" ::: "memory");
        }
        barrier.meet();
        asm volatile("fence.i" ::: "memory");
        const auto function = reinterpret_cast<uint64_t (*)()>(&code[0]);
        expect(function() == version, kCode);
        barrier.meet();
    }
}

/// Hart 0 wakes every other hart in turn; the answer comes as an interrupt too.
void exchange_interrupts(uint64_t hart) {
    for (uint64_t round = 1; round <= kInterrupts; ++round) {
        if (hart != 0) {
            wait_for_ipi(hart);
            answers[hart] = round;
            send_ipi(0);
            continue;
        }
        for (uint64_t other = 1; other < kHarts; ++other) {
            send_ipi(other);
            wait_for_ipi(0);
            expect(answers[other] == round, kIpi);
        }
    }
}

} // namespace

} // namespace pes

int main(int hart_number) {
    using namespace pes;
    const auto hart = static_cast<uint64_t>(hart_number);
    if (hart >= kHarts) {
        return 0;
    }
    count_under(try_amo, hart, kAmoLock);
    count_under(try_reservation, hart, kReservationLock);
    add_with_reservations();
    pass_messages(hart);
    barrier.meet();
    run_written_code(hart);
    exchange_interrupts(hart);
    return 0;
}
