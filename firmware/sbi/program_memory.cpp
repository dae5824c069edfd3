// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/program_memory.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/probe.h"
#include "firmware/sbi/machine.h"

namespace pes {

namespace {

/// MPP is set anew for each access: a guarded one that traps leaves "user" there.
uint64_t status_as_program(const TrapFrame& frame) {
    return (read_csr<csr::kMstatus>() & ~kStatusMpp) | (frame.status & kStatusMpp) | kStatusMprv;
}

/// mcause and mtval still hold the guarded trap.
ProgramFault fault_of_guarded() {
    return disarm_guard() ? ProgramFault{read_csr<csr::kMcause>(), read_csr<csr::kMtval>()}
                          : ProgramFault{};
}

ProgramFault load_byte(uint64_t status, uint64_t address, uint64_t& byte) {
    arm_guard();
    asm volatile(".option push\n.option norvc\n"
                 "csrrw %1, mstatus, %1\n"
                 "lbu %0, 0(%2)\n"
                 "csrw mstatus, %1\n"
                 ".option pop"
                 : "=&r"(byte), "+r"(status)
                 : "r"(address)
                 : "memory");
    return fault_of_guarded();
}

ProgramFault store_byte(uint64_t status, uint64_t address, uint64_t byte) {
    arm_guard();
    asm volatile(".option push\n.option norvc\n"
                 "csrrw %0, mstatus, %0\n"
                 "sb %1, 0(%2)\n"
                 "csrw mstatus, %0\n"
                 ".option pop"
                 : "+r"(status)
                 : "r"(byte), "r"(address)
                 : "memory");
    return fault_of_guarded();
}

ProgramFault load_bytes(uint64_t status, uint64_t address, unsigned size, uint64_t& value) {
    value = 0;
    for (unsigned i = 0; i < size; ++i) {
        uint64_t byte = 0;
        const ProgramFault fault = load_byte(status, address + i, byte);
        if (fault.cause != 0) {
            return fault;
        }
        value |= byte << 8 * i;
    }
    return {};
}

} // namespace

ProgramFault load_program(const TrapFrame& frame, uint64_t address, unsigned size,
                          uint64_t& value) {
    return load_bytes(status_as_program(frame), address, size, value);
}

ProgramFault store_program(const TrapFrame& frame, uint64_t address, unsigned size,
                           uint64_t value) {
    const uint64_t status = status_as_program(frame);
    for (unsigned i = 0; i < size; ++i) {
        const ProgramFault fault = store_byte(status, address + i, value >> 8 * i & 0xFF);
        if (fault.cause != 0) {
            return fault;
        }
    }
    return {};
}

ProgramFault fetch_program(const TrapFrame& frame, uint64_t& instruction) {
    constexpr uint64_t kHalf = 2;
    const uint64_t status = status_as_program(frame) | kStatusMxr; // what executes may be read
    uint64_t high = 0;
    ProgramFault fault = load_bytes(status, frame.pc, kHalf, instruction);
    if (fault.cause == 0 && (instruction & 3) == 3) {
        fault = load_bytes(status, frame.pc + kHalf, kHalf, high);
        instruction |= high << 16;
    }
    if (fault.cause != 0) {
        fault.cause = fault.cause == kCauseLoadPageFault ? kCauseInstructionPageFault
                                                         : kCauseInstructionAccessFault;
    }
    return fault;
}

bool supervisor_owns(uint64_t address, uint64_t size) {
    constexpr uint64_t kFirst = uint64_t{PES_DRAM_BASE} + PES_MACHINE_SIZE;
    const auto is_memory = [](uint64_t byte) {
        uint64_t content = 0;
        return load_byte(read_csr<csr::kMstatus>(), byte, content).cause == 0;
    };
    // Main memory is the last thing in the address space: where its end is, the hart knows.
    return address >= kFirst && size <= ~address &&
           (size == 0 || (is_memory(address) && is_memory(address + size - 1)));
}

} // namespace pes
