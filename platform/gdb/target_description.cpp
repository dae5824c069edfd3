// SPDX-License-Identifier: Apache-2.0
#include "platform/gdb/target_description.h"

#include <array>
#include <string_view>

namespace pes::gdb {
namespace {

constexpr std::array<std::string_view, 33> kInteger{
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "pc"};
constexpr std::array<std::string_view, 32> kFloat{
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

std::string row(std::string_view name, unsigned number, std::string_view type) {
    std::string text = "<reg name=\"";
    text.append(name).append("\" bitsize=\"64\" type=\"").append(type).append("\" regnum=\"");
    return text + std::to_string(number) + "\"/>\n";
}

std::string feature(std::string_view name, const std::string& rows) {
    return "<feature name=\"org.gnu.gdb.riscv." + std::string(name) + "\">\n" + rows +
           "</feature>\n";
}

std::string_view integer_type(unsigned number) {
    constexpr unsigned kRa = 1, kSp = 2, kGp = 3, kTp = 4, kFp = 8;
    switch (number) {
    case kRa:
    case kPc:
        return "code_ptr";
    case kSp:
    case kGp:
    case kTp:
    case kFp:
        return "data_ptr";
    default:
        return "int";
    }
}

/// fflags, frm and fcsr stand with the registers that they control.
bool is_of_float(unsigned number) {
    return number > kFirstCsr && number <= kFirstCsr + 3;
}

} // namespace

std::string target_description(const std::vector<RegisterDescription>& further) {
    std::string cpu;
    for (unsigned number = 0; number < kInteger.size(); ++number) {
        cpu += row(kInteger[number], number, integer_type(number));
    }
    std::string fpu;
    for (unsigned number = 0; number < kFloat.size(); ++number) {
        fpu += row(kFloat[number], kFirstFloat + number, "ieee_double");
    }
    std::string csr;
    for (const RegisterDescription& one : further) {
        (is_of_float(one.number) ? fpu : csr) += row(one.name, one.number, "int");
    }
    return "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
           "<target version=\"1.0\">\n<architecture>riscv:rv64</architecture>\n" +
           feature("cpu", cpu) + feature("fpu", fpu) + feature("csr", csr) +
           feature("virtual", row("priv", kPrivilege, "int")) + "</target>\n";
}

} // namespace pes::gdb
