// SPDX-License-Identifier: Apache-2.0
// Machine-mode start of a hart: find out what it has, protect the firmware, delegate, and leave for
// supervisor mode.
#include "firmware/boot/boot_tree.h"
#include "firmware/boot/csr.h"
#include "firmware/boot/next_stage.h"
#include "firmware/boot/probe.h"
#include "firmware/lib/text.h"
#include "firmware/pes/sampler.h"
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu.h"
#include "firmware/sbi/pmu_delegation.h"

namespace pes {

namespace {

constexpr uint64_t kPmpNapot = 3 << 3;
constexpr uint64_t kPmpReadWriteExecute = 7;
constexpr uint64_t kPmpEverything = ~uint64_t{0} >> 10; // 54 address bits, all ones = all memory

// Delegated exceptions: all that supervisor software handles itself. Not illegal instructions (2,
// `time` is emulated), misaligned loads and stores (4, 6, emulated), their access faults (5, 7,
// counted as firmware events) and the calls from S and M (9, 11).
constexpr uint64_t kDelegated =
    1 << 0 | 1 << 1 | 1 << 3 | 1 << kCauseUserCall | 1 << 12 | 1 << 13 | 1 << 15;

/// Entry 0 shuts the machine layer, entry 1 opens everything else to S and U. A hart without PMP
/// has nothing to open, one with a single entry cannot do both.
void open_memory() {
    static_assert(PES_DRAM_BASE % PES_MACHINE_SIZE == 0, "a PMP region is naturally aligned");
    constexpr uint64_t kMachine =
        uint64_t{PES_DRAM_BASE} / 4 | (uint64_t{PES_MACHINE_SIZE} / 8 - 1);
    if (csr_read_back<csr::kPmpaddr1>(kPmpEverything) != 0) {
        write_csr<csr::kPmpaddr0>(kMachine);
        write_csr<csr::kPmpcfg0>(kPmpNapot | (kPmpNapot | kPmpReadWriteExecute) << 8);
    } else if (csr_read_back<csr::kPmpaddr0>(kPmpEverything) != 0) {
        write_csr<csr::kPmpcfg0>(kPmpNapot | kPmpReadWriteExecute);
    }
}

/// What the hart can leave to the supervisor. The bit of an extension that it lacks reads 0.
void open_extensions() {
    constexpr uint64_t kCounters = kEnvironmentCde; // Smcdeleg: those that mcounteren opens
    constexpr uint64_t kTimer = uint64_t{1} << 63;  // STCE, Sstc: stimecmp
    if (csr_exists<csr::kMstateen0>()) {
        write_csr<csr::kMstateen0>(~uint64_t{0}); // Smstateen: no state is kept from it
    }
    if (!csr_exists<csr::kMenvcfg>()) {
        return;
    }
    set_csr<csr::kMenvcfg>(kCounters | kTimer);
    if ((read_csr<csr::kMenvcfg>() & kTimer) != 0) {
        use_supervisor_timer();
    }
}

void report_hardware() {
    print(console_put, "pes firmware: counters ", Hex{counters().present()},
          sampler().available() ? ", sampling unit" : ", no PES unit",
          host_answers() ? ", host files\n" : ", no host files\n");
}

} // namespace

void prepare_hart() {
    open_memory();
    open_extensions();
    reset_pmu();
    sampler() = Sampler{};
    sampler().probe();
}

void leave_for_supervisor(uint64_t entry, uint64_t argument) {
    write_csr<csr::kMedeleg>(kDelegated);
    write_csr<csr::kMideleg>(kInterruptSsi | kInterruptSti | kInterruptSei |
                             (counters().has_overflow() ? kInterruptLcofi : 0));
    write_csr<csr::kMcounteren>(~uint64_t{0});
    if (counters_delegated()) {
        exclude_machine_mode();
    }
    write_csr<csr::kSatp>(0);
    write_csr<csr::kStvec>(0); // no supervisor handler yet: report its traps
    set_csr<csr::kMie>(kInterruptMsi);
    clear_csr<csr::kMstatus>(kStatusMpp | kStatusSie);
    set_csr<csr::kMstatus>(uint64_t{1} << kStatusMppShift | kStatusFsDirty);
    enter_supervisor(hart_id(), entry, argument);
}

/// Of the boot hart, with what the loader left in a0, a1 and a2.
extern "C" [[noreturn]] void machine_main(uint64_t, uint64_t device_tree, uint64_t dynamic_info) {
    constexpr uint64_t kVectored = 1;
    if ((read_csr<csr::kMtvec>() & 3) != kVectored) {
        print(console_put, "pes firmware: this hart has no vectored mtvec\n");
        end_run(sbi::reset::kSystemFailure);
    }
    prepare_hart();
    const FlatTree tree = boot_tree(device_tree);
    read_events(tree);
    offer_snapshots(firmware_switch(tree, "pmu-snapshot"));
    if (firmware_switch(tree, "pmu-delegated")) {
        delegate_counters();
    }
    harts[hart_id()].state = HartState::Started;
    probe_host();
    if (!firmware_is_alone()) {
        report_hardware();
    } else {
        reserve_machine_layer(device_tree);
    }
    leave_for_supervisor(next_stage(dynamic_info), device_tree);
}

} // namespace pes
