// SPDX-License-Identifier: Apache-2.0
#include "platform/program/disassembler.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <string_view>

// LLVM generates their declarations for all targets of the installation at once; only this one is
// linked.
extern "C" {
void LLVMInitializeRISCVTargetInfo();
void LLVMInitializeRISCVTargetMC();
void LLVMInitializeRISCVDisassembler();
}

namespace pes::trace {
namespace {

constexpr const char* kExtensions =
    "+m,+a,+f,+d,+c,+zicond,+zcb,+zba,+zbb,+zbc,+zbs,+zbkb,+zbkc,+zbkx,+zknd,+zkne,+zknh";

const llvm::Target& find_target(const char* triple) {
    static const bool registered = [] {
        LLVMInitializeRISCVTargetInfo();
        LLVMInitializeRISCVTargetMC();
        LLVMInitializeRISCVDisassembler();
        return true;
    }();
    std::string error;
    const llvm::Target* target =
        registered ? llvm::TargetRegistry::lookupTarget(triple, error) : nullptr;
    if (target == nullptr) {
        throw std::runtime_error("no disassembler: " + error);
    }
    return *target;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The number that `text` is, if it is one in decimal.
std::optional<std::int64_t> decimal(std::string_view text) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && stop == text.data() + text.size() ? std::optional(value)
                                                                     : std::nullopt;
}

/// objdump has upper immediates, the bits of shifts and CSRs without a name in hexadecimal.
void write_hexadecimal(std::string& text, std::size_t begin, std::size_t end) {
    constexpr std::uint64_t kUpperImmediate = 0xFFFFF;
    const auto value = decimal(std::string_view(text).substr(begin, end - begin));
    if (value) {
        const auto bits = static_cast<std::uint64_t>(*value);
        text.replace(begin, end - begin,
                     fmt::format("{:#x}", *value < 0 ? bits & kUpperImmediate : bits));
    }
}

void change_numbers(std::string& text) {
    constexpr std::array<std::string_view, 18> kShiftsAndUppers = {
        "lui",   "auipc", "slli",  "srli",    "srai",  "slliw", "srliw", "sraiw", "c.slli",
        "c.lui", "rori",  "roriw", "slli.uw", "bclri", "bexti", "binvi", "bseti", "aes64ks1i"};
    const std::size_t space = text.find(' ');
    if (space == std::string::npos) {
        return;
    }
    const std::string_view mnemonic = std::string_view(text).substr(0, space);
    const std::size_t first = text.find(',');
    if (is_one_of(mnemonic, kShiftsAndUppers)) {
        write_hexadecimal(text, text.rfind(',') + 1, text.size());
    } else if (mnemonic.starts_with("csrr")) {
        const std::size_t last = text.find(',', first + 1);
        write_hexadecimal(text, first + 1, std::min(last, text.size()));
    } else if (mnemonic.starts_with("csr")) {
        write_hexadecimal(text, space + 1, first);
    }
}

/// "\taddi\ta0, a0, 1" as "addi a0,a0,1".
std::string in_manner_of_objdump(std::string_view printed) {
    std::string text;
    for (const char c : printed) {
        if (c == '\t') {
            text += text.empty() ? "" : " ";
        } else if (c != ' ' || (!text.empty() && text.back() != ',')) {
            text += c;
        }
    }
    if (text.ends_with(' ')) { // LLVM has a tab behind a mnemonic without operands
        text.pop_back();
    }
    constexpr std::string_view kByteMask = ",255";
    if (text.starts_with("andi ") && text.ends_with(kByteMask)) {
        return "zext.b " + text.substr(5, text.size() - 5 - kByteMask.size());
    }
    change_numbers(text);
    return text;
}

} // namespace

struct Disassembler::Parts {
    explicit Parts(const char* name)
        : triple(name), target(find_target(name)), registers(target.createMCRegInfo(name)),
          assembly(target.createMCAsmInfo(*registers, name, llvm::MCTargetOptions())),
          instructions(target.createMCInstrInfo()),
          subtarget(target.createMCSubtargetInfo(name, "", kExtensions)),
          context(triple, assembly.get(), registers.get(), subtarget.get()),
          decoder(target.createMCDisassembler(*subtarget, context)),
          printer(target.createMCInstPrinter(triple, 0, *assembly, *instructions, *registers)) {
        printer->setPrintBranchImmAsAddress(true);
    }

    llvm::Triple triple;
    const llvm::Target& target;
    std::unique_ptr<llvm::MCRegisterInfo> registers;
    std::unique_ptr<llvm::MCAsmInfo> assembly;
    std::unique_ptr<llvm::MCInstrInfo> instructions;
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
    llvm::MCContext context;
    std::unique_ptr<llvm::MCDisassembler> decoder;
    std::unique_ptr<llvm::MCInstPrinter> printer;
};

Disassembler::Disassembler(Xlen xlen)
    : parts_(std::make_unique<Parts>(xlen == Xlen::Rv32 ? "riscv32" : "riscv64")) {}

Disassembler::~Disassembler() = default;

std::string Disassembler::text(Address pc, std::uint32_t raw) {
    const unsigned length = instruction_length(raw);
    std::array<std::uint8_t, 4> bytes{};
    for (unsigned i = 0; i < length; ++i) {
        bytes[i] = static_cast<std::uint8_t>(raw >> (8 * i));
    }
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto status = parts_->decoder->getInstruction(
        instruction, size, llvm::ArrayRef<std::uint8_t>(bytes.data(), length), pc, llvm::nulls());
    if (status != llvm::MCDisassembler::Success) {
        return length == 2 ? fmt::format(".2byte {:#x}", raw & 0xFFFF)
                           : fmt::format(".4byte {:#x}", raw);
    }
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    parts_->printer->printInst(&instruction, pc, "", *parts_->subtarget, stream);
    return in_manner_of_objdump(stream.str());
}

} // namespace pes::trace
