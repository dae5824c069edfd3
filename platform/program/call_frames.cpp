// SPDX-License-Identifier: Apache-2.0
#include "platform/program/call_frames.h"

#include "hw/interface/riscv/instruction_class.h"
#include "platform/host/elf_file.h"

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <optional>
#include <type_traits>

namespace pes {
namespace {

constexpr unsigned kRa = 1, kSp = 2;
constexpr std::size_t kDeepestExpression = 16;
constexpr Address kShortly = 64; ///< bytes: what runs between the capture of a sample and its stack

struct FreeFrame {
    void operator()(Dwarf_Frame* frame) const { free(frame); } // NOLINT: as libdw.h asks for
};
using Frame = std::unique_ptr<Dwarf_Frame, FreeFrame>;

/// What an expression may refer to.
struct Machine {
    const CallFrames::Registers& registers;
    const CallFrames::ReadMemory& read;
    std::size_t word; ///< bytes of a register
    std::optional<std::uint64_t> cfa{};

    std::optional<std::uint64_t> load(Address address) const {
        std::uint64_t value = 0;
        const auto bytes = std::as_writable_bytes(std::span(&value, 1)).first(word);
        return read(address, bytes) ? std::optional(value) : std::nullopt;
    }
    std::optional<std::uint64_t> reg(std::uint64_t number) const {
        return number < registers.size() ? std::optional(registers[number]) : std::nullopt;
    }
};

std::optional<std::uint64_t> plus(std::optional<std::uint64_t> value, std::uint64_t addend) {
    return value ? std::optional(*value + addend) : std::nullopt;
}

/// The operand that an operation adds to the stack; nothing for one that compilers do not use here.
std::optional<std::uint64_t> operand(const Dwarf_Op& op, const Machine& machine) {
    if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31) {
        return plus(machine.reg(op.atom - DW_OP_breg0), op.number);
    }
    if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31) {
        return op.atom - DW_OP_lit0;
    }
    switch (op.atom) {
    case DW_OP_bregx:
        return plus(machine.reg(op.number), op.number2);
    case DW_OP_call_frame_cfa:
        return machine.cfa;
    case DW_OP_addr:
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
        return op.number;
    default:
        return std::nullopt;
    }
}

struct Evaluated {
    std::uint64_t result = 0;
    bool is_value = false; ///< DW_OP_stack_value: else the address of the value
};

/// The subset of DWARF expressions that rules of frames are made of.
std::optional<Evaluated> evaluate(std::span<const Dwarf_Op> ops, const Machine& machine) {
    std::vector<std::uint64_t> stack;
    Evaluated evaluated;
    for (const Dwarf_Op& op : ops) {
        std::optional<std::uint64_t> value;
        if (op.atom == DW_OP_stack_value) {
            evaluated.is_value = true;
            continue;
        }
        if (op.atom == DW_OP_plus_uconst && !stack.empty()) {
            value = stack.back() + op.number;
            stack.pop_back();
        } else if (op.atom == DW_OP_deref && !stack.empty()) {
            value = machine.load(stack.back());
            stack.pop_back();
        } else if ((op.atom == DW_OP_plus || op.atom == DW_OP_minus) && stack.size() >= 2) {
            const std::uint64_t top = stack.back();
            stack.pop_back();
            value = op.atom == DW_OP_plus ? stack.back() + top : stack.back() - top;
            stack.pop_back();
        } else {
            value = operand(op, machine);
        }
        if (!value || stack.size() == kDeepestExpression) {
            return std::nullopt;
        }
        stack.push_back(*value);
    }
    if (stack.empty()) {
        return std::nullopt;
    }
    evaluated.result = stack.back();
    return evaluated;
}

/// The caller's value of a register; nothing if it is lost.
std::optional<std::uint64_t> restored(Dwarf_Frame& frame, unsigned number, const Machine& machine) {
    Dwarf_Op memory[3];
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_register(&frame, static_cast<int>(number), memory, &ops, &count) != 0) {
        return std::nullopt;
    }
    if (count == 0) { // same value, or undefined
        return ops == nullptr ? machine.reg(number) : std::nullopt;
    }
    const std::optional<Evaluated> found = evaluate({ops, count}, machine);
    if (!found || found->is_value) {
        return found ? std::optional(found->result) : std::nullopt;
    }
    return machine.load(found->result);
}

bool steps_out(Dwarf_Frame& frame, CallFrames::Registers& registers, Machine machine) {
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(&frame, &ops, &count) != 0) {
        return false;
    }
    const std::optional<Evaluated> cfa = evaluate({ops, count}, machine);
    if (!cfa) {
        return false;
    }
    machine.cfa = cfa->result;
    CallFrames::Registers outer{};
    for (unsigned number = 1; number < registers.size(); ++number) {
        const std::optional<std::uint64_t> value = restored(frame, number, machine);
        if (number == kRa && !value) {
            return false; // the outermost frame
        }
        outer[number] = value.value_or(0);
    }
    outer[kSp] = cfa->result;
    registers = outer;
    return true;
}

} // namespace

/// Of one program.
class CallFrames::Information {
  public:
    explicit Information(const ElfProgram& program)
        : program_(program), elf_(program.path(), "program"),
          dwarf_(dwarf_begin_elf(elf_.handle(), DWARF_C_READ, nullptr), &dwarf_end),
          exceptions_(dwarf_getcfi_elf(elf_.handle()), &dwarf_cfi_end),
          debug_(dwarf_ == nullptr ? nullptr : dwarf_getcfi(dwarf_.get())) {}

