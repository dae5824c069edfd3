// SPDX-License-Identifier: Apache-2.0
// Control and status registers: numbers that are not in hw/interface/maps/csr.h, and access to
// them. A CSR number is part of the instruction, hence template arguments.
#pragma once

#include "hw/interface/maps/csr.h"
#include "hw/interface/maps/exceptions.h"

#include <stdint.h>

namespace pes::csr {

inline constexpr uint16_t kSstatus = 0x100;
inline constexpr uint16_t kSie = 0x104;
inline constexpr uint16_t kStvec = 0x105;
inline constexpr uint16_t kScounteren = 0x106;
inline constexpr uint16_t kSscratch = 0x140;
inline constexpr uint16_t kSepc = 0x141;
inline constexpr uint16_t kScause = 0x142;
inline constexpr uint16_t kStval = 0x143;
inline constexpr uint16_t kSip = 0x144;
inline constexpr uint16_t kStimecmp = 0x14D;
inline constexpr uint16_t kSatp = 0x180;
inline constexpr uint16_t kMstatus = 0x300;
inline constexpr uint16_t kMedeleg = 0x302;
inline constexpr uint16_t kMideleg = 0x303;
inline constexpr uint16_t kMie = 0x304;
inline constexpr uint16_t kMtvec = 0x305;
inline constexpr uint16_t kMcounteren = 0x306;
inline constexpr uint16_t kMenvcfg = 0x30A;
inline constexpr uint16_t kMstateen0 = 0x30C;
inline constexpr uint16_t kMscratch = 0x340;
inline constexpr uint16_t kMepc = 0x341;
inline constexpr uint16_t kMcause = 0x342;
inline constexpr uint16_t kMtval = 0x343;
inline constexpr uint16_t kMip = 0x344;
inline constexpr uint16_t kPmpcfg0 = 0x3A0;
inline constexpr uint16_t kPmpaddr0 = 0x3B0;
inline constexpr uint16_t kPmpaddr1 = 0x3B1;
inline constexpr uint16_t kMvendorid = 0xF11;
inline constexpr uint16_t kMarchid = 0xF12;
inline constexpr uint16_t kMimpid = 0xF13;
inline constexpr uint16_t kMhartid = 0xF14;

} // namespace pes::csr

namespace pes {

// mstatus and sstatus fields (privileged specification, 3.1.6).
inline constexpr uint64_t kStatusSie = uint64_t{1} << 1;
inline constexpr uint64_t kStatusSpie = uint64_t{1} << 5;
inline constexpr uint64_t kStatusSpp = uint64_t{1} << 8;
inline constexpr unsigned kStatusMppShift = 11;
inline constexpr uint64_t kStatusMpp = uint64_t{3} << kStatusMppShift;
inline constexpr uint64_t kStatusFsDirty = uint64_t{3} << 13;
inline constexpr uint64_t kStatusMprv = uint64_t{1} << 17;
inline constexpr uint64_t kStatusSum = uint64_t{1} << 18;
inline constexpr uint64_t kStatusMxr = uint64_t{1} << 19;

// menvcfg.CDE (Smcdeleg 1.0, 2): counters that mcounteren opens are configured by S-mode itself.
inline constexpr uint64_t kEnvironmentCde = uint64_t{1} << 60;

// Interrupt bits of mip, mie, mideleg and their supervisor views.
inline constexpr uint64_t kInterruptSsi = uint64_t{1} << 1;
inline constexpr uint64_t kInterruptMsi = uint64_t{1} << 3;
inline constexpr uint64_t kInterruptSti = uint64_t{1} << 5;
inline constexpr uint64_t kInterruptMti = uint64_t{1} << 7;
inline constexpr uint64_t kInterruptSei = uint64_t{1} << 9;
inline constexpr uint64_t kInterruptMei = uint64_t{1} << 11;
inline constexpr uint64_t kInterruptLcofi = uint64_t{1} << 13; ///< counter overflow, of Sscofpmf

inline constexpr uint64_t kCauseInstructionAccessFault = 1;
inline constexpr uint64_t kCauseIllegalInstruction = 2;
inline constexpr uint64_t kCauseLoadMisaligned = 4;
inline constexpr uint64_t kCauseLoadAccessFault = 5;
inline constexpr uint64_t kCauseStoreMisaligned = 6;
inline constexpr uint64_t kCauseStoreAccessFault = 7;
inline constexpr uint64_t kCauseInstructionPageFault = 12;
inline constexpr uint64_t kCauseLoadPageFault = 13;
inline constexpr uint64_t kCauseUserCall = 8;
inline constexpr uint64_t kCauseSupervisorCall = 9;
inline constexpr uint64_t kCauseSupervisorSoftware = kInterruptBit | 1;
inline constexpr uint64_t kCauseMachineSoftware = kInterruptBit | 3;
inline constexpr uint64_t kCauseMachineTimer = kInterruptBit | 7;

template <uint16_t Number>
inline uint64_t read_csr() {
    uint64_t value;
    asm volatile("csrr %0, %1" : "=r"(value) : "i"(Number) : "memory");
    return value;
}

template <uint16_t Number>
inline void write_csr(uint64_t value) {
    asm volatile("csrw %0, %1" ::"i"(Number), "r"(value) : "memory");
}

template <uint16_t Number>
inline void set_csr(uint64_t bits) {
    asm volatile("csrs %0, %1" ::"i"(Number), "r"(bits) : "memory");
}

template <uint16_t Number>
inline void clear_csr(uint64_t bits) {
    asm volatile("csrc %0, %1" ::"i"(Number), "r"(bits) : "memory");
}

} // namespace pes
