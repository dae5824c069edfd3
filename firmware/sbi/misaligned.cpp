// SPDX-License-Identifier: Apache-2.0
// Misaligned loads and stores of supervisor and user programs, byte by byte: the core traps them.
// Atomics are not emulated, as their bytes would not be one access; they stay the program's trap.
#include "firmware/boot/csr.h"
#include "firmware/sbi/traps.h"

extern "C" {
/// boot/float_registers.S; n is 0..31.
uint64_t read_float_register(uint64_t n);
void write_float_register(uint64_t n, uint64_t bits);
}

namespace pes {

namespace {

struct MemoryAccess {
    unsigned size = 0; ///< bytes; 0: not a load or store
    bool stores = false;
    bool floating = false;
    bool extends_sign = false;
    uint64_t data_register = 0;
};

constexpr uint64_t bits(uint64_t word, unsigned from, unsigned count) {
    return word >> from & ((uint64_t{1} << count) - 1);
}

/// Unprivileged specification, 2.6, 4.3, 12.5 (LOAD, LOAD-FP, STORE, STORE-FP).
MemoryAccess decode_full(uint64_t instruction) {
    const uint64_t opcode = bits(instruction, 0, 7);
    const uint64_t function = bits(instruction, 12, 3);
    MemoryAccess access{.size = 1U << (function & 3)};
    switch (opcode) {
    case 0x03:
        access.extends_sign = function < 4;
        access.data_register = bits(instruction, 7, 5);
        break;
    case 0x07:
        access.floating = true;
        access.data_register = bits(instruction, 7, 5);
        break;
    case 0x23:
    case 0x27:
        access.stores = true;
        access.floating = opcode == 0x27;
        access.data_register = bits(instruction, 20, 5);
        break;
    default:
        access.size = 0;
    }
    return access;
}

/// Unprivileged specification, 16.3: quadrant 0 (register base) and 2 (stack pointer).
MemoryAccess decode_compressed(uint64_t instruction) {
    const uint64_t function = bits(instruction, 13, 3);
    const bool by_stack_pointer = (instruction & 3) == 2;
    if ((instruction & 3) == 1 || (function & 3) == 0) {
        return {};
    }
    const bool stores = function >= 4;
    uint64_t data_register = 8 + bits(instruction, 2, 3);
    if (by_stack_pointer) {
        data_register = bits(instruction, stores ? 2 : 7, 5);
    }
    // 1 and 5: FLD, FSD; 2 and 6: LW, SW; 3 and 7: LD, SD.
    return {.size = (function & 3) == 2 ? 4U : 8U,
            .stores = stores,
            .floating = (function & 3) == 1,
            .extends_sign = true,
            .data_register = data_register};
}

/// The value of the access in a register.
uint64_t extend(const MemoryAccess& access, uint64_t value) {
    const unsigned unused = 64 - 8 * access.size;
    if (access.floating) {
        return unused == 0 ? value : value | ~uint64_t{0} << (64 - unused); // NaN-boxed
    }
    return access.extends_sign
               ? static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused)
               : value;
}

ProgramFault load(TrapFrame& frame, const MemoryAccess& access, uint64_t address) {
    uint64_t value = 0;
    const ProgramFault fault = load_program(frame, address, access.size, value);
    if (fault.cause != 0) {
        return fault;
    }
    value = extend(access, value);
    if (access.floating) {
        write_float_register(access.data_register, value);
        frame.status |= kStatusFsDirty;
    } else if (access.data_register != 0) {
        frame.x[access.data_register] = value;
    }
    return {};
}

ProgramFault store(const TrapFrame& frame, const MemoryAccess& access, uint64_t address) {
    uint64_t value = 0;
    if (access.floating) {
        value = read_float_register(access.data_register);
    } else if (access.data_register != 0) {
        value = frame.x[access.data_register];
    }
    return store_program(frame, address, access.size, value);
}

} // namespace

ProgramFault emulate_misaligned(TrapFrame& frame, uint64_t cause, uint64_t address) {
    uint64_t instruction = 0;
    const ProgramFault unread = fetch_program(frame, instruction);
    if (unread.cause != 0) {
        return unread;
    }
    const bool full = (instruction & 3) == 3;
    const MemoryAccess access = full ? decode_full(instruction) : decode_compressed(instruction);
    if (access.size == 0) {
        return {cause, address};
    }
    const ProgramFault fault =
        access.stores ? store(frame, access, address) : load(frame, access, address);
    if (fault.cause == 0) {
        frame.pc += full ? 4 : 2;
    }
    return fault;
}

} // namespace pes
