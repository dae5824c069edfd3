// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/csr_tables.h"

#include "hw/core/arch/csr_table.h"

#include <fmt/format.h>

namespace pes::pages {
namespace {

const char* lowest_mode(const CsrRow& row) {
    constexpr const char* kModes[] = {"U", "S", "-", "M"};
    return kModes[row.first >> 8 & 3];
}

const char* needs(CsrGuard guard) {
    switch (guard) {
    case CsrGuard::FloatOn:
        return "mstatus.FS is not 0";
    case CsrGuard::TranslationOpen:
        return "M-mode, or mstatus.TVM = 0";
    case CsrGuard::SupervisorTimer:
        return "`extensions.sstc`; M-mode, or menvcfg.STCE = 1 and mcounteren.TM = 1";
    case CsrGuard::Indirect:
        return "`extensions.smcsrind`";
    case CsrGuard::SupervisorIndirect:
        return "`extensions.smcsrind`; M-mode, or mstateen0.CSRIND = 1";
    case CsrGuard::SupervisorIndirectAlias:
        return "`extensions.smcsrind`; M-mode, or mstateen0.CSRIND = 1, and with "
               "`extensions.smctr` at siselect 0x200..0x2FF also mstateen0.CTR = 1";
    case CsrGuard::CounterDelegation:
        return "`extensions.smcdeleg`; menvcfg.CDE = 1";
    case CsrGuard::DelegationBelowMachine:
        return "M-mode, or menvcfg.CDE = 1";
    case CsrGuard::StateEnable:
        return "`extensions.smstateen`";
    case CsrGuard::SupervisorStateEnable:
        return "`extensions.smstateen`; M-mode, or mstateen0.SE0 = 1";
    case CsrGuard::NoStateEnable:
        return "`extensions.smstateen`; M-mode";
    case CsrGuard::SupervisorEnvironment:
        return "M-mode, or mstateen0.ENVCFG = 1 (`extensions.smstateen`)";
    case CsrGuard::TransferRecords:
        return "M-mode, or mstateen0.CTR = 1";
    case CsrGuard::ManyProtections:
        return "`hart.pmp_entries` more than 16";
    case CsrGuard::None:
        break;
    }
    return "";
}

const char* after_write(CsrEffect effect) {
    switch (effect) {
    case CsrEffect::Refetch:
        return "the next instruction is fetched again";
    case CsrEffect::DataAccess:
        return "the next instruction is fetched again, data is accessed with the new privilege";
    case CsrEffect::Translation:
        return "the next instruction is fetched again, cached translations are dropped";
    case CsrEffect::Protection:
        return "cached translations and host pages are dropped";
    case CsrEffect::Timer:
        return "the machine timer compares with the new value";
    case CsrEffect::None:
        break;
    }
    return "";
}

const char* in_blocks(CsrUse use) {
    switch (use) {
    case CsrUse::ReadAndWrite:
        return "reads and writes, anywhere";
    case CsrUse::Read:
        return "reads, anywhere";
    case CsrUse::WriteLast:
        return "reads, anywhere; writes, as the last instruction";
    case CsrUse::LastRead:
        return "reads, as the last instruction";
    case CsrUse::Never:
        break;
    }
    return "never";
}

} // namespace

std::string hart_csrs() {
    std::string text = "| CSR | number | lowest mode | needs | after a write | in a block |\n"
                       "| --- | --- | --- | --- | --- | --- |\n";
    for (const CsrRow& row : kCsrRows) {
        const std::string last = row.last == row.first ? "" : fmt::format("..0x{:03X}", row.last);
        text += fmt::format("| `{}` | 0x{:03X}{} | {} | {} | {} | {} |\n", row.name, row.first,
                            last, lowest_mode(row), needs(row.guard), after_write(row.effect),
                            in_blocks(row.use));
    }
    return text;
}

} // namespace pes::pages
