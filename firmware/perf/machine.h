// SPDX-License-Identifier: Apache-2.0
// What the library needs of the machine under it: device registers, counters, timer, interrupts.
// On the hart they are single instructions; a test on the host brings its own.
#pragma once

#include "hw/interface/maps/host_platform.h"

#include <stddef.h>
#include <stdint.h>

namespace pes::perf::machine {

/// Puts counters to their places in `values`: one for each index.
using CounterReader = void (*)(uint64_t* values);

#ifndef __riscv

uint32_t load32(uint64_t address);
void store32(uint64_t address, uint32_t value);
void store16(uint64_t address, uint16_t value);
void store8(uint64_t address, uint8_t value);

unsigned hart_id();

/// The state before, for restore_interrupts().
uint64_t mask_interrupts();
void restore_interrupts(uint64_t state);

uint64_t cycles();       ///< counter 0
uint64_t instructions(); ///< counter 2

#else

inline uint32_t load32(uint64_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
}
inline void store32(uint64_t address, uint32_t value) {
    *reinterpret_cast<volatile uint32_t*>(address) = value;
}
inline void store16(uint64_t address, uint16_t value) {
    *reinterpret_cast<volatile uint16_t*>(address) = value;
}
inline void store8(uint64_t address, uint8_t value) {
    *reinterpret_cast<volatile uint8_t*>(address) = value;
}

inline unsigned hart_id() {
    uint64_t id;
    asm volatile("csrr %0, mhartid" : "=r"(id));
    return static_cast<unsigned>(id);
}

inline constexpr uint64_t kMachineInterrupts = 8; ///< mstatus.MIE

inline uint64_t mask_interrupts() {
    uint64_t status;
    asm volatile("csrrc %0, mstatus, %1" : "=r"(status) : "i"(kMachineInterrupts) : "memory");
    return status & kMachineInterrupts;
}
inline void restore_interrupts(uint64_t state) {
    asm volatile("csrs mstatus, %0" ::"r"(state) : "memory");
}

inline uint64_t cycles() {
    uint64_t value;
    asm volatile("rdcycle %0" : "=r"(value));
    return value;
}
inline uint64_t instructions() {
    uint64_t value;
    asm volatile("rdinstret %0" : "=r"(value));
    return value;
}

#endif

// Touching what may not be there: false instead of a trap.
bool answers(uint64_t address); ///< a load of 32 bits
bool has_counters();            ///< the registers of the functions below
bool has_timer();

/// Facts about the platform and lines for the file beside a trace: characters of them, or a
/// negative number if nobody answers.
int64_t ask_platform(host_platform::Facts& facts, char* text, size_t room);

// Counters go by their index n: CSR 0xB00 + n. Index 1 has none.

/// What reads counters `last` down to 3, as user mode does (0xC00 + n); of 2: nothing. Those that
/// the hart does not have are 0.
CounterReader reader_of_counters(unsigned last);
uint64_t read_counter(unsigned n);
void write_counter(unsigned n, uint64_t value);
/// n >= 3. What the register has taken of it.
uint64_t write_event(unsigned n, uint64_t selector);
void hold_counters(uint32_t mask);
void run_counters(uint32_t mask);
uint32_t held_counters();
void let_user_read(uint32_t mask);

uint64_t time();                        ///< ticks
void set_time_limit(uint64_t deadline); ///< of this hart: the next timer interrupt
/// Timer interrupts of this hart call perfTimerInterrupt from here on.
void start_timer_interrupts();

/// Everything that was stored is visible to the other masters of the bus, and to other harts.
void order_memory();

} // namespace pes::perf::machine
