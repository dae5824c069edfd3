// SPDX-License-Identifier: Apache-2.0
// The rows of settings(): key, member, format, meaning and range of each.
#include "platform/config/settings.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/sinks/trace_sink.h"

#include <array>
#include <deque>
#include <string>
#include <variant>
#include <vector>

namespace pes {
namespace {

template <auto First, auto... Rest>
auto* descend(auto& object) {
    if constexpr (sizeof...(Rest) == 0) {
        return &(object.*First);
    } else {
        return descend<Rest...>(object.*First);
    }
}

/// member<&PlatformConfig::hart, &HartConfig::id> is a function that finds config.hart.id.
template <auto... Path>
Slot member(PlatformConfig& config, const Setting& /*setting*/) {
    return descend<Path...>(config);
}

constexpr auto kHart = &PlatformConfig::hart;
constexpr auto kCounters = &PlatformConfig::counters;
constexpr auto kTiming = &HartConfig::timing;
constexpr auto kExtensions = &HartConfig::extensions;
constexpr auto kBoot = &PlatformConfig::boot;
constexpr auto kTrace = &PlatformConfig::trace;
constexpr auto kSoftwareTrace = &PlatformConfig::software_trace;
constexpr auto kPdis = &PlatformConfig::pdis;
constexpr auto kBase = &MemoryRange::base;
constexpr auto kSize = &MemoryRange::size;

template <auto... Path>
Slot timing(PlatformConfig& config, const Setting& setting) {
    return member<kHart, kTiming, Path...>(config, setting);
}

constexpr auto kDialects = std::to_array<std::string_view>({"sifive", "n-trace"});
constexpr auto kRegisterSets = std::to_array<std::string_view>({"sifive", "standard"});
constexpr auto kProtocols = std::to_array<std::string_view>({"nexus", "e-trace"});
constexpr auto kPaths = std::to_array<std::string_view>({"auto", "step", "fast"});
constexpr auto kJits = std::to_array<std::string_view>({"auto", "on", "off"});
constexpr auto kCounterKinds = std::to_array<std::string_view>({"tlm", "rtl", "lockstep"});
constexpr auto kGenerations = std::to_array<std::string_view>({"cva6-v5.3.0", "cva6-2025-07"});
constexpr auto kDefects = std::to_array<std::string_view>({"counted", "as-v5.3.0"});
constexpr auto kMisalignedTraps = std::to_array<std::string_view>({"all", "as-v5.3.0"});
constexpr auto kChecks = std::to_array<std::string_view>({"checked", "as-v5.3.0"});
constexpr auto kBusErrors = std::to_array<std::string_view>({"access-fault", "as-v5.3.0"});
constexpr auto kWfiInterrupts = std::to_array<std::string_view>({"behind-decoded", "at-once"});
constexpr auto kPredictorFates = std::to_array<std::string_view>({"kept", "flushed"});

// Rows of one table stay together: show_config prints a heading where the prefix changes.
constexpr auto kSettingsBeforeDevices = std::to_array<Setting>({
    {"clock_hz", member<&PlatformConfig::clock_hz>, Format::Hertz, "hart clock in Hz", 1'000,
     10'000'000'000},
    {"harts", member<&PlatformConfig::harts>, Format::Count, "harts on the platform", 1, kMaxHarts},
    {"quantum", member<&PlatformConfig::quantum>, Format::Cycles,
     "cycles a hart may run ahead of the SystemC kernel", 1, 1'000'000'000},
    {"turn", member<&PlatformConfig::turn>, Format::Cycles,
     "with several harts: cycles a hart may run ahead of the others", 1, 1'000'000'000},
    {"truth_memory", member<&PlatformConfig::truth_memory>, Format::Bytes,
     "host memory for the exact profile (--truth); the run ends where it is used up", 1 << 20,
     std::uint64_t{1} << 40},

    {"hart.path", member<kHart, &HartConfig::path>, Format::Choice,
     "execution path; changes speed, never a result; fast refuses observers of instructions", 0,
     kPaths.size() - 1, kPaths},
    {"hart.memo_memory", member<kHart, &HartConfig::memo_memory>, Format::Bytes,
     "host memory of each hart for blocks with known timing, all harts at most a quarter of what "
     "the host has; changes speed, never a result",
     1 << 20, std::uint64_t{1} << 36},
    {"hart.jit", member<kHart, &HartConfig::jit>, Format::Choice,
     "hot blocks become native code; changes speed, never a result; on refuses hosts without", 0,
     kJits.size() - 1, kJits},
    {"hart.jit_after", member<kHart, &HartConfig::jit_after>, Format::Count,
     "times a block is replayed before it becomes native code", 1, 1'000'000'000},
    {"hart.isa", member<kHart, kExtensions, &Extensions::isa>, Format::Isa,
     "unprivileged instruction set; what it lacks is illegal"},
    {"hart.time_csr", member<kHart, &HartConfig::time_csr>, Format::Switch,
     "the time CSR exists; false: it traps, as on the CVA6 core"},
    {"hart.misaligned_access", member<kHart, &HartConfig::misaligned_access>, Format::Switch,
     "misaligned loads and stores work; false: they trap"},
    {"hart.misaligned_trap", member<kHart, &HartConfig::misaligned_trap>, Format::Choice,
     "which misaligned loads and stores trap; v5.3.0 loses most of the exceptions", 0,
     kMisalignedTraps.size() - 1, kMisalignedTraps},
    {"hart.bus_errors", member<kHart, &HartConfig::bus_errors>, Format::Choice,
     "a load or store that the bus refuses; v5.3.0 ignores the error", 0, kBusErrors.size() - 1,
     kBusErrors},
    {"hart.load_rights", member<kHart, &HartConfig::load_rights>, Format::Choice,
     "R of a page that the data TLB has; v5.3.0 does not look at it for loads", 0,
     kChecks.size() - 1, kChecks},
    {"hart.pmp_check", member<kHart, &HartConfig::pmp_check>, Format::Choice,
     "as what PMP checks a load or store; v5.3.0: as what the access directly behind it is", 0,
     kChecks.size() - 1, kChecks},
    {"hart.wfi_interrupt", member<kHart, &HartConfig::wfi_interrupt>, Format::Choice,
     "an interrupt that ends WFI is taken after decoded instructions, as on CVA6, or at once", 0,
     kWfiInterrupts.size() - 1, kWfiInterrupts},
    {"hart.pmp_entries", member<kHart, &HartConfig::pmp_entries>, Format::Count,
     "physical memory protection entries", 0, 64},
    {"hart.pmp_napot", member<kHart, &HartConfig::pmp_napot>, Format::Switch,
     "PMP has NAPOT; false: only TOR, and NA4 with a granularity of 4"},
    {"hart.xtval", member<kHart, kExtensions, &Extensions::xtval>, Format::Switch,
     "mtval and stval hold what a trap is about; false: they are read-only 0"},
    {"hart.mtvec_vectored", member<kHart, kExtensions, &Extensions::mtvec_vectored>, Format::Switch,
     "mtvec.MODE may be vectored; false: direct only"},
    {"hart.pmp_granularity", member<kHart, &HartConfig::pmp_granularity>, Format::Power,
     "bytes, of which protected regions are multiples; NA4 needs 4", 4, 4096},
    {"hart.itlb_entries", member<kHart, &HartConfig::itlb_entries>, Format::Power,
     "entries of the instruction TLB", 2, 64},
    {"hart.dtlb_entries", member<kHart, &HartConfig::dtlb_entries>, Format::Power,
     "entries of the data TLB", 2, 64},

    {"extensions.sstc", member<kHart, kExtensions, &Extensions::sstc>, Format::Switch,
     "Sstc: stimecmp, the timer interrupt of S-mode, if menvcfg.STCE and mcounteren.TM allow it"},
    {"extensions.smcsrind", member<kHart, kExtensions, &Extensions::smcsrind>, Format::Switch,
     "Smcsrind and Sscsrind: indirect registers, selected by miselect and siselect"},
    {"extensions.smcdeleg", member<kHart, kExtensions, &Extensions::smcdeleg>, Format::Switch,
     "Smcdeleg and Ssccfg: counters delegated to S-mode by menvcfg.CDE and mcounteren; needs "
     "smcsrind"},
    {"extensions.smstateen", member<kHart, kExtensions, &Extensions::smstateen>, Format::Switch,
     "Smstateen and Ssstateen: mstateen0 controls the access of lower modes to senvcfg, siselect "
     "and custom CSRs"},
    {"extensions.svadu", member<kHart, kExtensions, &Extensions::svadu>, Format::Switch,
     "Svadu: hardware sets A and D in page tables, if menvcfg.ADUE allows"},
    {"extensions.smctr", member<kHart, kExtensions, &Extensions::smctr>, Format::Switch,
     "Smctr and Ssctr: control transfer records; needs smcsrind"},
    {"extensions.sspesa", member<kHart, kExtensions, &Extensions::sspesa>, Format::Switch,
     "Sspesa (draft): shpmspc names the instruction behind an overflow, mhpmmspc that behind a "
     "threshold; needs counters.sscofpmf"},
    {"extensions.ssplcofi", member<kHart, kExtensions, &Extensions::ssplcofi>, Format::Switch,
     "Ssplcofi (draft): overflow interrupts without skid; needs sspesa"},
    {"extensions.shpmspc", member<kHart, kExtensions, &Extensions::shpmspc>, Format::Csr,
     "CSR number of shpmspc, of the custom supervisor registers", 0x5C0, 0x5FF},
    {"extensions.shpmsdata", member<kHart, kExtensions, &Extensions::shpmsdata>, Format::Csr,
     "CSR number of shpmsdata, of the custom supervisor registers", 0x5C0, 0x5FF},
    {"extensions.smpdis", member<kHart, kExtensions, &Extensions::smpdis>, Format::Switch,
     "Smpdis and Sspdis, a draft: decoded instructions are sampled; needs smcsrind"},
    {"extensions.ssamb", member<kHart, kExtensions, &Extensions::ssamb>, Format::Switch,
     "Ssamb (draft): the records of Smpdis go to a buffer in memory; needs smpdis"},

    {"pdis.mpdisctl", member<kPdis, &pdis::SamplerConfig::mpdisctl>, Format::Csr,
     "number of mpdisctl, with extensions.smpdis", 0x7C2, 0x7FF},
    {"pdis.spdisctl", member<kPdis, &pdis::SamplerConfig::spdisctl>, Format::Csr,
     "number of spdisctl; the other registers spdis* follow", 0x5C0, 0x5F0},
    {"pdis.stateen_bit", member<kPdis, &pdis::SamplerConfig::stateen_bit>, Format::Count,
     "bit PDIS of mstateen0, which delegates to S-mode", 3, 59},

    {"pdis.lambi", member<kPdis, &pdis::SamplerConfig::lambi>, Format::Count,
     "interrupt number of the memory buffer (LAMBI), with extensions.ssamb", 14, 63},

    {"ctr.depth", member<kHart, &HartConfig::ctr_depth>, Format::Power,
     "entries of the largest buffer that sctrdepth selects", 16, 256},

    {"timing.generation", timing<&TimingConfig::generation>, Format::Choice,
     "CVA6 version whose write-after-write rule applies", 0, kGenerations.size() - 1, kGenerations},
    {"timing.load_dtlb_event", timing<&TimingConfig::load_dtlb_event>, Format::Choice,
     "DTLB misses of loads in event 4; v5.3.0 counts none", 0, kDefects.size() - 1, kDefects},
    {"timing.eviction_event", timing<&TimingConfig::eviction_event>, Format::Choice,
     "evictions of L1D in event 18; v5.3.0 counts them with eight ways only", 0,
     kDefects.size() - 1, kDefects},
    {"timing.predictors_on_trap", timing<&TimingConfig::predictors_on_trap>, Format::Choice,
     "whether branch predictors are kept at a trap or xRET", 0, kPredictorFates.size() - 1,
     kPredictorFates},
    {"timing.lookup_cycles", timing<&TimingConfig::lookup_cycles>, Format::Cycles,
     "from the L1I request to the scan of the word, on a hit", 1, 16},
    {"timing.queue_cycles", timing<&TimingConfig::queue_cycles>, Format::Cycles,
     "from scan to decode", 1, 16},
    {"timing.queue_entries", timing<&TimingConfig::queue_entries>, Format::Count,
     "instruction queue", 2, 16},
    {"timing.bht_rows", timing<&TimingConfig::bht_rows>, Format::Power,
     "rows of two branch history counters", 1, 65536},
    {"timing.btb_rows", timing<&TimingConfig::btb_rows>, Format::Power,
     "rows of two branch targets; 0: no BTB", 0, 65536},
    {"timing.ras_entries", timing<&TimingConfig::ras_entries>, Format::Count,
     "return address stack", 1, 64},
    {"timing.fence_i_cycles", timing<&TimingConfig::fence_i_cycles>, Format::Cycles,
     "time to clear L1I before the refetch", 0, 100000},
    {"timing.commit_ports", timing<&TimingConfig::commit_ports>, Format::Count,
     "instructions that may retire in a cycle", 1, 2},
    {"timing.scoreboard_entries", timing<&TimingConfig::scoreboard_entries>, Format::Power,
     "instructions in flight", 2, 64},
    {"timing.speculative_stores", timing<&TimingConfig::speculative_stores>, Format::Count,
     "store buffer entries before retirement", 1, 8},
    {"timing.committed_stores", timing<&TimingConfig::committed_stores>, Format::Count,
     "store buffer entries after retirement", 1, 8},
    {"timing.write_buffer_words", timing<&TimingConfig::write_buffer_words>, Format::Count,
     "merging 64-bit entries of the write buffer", 1, 16},
    {"timing.writes_in_flight", timing<&TimingConfig::writes_in_flight>, Format::Count,
     "write transactions outstanding", 1, 16},
    {"timing.write_interval", timing<&TimingConfig::write_interval>, Format::Cycles,
     "from a write to the next transaction", 1, 1000},
    {"timing.read_interval", timing<&TimingConfig::read_interval>, Format::Cycles,
     "from a refill to the next transaction", 1, 1000},
    {"timing.port_queue", timing<&TimingConfig::port_queue>, Format::Count,
     "write transactions taken but not sent", 1, 8},
    {"timing.store_conflict_cycles", timing<&TimingConfig::store_conflict_cycles>, Format::Cycles,
     "from a store leaving the buffer to the request of the load that waited for it", 0, 1000},
    {"timing.load_hit_cycles", timing<&TimingConfig::load_hit_cycles>, Format::Cycles,
     "from the L1D request to the end of the access; the result is forwarded then, with one pipe "
     "register behind it",
     1, 1000},
    {"timing.load_pipe_registers", timing<&TimingConfig::load_pipe_registers>, Format::Count,
     "pipe registers between L1D and the result of a load", 0, 8},
    {"timing.store_pipe_registers", timing<&TimingConfig::store_pipe_registers>, Format::Count,
     "pipe registers between the store unit and the scoreboard", 0, 8},
    {"timing.walk_setup_cycles", timing<&TimingConfig::walk_setup_cycles>, Format::Cycles,
     "page walk without its reads", 0, 1000},
    {"timing.walk_read_cycles", timing<&TimingConfig::walk_read_cycles>, Format::Cycles,
     "page-table read that hits L1D", 1, 1000},
    {"timing.memory_latency", timing<&TimingConfig::memory_latency>, Format::Cycles,
     "from the request at the memory to the first data", 0, 100000},
    {"timing.refill_cycles", timing<&TimingConfig::refill_cycles>, Format::Cycles,
     "the rest of a cache miss", 1, 1000},
    {"timing.uncached_cycles", timing<&TimingConfig::uncached_cycles>, Format::Cycles,
     "device read, in addition to a hit and to the latency of the device", 0, 1000},
    {"timing.device_request_cycles", timing<&TimingConfig::device_request_cycles>, Format::Cycles,
     "from the load request to the access at the device", 0, 1000},
    {"timing.write_return_cycles", timing<&TimingConfig::write_return_cycles>, Format::Cycles,
     "from the write transaction to the free entry, without memory_latency", 0, 1000},
    {"timing.amo_cycles", timing<&TimingConfig::amo_cycles>, Format::Cycles,
     "AMO: from the head of the scoreboard to retirement, without memory_latency", 1, 1000},
    {"timing.load_reserved_cycles", timing<&TimingConfig::load_reserved_cycles>, Format::Cycles,
     "LR, likewise", 1, 1000},
    {"timing.store_conditional_cycles", timing<&TimingConfig::store_conditional_cycles>,
     Format::Cycles, "SC, likewise", 1, 1000},

    {"timing.l1i.bytes", timing<&TimingConfig::l1i, &CacheGeometry::bytes>, Format::Power,
     "size of L1I in bytes", 64, 16777216},
    {"timing.l1i.ways", timing<&TimingConfig::l1i, &CacheGeometry::ways>, Format::Power,
     "associativity", 1, 16},
    {"timing.l1i.line_bytes", timing<&TimingConfig::l1i, &CacheGeometry::line_bytes>, Format::Power,
     "line size", 8, 256},

    {"timing.l1d.bytes", timing<&TimingConfig::l1d, &CacheGeometry::bytes>, Format::Power,
     "size of L1D in bytes", 64, 16777216},
    {"timing.l1d.ways", timing<&TimingConfig::l1d, &CacheGeometry::ways>, Format::Power,
     "associativity", 1, 16},
    {"timing.l1d.line_bytes", timing<&TimingConfig::l1d, &CacheGeometry::line_bytes>, Format::Power,
     "line size", 8, 256},

    {"timing.latency.alu", timing<&TimingConfig::latency, &ResultLatency::alu>, Format::Cycles,
     "integer: issue to dependent issue", 1, 1000},
    {"timing.latency.multiply", timing<&TimingConfig::latency, &ResultLatency::multiply>,
     Format::Cycles, "multiplication: issue to dependent issue", 1, 1000},
    {"timing.latency.divide", timing<&TimingConfig::latency, &ResultLatency::divide>,
     Format::Cycles, "division, plus the quotient bits after the first: issue to dependent issue",
     1, 1000},
    {"timing.latency.fp_move", timing<&TimingConfig::latency, &ResultLatency::fp_move>,
     Format::Cycles, "floating-point move, compare, sign-inject: issue to dependent issue", 1,
     1000},
    {"timing.latency.fp_convert", timing<&TimingConfig::latency, &ResultLatency::fp_convert>,
     Format::Cycles, "conversion: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_single", timing<&TimingConfig::latency, &ResultLatency::fp_single>,
     Format::Cycles, "single-precision arithmetic: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_double", timing<&TimingConfig::latency, &ResultLatency::fp_double>,
     Format::Cycles, "double-precision arithmetic: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_divide_single",
     timing<&TimingConfig::latency, &ResultLatency::fp_divide_single>, Format::Cycles,
     "single division: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_divide_double",
     timing<&TimingConfig::latency, &ResultLatency::fp_divide_double>, Format::Cycles,
     "double division: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_sqrt_single",
     timing<&TimingConfig::latency, &ResultLatency::fp_sqrt_single>, Format::Cycles,
     "single square root: issue to dependent issue", 1, 1000},
    {"timing.latency.fp_sqrt_double",
     timing<&TimingConfig::latency, &ResultLatency::fp_sqrt_double>, Format::Cycles,
     "double square root: issue to dependent issue", 1, 1000},

    {"timing.fp_interval.single", timing<&TimingConfig::fp_interval, &FpIterationInterval::single>,
     Format::Cycles, "between two starts of the iterative unit, single", 1, 1000},
    {"timing.fp_interval.wide", timing<&TimingConfig::fp_interval, &FpIterationInterval::wide>,
     Format::Cycles, "the same, double", 1, 1000},

    {"counters.model", member<kCounters, &CounterConfig::kind>, Format::Choice,
     "counters as model, as RTL, or both in lockstep, which ends where they differ", 0,
     kCounterKinds.size() - 1, kCounterKinds},
    {"counters.profile", member<kCounters, &CounterConfig::profile>, Format::Profile,
     "events, selectors and registers of the counters; sets the defaults of the following keys"},
    {"counters.profile_file", member<&PlatformConfig::profile_file>, Format::ProfileFile,
     "file with a profile; its path is relative to this file"},
    {"counters.programmable", member<kCounters, &CounterConfig::programmable>, Format::Count,
     "programmable counters, from mhpmcounter3 on; cv32e40p: PCCR0 to 30", 0, kPcerCounters},
    {"counters.width", member<kCounters, &CounterConfig::width>, Format::Count,
     "bits of a programmable counter", kMinCounterWidth, kMaxCounterWidth},
    {"counters.write_freezes", member<kCounters, &CounterConfig::write_freezes>, Format::Switch,
     "a write to a counter or selector stops all programmable counters for its cycle, as on CVA6"},
    {"counters.sscofpmf", member<kCounters, &CounterConfig::sscofpmf>, Format::Switch,
     "overflow interrupt 13, filters by privilege, events cycles and instructions; false: as CVA6"},
    {"counters.smcntrpmf", member<kCounters, &CounterConfig::smcntrpmf>, Format::Switch,
     "filters by privilege for mcycle and minstret; false: as on CVA6"},

    {"dram.base", member<kHart, &HartConfig::memory, kBase>, Format::Location,
     "first byte of main memory"},
    {"dram.size", member<kHart, &HartConfig::memory, kSize>, Format::Pages,
     "size of main memory in bytes", kPageBytes, std::uint64_t{64} << 30},
});

constexpr auto kSettingsBehindDevices = std::to_array<Setting>({
    {"boot.rng_seed", member<kBoot, &BootConfig::rng_seed>, Format::Count,
     "number from which the 64 bytes of /chosen/rng-seed are derived; 0: no such property"},
    {"boot.pmu_snapshot", member<kBoot, &BootConfig::pmu_snapshot>, Format::Switch,
     "pes_firmware offers snapshot memory of the SBI's PMU extension; Linux loses samples with it"},
    {"boot.pmu_delegated", member<kBoot, &BootConfig::pmu_delegated>, Format::Switch,
     "pes_firmware leaves all counters and their interrupt to the supervisor and has no PMU "
     "extension; needs extensions.smcdeleg"},

    {"trace.enabled", member<kTrace, &TraceConfig::enabled>, Format::Switch,
     "trace encoders and funnels exist; false: nothing answers at their addresses"},
    {"trace.registers", member<kTrace, &TraceConfig::registers>, Format::Choice,
     "of the trace blocks: sifive, or standard, the Trace Control Interface 1.0", 0,
     kRegisterSets.size() - 1, kRegisterSets},
    {"trace.base", member<kTrace, &TraceConfig::base>, Format::Location,
     "first byte of the encoder of hart 0; the others follow, 4 KiB each"},
    {"trace.protocol", member<kTrace, &TraceConfig::protocol>, Format::Choice,
     "what the encoders send: nexus messages, or, with standard registers, e-trace packets", 0,
     kProtocols.size() - 1, kProtocols},
    {"trace.timestamps", member<kTrace, &TraceConfig::timestamps>, Format::Choice,
     "coding of relative timestamps: sifive XOR, n-trace difference; standard registers have "
     "n-trace",
     0, kDialects.size() - 1, kDialects},
    {"trace.timestamp_bits", member<kTrace, &TraceConfig::timestamp_bits>, Format::Count,
     "width of the timestamp counter", 8, trace::kMostTimestampBits},
    {"trace.source_bits", member<kTrace, &TraceConfig::source_bits>, Format::Count,
     "width of SRC; wider if the harts need it", 0, 7},
    {"trace.filters", member<kTrace, &TraceConfig::filters>, Format::Count,
     "filters of an encoder with standard registers", 0, trace_control::filter::kMost},
    {"trace.comparators", member<kTrace, &TraceConfig::comparators>, Format::Count,
     "comparators of an encoder with standard registers", 0, trace_control::comparator::kMost},
    {"trace.fifo_bytes", member<kTrace, &TraceConfig::fifo_bytes>, Format::Bytes,
     "FIFO of an encoder", trace::kSmallestFifo, 0x1'0000},
    {"trace.sram_bytes", member<kTrace, &TraceConfig::sram_bytes>, Format::Power,
     "SRAM sink in bytes", 256, 0x100'0000},
    {"trace.word_bytes", member<kTrace, &TraceConfig::word_bytes>, Format::Power,
     "width of the sinks in bytes", 4, 32},
    {"trace.burst_bytes", member<kTrace, &TraceConfig::burst_bytes>, Format::Bytes,
     "bytes that wake a sink: whole words, at most half of a FIFO", 4,
     trace::TraceSink::kMostBurst},
    {"trace.gather_cycles", member<kTrace, &TraceConfig::gather_cycles>, Format::Cycles,
     "longest wait of a message for a whole burst", 1, 1'000'000},
    {"trace.memory_latency", member<kTrace, &TraceConfig::memory_latency>, Format::Cycles,
     "latency of a burst of the memory sink, in addition to one cycle per word", 0, 100'000},
    {"trace.probe_divider", member<kTrace, &TraceConfig::probe_divider>, Format::Count,
     "with run --trace the probe takes one byte every probe_divider + 1 cycles", 0, 8191},
    {"trace.latency", member<kTrace, &TraceConfig::latency>, Format::Cycles,
     "cycles that a register access adds", 0, 10'000},

    {"trace.stimuli.base", member<kTrace, &TraceConfig::stimuli_base>, Format::Location,
     "first byte of the page for user mode of encoder 0: stimuli and time; the others follow"},
    {"trace.funnel.base", member<kTrace, &TraceConfig::funnel_base>, Format::Location,
     "first byte of funnel 0; the others follow, 4 KiB each"},
    {"trace.funnel.count", member<kTrace, &TraceConfig::funnels>, Format::Count,
     "funnels, which have the sinks then; with several harts at least one", 0, kMostFunnels},

    {"trace.ram_sink.base", member<kTrace, &TraceConfig::ram_base>, Format::Location,
     "first byte of RAM sink 0 of the standard registers; the others follow, 4 KiB each"},
    {"trace.port.base", member<kTrace, &TraceConfig::port_base>, Format::Location,
     "first of the 64 KiB through which RAM sinks write to the host's file"},

    {"trace.software.enabled", member<kSoftwareTrace, &SoftwareTraceSettings::enabled>,
     Format::Switch, "software trace modules exist; false: their CSR and their registers do not"},
    {"trace.software.base", member<kSoftwareTrace, &SoftwareTraceSettings::base>, Format::Location,
     "first byte of the module of hart 0; the others follow, 4 KiB each"},
    {"trace.software.csr", member<kSoftwareTrace, &SoftwareTraceSettings::csr>, Format::Csr,
     "CSR whose writes are events, of the custom user registers", 0x800, 0x8FF},
    {"trace.software.value_bits", member<kSoftwareTrace, &SoftwareTraceSettings::value_bits>,
     Format::Power, "bits of x10 in an event", 16, 64},
    {"trace.software.word_cycles", member<kSoftwareTrace, &SoftwareTraceSettings::word_cycles>,
     Format::Cycles, "cycles per 16-bit word on the link", 1, 1'000'000},

    {"htif.enabled", member<&PlatformConfig::htif, &HtifConfig::enabled>, Format::Switch,
     "tohost and fromhost talk to the host; false: they are plain memory"},
});

Slot device_base(PlatformConfig& config, const Setting& setting) {
    return &config.devices[setting.device].range.base;
}
Slot device_size(PlatformConfig& config, const Setting& setting) {
    return &config.devices[setting.device].range.size;
}
Slot device_latency(PlatformConfig& config, const Setting& setting) {
    return &config.devices[setting.device].latency;
}
Slot device_own(PlatformConfig& config, const Setting& setting) {
    const auto rows = config.devices[setting.device].settings();
    return std::visit([](auto* member) -> Slot { return member; }, rows.at(setting.row).slot);
}

/// The rows of devices are put together once; their keys live as long as the table.
class Table {
  public:
    Table() : rows_(kSettingsBeforeDevices.begin(), kSettingsBeforeDevices.end()) {
        DeviceSet devices = platform_devices();
        for (std::size_t index = 0; index < devices.size(); ++index) {
            add(devices[index], index);
        }
        rows_.insert(rows_.end(), kSettingsBehindDevices.begin(), kSettingsBehindDevices.end());
    }

    std::span<const Setting> rows() const { return rows_; }

  private:
    void add(DeviceDescription& device, std::size_t index) {
        const DeviceTraits& traits = device.traits();
        const std::string prefix = std::string(traits.name) + ".";
        const auto add = [&](std::string_view key, Setting row) {
            row.key = texts_.emplace_back(prefix + std::string(key));
            row.device = index;
            rows_.push_back(row);
        };
        const std::string& first =
            texts_.emplace_back("first byte of the " + std::string(traits.title));
        add("base", {{}, device_base, Format::Location, first});
        add("size", {{},
                     device_size,
                     Format::Pages,
                     "bytes of address space",
                     traits.least_bytes,
                     traits.most_bytes});
        add("latency",
            {{}, device_latency, Format::Cycles, "cycles that a register access adds", 0, 10'000});
        const std::vector<DeviceSetting> own = device.settings();
        for (std::size_t row = 0; row < own.size(); ++row) {
            add(own[row].key, {.key = {},
                               .slot = device_own,
                               .format = own[row].format,
                               .description = own[row].description,
                               .minimum = own[row].minimum,
                               .maximum = own[row].maximum,
                               .row = row});
        }
    }

    std::deque<std::string> texts_; ///< that rows refer to
    std::vector<Setting> rows_;
};

} // namespace

std::span<const Setting> settings() {
    static const Table table;
    return table.rows();
}

} // namespace pes
