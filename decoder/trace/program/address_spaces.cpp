// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/program/address_spaces.h"

#include <algorithm>

namespace pes::trace {
namespace {

constexpr std::size_t kUnknown = 0;
constexpr std::size_t kWithoutProgram = 1;
constexpr std::size_t kFirstProcess = 2;

} // namespace

AddressSpaces::AddressSpaces(const std::vector<ElfProgram>& programs) {
    for (const ElfProgram& program : programs) {
        if (program.file().context) {
            processes_.push_back(*program.file().context);
        }
    }
    std::sort(processes_.begin(), processes_.end());
    processes_.erase(std::unique(processes_.begin(), processes_.end()), processes_.end());
}

void AddressSpaces::enter(std::uint16_t source, std::uint64_t context) {
    current_[source] = context;
}

AddressSpaces::Context AddressSpaces::current(std::uint16_t source) const {
    const auto known = current_.find(source);
    return known == current_.end() ? std::nullopt : Context(known->second);
}

std::size_t AddressSpaces::of(std::uint16_t source) const {
    if (processes_.empty()) {
        return kUnknown; // every process finds the same
    }
    const Context context = current(source);
    if (!context) {
        return kUnknown;
    }
    const auto process = std::lower_bound(processes_.begin(), processes_.end(), *context);
    const bool has_program = process != processes_.end() && *process == *context;
    return has_program ? kFirstProcess + static_cast<std::size_t>(process - processes_.begin())
                       : kWithoutProgram;
}

AddressSpaces::Context AddressSpaces::context(std::size_t space) const {
    if (space == kUnknown) {
        return std::nullopt;
    }
    if (space >= kFirstProcess) {
        return processes_[space - kFirstProcess];
    }
    std::uint64_t unused = 0; // any number that is no process with a program
    for (const std::uint64_t process : processes_) {
        unused += process == unused ? 1 : 0;
    }
    return unused;
}

} // namespace pes::trace
