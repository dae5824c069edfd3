// SPDX-License-Identifier: Apache-2.0
// CSR numbers of the counters and of precise event sampling, shared by the model, the RTL check,
// the firmware and the tests. Freestanding.
//
// Sources: privileged specification (counters); "CSR Implementation of PES": thresholds in
// 0xB21..0xB3F, buffer registers in the custom machine space 0xBC0..0xBC3.
#pragma once

#include <stdint.h>

namespace pes::csr {

inline constexpr uint16_t kMcycle = 0xB00;
inline constexpr uint16_t kMinstret = 0xB02;
inline constexpr uint16_t kMhpmcounter3 = 0xB03; ///< .. 0xB1F = counter 31
inline constexpr uint16_t kMhpmcounter31 = 0xB1F;
inline constexpr uint16_t kMcountinhibit = 0x320;
inline constexpr uint16_t kMcyclecfg = 0x321;   ///< Smcntrpmf
inline constexpr uint16_t kMinstretcfg = 0x322; ///< Smcntrpmf
inline constexpr uint16_t kMhpmevent3 = 0x323;  ///< .. 0x33F = counter 31
inline constexpr uint16_t kMhpmevent31 = 0x33F;
inline constexpr uint16_t kCycle = 0xC00; ///< user shadows 0xC00 + n
inline constexpr uint16_t kTime = 0xC01;
inline constexpr uint16_t kInstret = 0xC02;
inline constexpr uint16_t kHpmcounter31 = 0xC1F;
inline constexpr uint16_t kScountovf = 0xDA0; ///< Sscofpmf, read-only: bit n = mhpmevent n.OF

/// Sscofpmf's bits of mhpmevent; mcyclecfg and minstretcfg (Smcntrpmf) have the filters at the same
/// places. A counter stands still in the modes that its filters name. The filters of modes that a
/// core does not have (VS 59, VU 58) read 0.
inline constexpr unsigned kMhpmeventOverflowBit = 63;
inline constexpr uint64_t kMhpmeventOverflow = uint64_t{1} << kMhpmeventOverflowBit;
inline constexpr uint64_t kMhpmeventMachineInhibit = uint64_t{1} << 62;
inline constexpr uint64_t kMhpmeventSupervisorInhibit = uint64_t{1} << 61;
inline constexpr uint64_t kMhpmeventUserInhibit = uint64_t{1} << 60;
inline constexpr uint64_t kMhpmeventInhibits =
    kMhpmeventMachineInhibit | kMhpmeventSupervisorInhibit | kMhpmeventUserInhibit;

/// Thresholds, one per counter n: 0xB20 + n for n = 1 (cycle), 2 (instret), 3..31. A threshold of 0
/// never fires. Note the specification's numbering: cycle is at 0xB21, not at 0xB20 + 0.
inline constexpr uint16_t kMhpmthresholdCycle = 0xB21;
inline constexpr uint16_t kMhpmthresholdInstret = 0xB22;
inline constexpr uint16_t kMhpmthreshold3 = 0xB23; ///< .. 0xB3F = counter 31
inline constexpr uint16_t kMhpmthreshold31 = 0xB3F;

/// The older CV32E40P's unit (RI5CY), instead of all of the above: mode, event enables, and a
/// counter an event, PCCR31 for writing all of them. The user's aliases are read-only.
inline constexpr uint16_t kPccr0 = 0x780;  ///< .. 0x79E = PCCR30
inline constexpr uint16_t kPccr31 = 0x79F; ///< a write goes to all counters
inline constexpr uint16_t kPcer = 0x7E0;   ///< bit n: event n counts
inline constexpr uint16_t kPcmr = 0x7E1;
inline constexpr uint16_t kUserPccr0 = 0xC80; ///< .. 0xC9F = PCCR31
inline constexpr uint16_t kUserPccr31 = 0xC9F;
inline constexpr uint16_t kUserPcer = 0xCC0;
inline constexpr uint16_t kUserPcmr = 0xCC1;

/// PCMR; both bits are set after reset.
inline constexpr uint32_t kPcmrEnable = 1; ///< the counters run
inline constexpr uint32_t kPcmrSaturate =
    2; ///< a counter stays at its largest value; else it wraps

/// Sample buffer: base address, size in bytes, byte offset of the next free record, control.
inline constexpr uint16_t kMhpmmmaped = 0xBC0;
inline constexpr uint16_t kMhpmmsize = 0xBC1;
inline constexpr uint16_t kMhpmmoffset = 0xBC2;
inline constexpr uint16_t kMhpmmcontrol = 0xBC3;

/// Sspesa, whose draft assigns no numbers: these, unless extensions.shpmspc and shpmsdata say
/// otherwise. Of the counter that overflowed: pc of the instruction that caused it, and its number.
inline constexpr uint16_t kShpmspc = 0x5C0;
inline constexpr uint16_t kShpmsdata = 0x5C1;

/// Of the counter that reached its threshold: pc and data address of the instruction that caused
/// the event, and the counter's number. Present with Sspesa (docs/precise-sampling.md).
inline constexpr uint16_t kMhpmmspc = 0xBC4;
inline constexpr uint16_t kMhpmmsdata = 0xBC5;
inline constexpr uint16_t kMhpmmsaddr = 0xBC6;

/// mhpmmcontrol: bit 0 enables the buffer-full comparator (reset 1); bits 15:8 are the size of one
/// record in 8-byte units (reset 8 = 64 bytes); bit 63, read-only, is the comparator's output.
/// Full means size != 0 and offset + record size > size.
inline constexpr uint64_t kMhpmmcontrolFullEnable = 1;
inline constexpr unsigned kMhpmmcontrolRecordShift = 8;
inline constexpr uint64_t kMhpmmcontrolRecordMask = 0xFF;
inline constexpr uint64_t kMhpmmcontrolFull = uint64_t{1} << 63;

} // namespace pes::csr