    const ElfProgram& program() const { return program_; }
    std::size_t word() const { return program_.xlen() == Xlen::Rv64 ? 8 : 4; }

    Frame frame_at(Address pc) const {
        for (Dwarf_CFI* const cfi : {debug_, exceptions_.get()}) {
            Dwarf_Frame* frame = nullptr;
            if (cfi != nullptr &&
                dwarf_cfi_addrframe(cfi, pc - program_.file().base, &frame) == 0) {
                return Frame(frame);
            }
        }
        return nullptr;
    }

    /// Two bytes of its code.
    std::optional<std::uint16_t> half_word_at(Address place) const {
        const Address address = place - program_.file().base;
        for (const ElfSection& section : elf_.sections()) {
            std::uint16_t value = 0;
            if (section.is_code() && address >= section.header.sh_addr &&
                address + sizeof(value) <= section.end()) {
                const auto bytes = elf_.bytes(section).subspan(address - section.header.sh_addr);
                std::memcpy(&value, bytes.data(), sizeof(value));
                return value;
            }
        }
        return std::nullopt;
    }

  private:
    const ElfProgram& program_;
    const ElfFile elf_;
    std::unique_ptr<Dwarf, decltype(&dwarf_end)> dwarf_;
    std::unique_ptr<Dwarf_CFI, decltype(&dwarf_cfi_end)> exceptions_;
    Dwarf_CFI* debug_; ///< belongs to dwarf_
};

CallFrames::CallFrames(const Symbolizer& symbolizer) : symbolizer_(symbolizer) {
    for (const ElfProgram& program : symbolizer.programs()) {
        information_.push_back(std::make_unique<Information>(program));
    }
}

CallFrames::~CallFrames() = default;

const CallFrames::Information* CallFrames::information_at(Address place) const {
    const auto found = std::ranges::find_if(
        information_, [place](const auto& one) { return one->program().is_code(place); });
    return found == information_.end() ? nullptr : found->get();
}

bool CallFrames::is_other_function(Address place, Address other) const {
    const Function* const here = symbolizer_.find(place).function;
    const Function* const there = symbolizer_.find(other).function;
    return here != nullptr && there != nullptr && here != there;
}

/// The place of the instruction that called, whose link is `behind`; nothing if there is no call
/// before it.
std::optional<Address> CallFrames::call_before(Address behind, const Place& place) const {
    for (const unsigned length : {4U, 2U}) {
        const Address call = place(behind - length);
        const Information* const information = information_at(call);
        const auto low = information == nullptr ? std::nullopt : information->half_word_at(call);
        const auto high = length == 4 && low ? information->half_word_at(call + 2) : low;
        if (!low || !high) {
            continue;
        }
        const bool long_one = (*low & 3) == 3;
        const std::uint32_t raw =
            long_one ? *low | static_cast<std::uint32_t>(*high) << 16 : std::uint32_t{*low};
        if (long_one == (length == 4) && may_leave_sequence(raw) && classify_flow(raw).is_call()) {
            return call;
        }
    }
    return std::nullopt;
}

/// The call that has returned to `pc` or a few instructions before; nothing if there is none.
std::optional<Address> CallFrames::call_shortly_before(Address pc, const Place& place) const {
    for (Address behind = pc; pc - behind <= kShortly; behind -= 2) {
        if (const std::optional<Address> call = call_before(behind, place)) {
            return call;
        }
    }
    return std::nullopt;
}

std::vector<Address> CallFrames::calls(const Moment& moment) const {
    std::vector<Address> calls;
    Registers registers = moment.registers;
    Address here = moment.place(moment.pc);
    while (calls.size() < kDeepest) {
        const Information* const information = information_at(here);
        if (information == nullptr) {
            break;
        }
        std::optional<Address> behind;
        if (const Frame frame = information->frame_at(here)) {
            const Machine machine{
                .registers = registers, .read = moment.read, .word = information->word()};
            if (!steps_out(*frame, registers, machine)) {
                break;
            }
            behind = registers[kRa];
        } else if (calls.empty()) {
            // ra points into the function itself once it has called another.
            if (is_other_function(here, moment.place(registers[kRa]))) {
                behind = registers[kRa];
            }
            registers[kRa] = 0;
        }
        const std::optional<Address> call =
            behind ? call_before(*behind, moment.place) : std::nullopt;
        if (!call) {
            break;
        }
        calls.push_back(*call);
        here = *call;
    }
    return calls;
}

/// Between the two the program may have called; or it may have returned; or jumped there.
std::vector<Address> CallFrames::calls_around(Address sampled, const Moment& moment) const {
    std::vector<Address> now = calls(moment);
    const Function* const function = symbolizer_.find(sampled).function;
    now.insert(now.begin(), moment.place(moment.pc));
    const auto same = std::ranges::find_if(now, [&](Address place) {
        return function != nullptr && symbolizer_.find(place).function == function;
    });
    if (same != now.end()) {
        now.erase(now.begin(), std::next(same));
    } else if (const auto call = call_shortly_before(moment.pc, moment.place)) {
        now.front() = *call;
    } else {
        now.erase(now.begin());
    }
    return now;
}

} // namespace pes
