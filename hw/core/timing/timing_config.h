// SPDX-License-Identifier: Apache-2.0
// Every number of the timing model. Defaults are CVA6, target cv64a6_imafdc_sv39, tag v5.3.0, with
// the SRAM of its own test bench behind the caches. Units: cycles, bytes or entries, as noted.
#pragma once

#include <cstdint>

namespace pes {

/// The modelled version of CVA6. They differ in one timing rule, write-after-write: V5_3_0 delays
/// an instruction until the earlier writer of its destination retires, the core of July 2025 does
/// not.
enum class CoreGeneration : std::uint8_t { V5_3_0, Generation2025_07 };

/// A named defect of the RTL: reproduced only for comparisons with it.
enum class UpstreamDefect : std::uint8_t { Corrected, Reproduced };

/// What a trap or xRET does to BHT, BTB and RAS. CVA6's controller asks for the flush, but v5.3.0
/// ties the frontend's input to zero, and its measured interrupt kernels mispredict accordingly.
enum class PredictorsOnTrap : std::uint8_t { Kept, Flushed };

struct CacheGeometry {
    std::uint32_t bytes = 0;
    std::uint32_t ways = 0;
    std::uint32_t line_bytes = 16;
    std::uint8_t lfsr_tap = 0xFA; ///< feedback mask of the 8-bit Galois replacement register
    std::uint8_t lfsr_reset = 0xFF;
};

/// Result latencies: cycles from issue to the earliest issue of a dependent instruction.
struct ResultLatency {
    std::uint32_t alu = 1;
    std::uint32_t multiply = 2;
    std::uint32_t divide = 3; ///< for one quotient bit; 1 less for none, 1 more for each further
    std::uint32_t fp_move = 2;
    std::uint32_t fp_convert = 3;
    std::uint32_t fp_single = 3;
    std::uint32_t fp_double = 4;
    std::uint32_t fp_divide_single = 13;
    std::uint32_t fp_divide_double = 23;
    std::uint32_t fp_sqrt_single = 13;
    std::uint32_t fp_sqrt_double = 23;
    std::uint32_t fp_special =
        4; ///< division or square root of an operand that needs no iterations
};

/// Cycles between two starts of the iterative floating-point unit.
struct FpIterationInterval {
    std::uint32_t single = 10;
    std::uint32_t wide = 20;
    std::uint32_t special = 1;
};

struct TimingConfig {
    CoreGeneration generation = CoreGeneration::V5_3_0;
    /// v5.3.0 counts no DTLB miss for loads (event 4).
    UpstreamDefect load_dtlb_event = UpstreamDefect::Corrected;
    /// v5.3.0 counts evictions only from sets of eight ways. [wt_dcache_missunit.sv]
    UpstreamDefect eviction_event = UpstreamDefect::Corrected;

    // Frontend. A request in cycle F is looked up in F + 1, scanned and queued in F + 2, offered to
    // decode in F + 3.
    std::uint32_t lookup_cycles = 2; ///< request to scan, on an L1I hit
    std::uint32_t queue_cycles = 1;  ///< scan to decode
    std::uint32_t queue_entries = 8; ///< two FIFOs of four, filled in turn; at most 16
    std::uint32_t bht_rows = 64;     ///< rows of two, one for each half-word of a fetch
    std::uint32_t btb_rows = 16;     ///< likewise, of targets; 0: no jump is predicted by it
    std::uint32_t ras_entries = 2;
    PredictorsOnTrap predictors_on_trap = PredictorsOnTrap::Kept;
    CacheGeometry l1i{.bytes = 16 * 1024, .ways = 4};
    std::uint32_t fence_i_cycles = 257; ///< clearing the 256 sets, before the refetch starts

    // Issue and retirement.
    std::uint32_t scoreboard_entries = 8; ///< power of two, at most 64
    std::uint32_t commit_ports = 2;       ///< instructions that retire in a cycle, 1 or 2
    ResultLatency latency{};
    FpIterationInterval fp_interval{};

    // Load/store unit. A load requests in issue + 1 and its result is forwarded 2 cycles later.
    CacheGeometry l1d{.bytes = 32 * 1024, .ways = 8};
    std::uint32_t load_hit_cycles = 2;       ///< request to the end of an access that hits
    std::uint32_t load_pipe_registers = 1;   ///< between L1D and the result of a load
    std::uint32_t store_pipe_registers = 0;  ///< between the store unit and its scoreboard entry
    std::uint32_t speculative_stores = 4;    ///< store buffer entries before retirement, at most 8
    std::uint32_t committed_stores = 4;      ///< store buffer entries after retirement, at most 8
    std::uint32_t write_buffer_words = 8;    ///< merging entries of 64 bit, at most 16
    std::uint32_t writes_in_flight = 4;      ///< transactions of the write buffer, at most 16
    std::uint32_t write_interval = 3;        ///< a write to the next transaction of the port
    std::uint32_t read_interval = 3;         ///< a refill to the next transaction
    std::uint32_t amo_interval = 6;          ///< an AMO, which is a read and a write, likewise
    std::uint32_t port_queue = 2;            ///< transactions taken but not sent, at most 8
    std::uint32_t store_conflict_cycles = 2; ///< store leaves the buffer to the held load's request
    std::uint32_t walk_setup_cycles = 3;     ///< page walk without its reads
    std::uint32_t walk_read_cycles = 3;      ///< one page-table read that hits L1D

    // Memory. The defaults are the measured floor: an SRAM behind a zero-latency crossbar, 5 extra
    // cycles for a read miss. `memory_latency` is the parameter of a slower memory.
    std::uint32_t memory_latency = 1;        ///< request at the memory to first data
    std::uint32_t refill_cycles = 4;         ///< the rest of a miss, L1I and L1D
    std::uint32_t uncached_cycles = 4;       ///< device read beyond a hit, without the device's own
    std::uint32_t device_request_cycles = 4; ///< load request to the access at the device
    std::uint32_t write_return_cycles = 4;   ///< transaction to freed entry, without memory_latency
    std::uint32_t amo_cycles = 7;           ///< AMO at the head of the scoreboard to retirement ...
    std::uint32_t load_reserved_cycles = 3; ///< ... LR
    std::uint32_t store_conditional_cycles = 4; ///< ... SC; all three without memory_latency

    constexpr std::uint32_t miss_cycles() const { return refill_cycles + memory_latency; }
    /// Request to the forwarded result of a load that hits.
    constexpr std::uint32_t load_result_cycles() const {
        return load_hit_cycles - 1 + load_pipe_registers;
    }
    /// Request of a store or AMO to its retirement at the earliest.
    constexpr std::uint32_t store_retire_cycles() const { return 2 + store_pipe_registers; }
    /// A flush to the first decode behind it: the next cycle requests.
    constexpr std::uint32_t refetch_cycles() const { return 1 + lookup_cycles + queue_cycles; }
};

} // namespace pes
