// SPDX-License-Identifier: Apache-2.0
// Where things lie in a random program. link.ld and runtime.S hold the same numbers in their own
// languages; a generated program that disagrees does not link or fails in its first block.
#pragma once

#include <cstdint>

namespace pes::differential::layout {

inline constexpr std::uint64_t kContext = 0x8010'0000; ///< gp
inline constexpr std::uint64_t kScratch = 0x8011'0000; ///< sp
inline constexpr unsigned kScratchPages = 8;
inline constexpr unsigned kPageSize = 4096;
/// Bytes at the start of every scratch page that stores may reach and checksums cover.
inline constexpr unsigned kHashedBytes = 512;
/// A few instructions that return through tp, in every scratch page: the target of fetch tests.
inline constexpr unsigned kStubOffset = 0xF00;

/// Offsets in the context block: passes done; of an interrupted program (interrupts.S) the state
/// of its random distances, and the mask of those between two interrupts of a kind.
inline constexpr int kPassOffset = 680;
inline constexpr int kDistanceSeedOffset = 1088;
inline constexpr int kTimerMaskOffset = 1096;
inline constexpr int kSampleMaskOffset = 1104;

/// Constants for random operands, below gp: 128 integers, then 128 floating-point patterns.
inline constexpr unsigned kPoolWords = 256;
inline constexpr int kPoolOffset = -2048;

/// Sv39 tables: root, one of level 1, one of level 0.
inline constexpr std::uint64_t kRootTable = 0x8012'0000;
inline constexpr std::uint64_t kMiddleTable = kRootTable + kPageSize;
inline constexpr std::uint64_t kLeafTable = kMiddleTable + kPageSize;

/// U-mode code under paging runs here, one gibibyte above its physical address.
inline constexpr std::uint64_t kUserAlias = 0x4000'0000;
/// Virtual base of the region whose entries are random (root entry 4).
inline constexpr std::uint64_t kRandomRegion = 0x1'0000'0000;
/// Virtual base of the random gigapage (root entry 5).
inline constexpr std::uint64_t kRandomGigapage = 0x1'4000'0000;

/// Physical addresses with nothing behind them on either platform (with 256 MiB of DRAM).
inline constexpr std::uint64_t kHole = 0x9000'0000;
inline constexpr std::uint64_t kHoleSize = 0x1000'0000;

inline constexpr unsigned kMaximumBlocks = 1024; ///< the trail's 8 KiB

/// Values a dump prints: x0..x31, f0..f31, fcsr, trap hash, trap count, then scratch memory.
inline constexpr unsigned kDumpRegisters = 67;

} // namespace pes::differential::layout
