// SPDX-License-Identifier: Apache-2.0
// Machine-mode traps: calls from the supervisor, the timer, messages of other harts, emulation of
// the `time` CSR and of misaligned accesses, and what nobody handles. medeleg gives the supervisor
// its page faults without a detour; what is emulated or counted as a firmware event comes here
// first and is passed on.
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "firmware/boot/probe.h"
#include "firmware/lib/text.h"
#include "firmware/sbi/firmware_counters.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/traps.h"
#include "hw/interface/maps/clint.h"

namespace pes {

namespace {

constexpr uint64_t kExitCodeOfTrap = 128;

const char* cause_name(uint64_t cause) {
    return (cause & kInterruptBit) != 0 ? "interrupt" : exception_name(cause);
}

uint64_t previous_mode(const TrapFrame& frame) {
    return (frame.status & kStatusMpp) >> kStatusMppShift;
}

/// mtval may hold the instruction or zero (privileged specification, 3.1.16).
uint64_t trapped_instruction(const TrapFrame& frame, uint64_t tval) {
    uint64_t instruction = tval;
    if (tval == 0 && fetch_program(frame, instruction).cause != 0) {
        return 0;
    }
    return instruction;
}

/// `csrrs rd, time, x0` (rdtime) and the other read-only forms, for cores that have no time CSR.
bool emulate_time(TrapFrame& frame, uint64_t instruction) {
    const uint64_t function = instruction >> 12 & 7;
    const uint64_t source = instruction >> 15 & 31;
    const bool reads_only =
        (function == 2 || function == 3 || function == 6 || function == 7) && source == 0;
    if ((instruction & 0x7F) != 0x73 || instruction >> 20 != csr::kTime || !reads_only) {
        return false;
    }
    const uint64_t rd = instruction >> 7 & 31;
    if (rd != 0) {
        frame.x[rd] = read_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtime);
    }
    frame.pc += 4;
    return true;
}

/// An exception of the program that is not delegated: counted, emulated if it can be. True: done.
/// Otherwise `fault` is what the supervisor gets.
bool handle_exception(TrapFrame& frame, ProgramFault& fault) {
    using Event = sbi::pmu::FirmwareEvent;
    switch (fault.cause) {
    case kCauseIllegalInstruction:
        count_firmware_event(Event::IllegalInstruction);
        return emulate_time(frame, trapped_instruction(frame, fault.address));
    case kCauseLoadMisaligned:
    case kCauseStoreMisaligned:
        count_firmware_event(fault.cause == kCauseLoadMisaligned ? Event::MisalignedLoad
                                                                 : Event::MisalignedStore);
        fault = emulate_misaligned(frame, fault.cause, fault.address);
        break;
    default:
        break;
    }
    if (fault.cause == kCauseLoadAccessFault) {
        count_firmware_event(Event::LoadAccessFault);
    } else if (fault.cause == kCauseStoreAccessFault) {
        count_firmware_event(Event::StoreAccessFault);
    }
    return fault.cause == 0;
}

/// Takes the trap in supervisor mode, as the hart would have done with the cause delegated.
void redirect(TrapFrame& frame, uint64_t cause, uint64_t tval) {
    write_csr<csr::kSepc>(frame.pc);
    write_csr<csr::kScause>(cause);
    write_csr<csr::kStval>(tval);
    uint64_t status = frame.status & ~(kStatusSpp | kStatusSpie | kStatusSie | kStatusMpp);
    status |= previous_mode(frame) != 0 ? kStatusSpp : 0;
    status |= (frame.status & kStatusSie) != 0 ? kStatusSpie : 0;
    status |= uint64_t{1} << kStatusMppShift; // supervisor
    frame.status = status;
    frame.pc = read_csr<csr::kStvec>() & ~uint64_t{3}; // exceptions go to the base in both modes
}

} // namespace

void report_fatal_trap(const TrapFrame& frame, uint64_t cause, uint64_t tval) {
    constexpr const char* kModes[] = {"user", "supervisor", "reserved", "machine"};
    print(console_put, "\nunhandled trap: ", cause_name(cause), "\n  cause ", Hex{cause}, "  pc ",
          Hex{frame.pc}, "  tval ", Hex{tval}, "  mode ", kModes[previous_mode(frame)], "\n  ra ",
          Hex{frame.x[kRa]}, "  sp ", Hex{frame.x[kSp]}, "  a0 ", Hex{frame.x[kA0]}, "  a7 ",
          Hex{frame.x[kA7]}, "  hart ", hart_id(), "\n");
    end_run(static_cast<uint32_t>(kExitCodeOfTrap + (cause & 0x3F)));
}

extern "C" void machine_trap(TrapFrame& frame) {
    const uint64_t cause = read_csr<csr::kMcause>();
    const uint64_t tval = read_csr<csr::kMtval>();
    if (previous_mode(frame) == 3) {
        if (machine_local().guard != Guard::Armed) {
            report_fatal_trap(frame, cause, tval);
        }
        machine_local().guard = Guard::Tripped;
        frame.pc += 4; // guarded instructions are never compressed
        return;
    }
    if (cause == kCauseMachineTimer) {
        clear_csr<csr::kMie>(kInterruptMti);
        set_csr<csr::kMip>(kInterruptSti);
        return;
    }
    if (cause == kCauseMachineSoftware) {
        take_messages();
        return;
    }
    if (cause == kCauseSupervisorCall) {
        serve_call(frame);
        return;
    }
    ProgramFault fault{cause, tval};
    if (handle_exception(frame, fault)) {
        return;
    }
    if ((cause & kInterruptBit) != 0 || read_csr<csr::kStvec>() == 0) {
        report_fatal_trap(frame, fault.cause, fault.address);
    }
    redirect(frame, fault.cause, fault.address);
}

} // namespace pes
