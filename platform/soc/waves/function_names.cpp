// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/function_names.h"

#include <utility>

namespace pes {

FunctionNames::FunctionNames(std::function<std::string(Address)> name_of)
    : name_of_(std::move(name_of)), names_{kOutsideText} {}

std::uint64_t FunctionNames::number_of(Address pc) {
    const auto [entry, fresh] = known_.try_emplace(pc, kOutside);
    if (fresh) {
        entry->second = look_up(pc);
    }
    return entry->second;
}

std::uint64_t FunctionNames::look_up(Address pc) {
    std::string name = name_of_(pc);
    if (name.empty()) {
        return kOutside;
    }
    const auto [entry, fresh] = numbers_.try_emplace(std::move(name), names_.size());
    if (fresh) {
        names_.push_back(entry->first);
    }
    return entry->second;
}

std::string_view FunctionNames::text_of(std::uint64_t number) const {
    return names_.at(number);
}

void FunctionNames::state(Archive& archive) {
    std::vector<std::string> names(names_.begin(), names_.end());
    archive(names);
    if (archive.saves()) {
        return;
    }
    if (names.empty()) {
        archive.refuse("the functions of a waveform are missing");
    }
    known_.clear();
    numbers_.clear();
    names_ = {kOutsideText};
    for (std::size_t number = 1; number < names.size(); ++number) {
        const auto [entry, fresh] = numbers_.try_emplace(std::move(names[number]), number);
        if (!fresh) {
            archive.refuse("a function of a waveform has two numbers");
        }
        names_.push_back(entry->first);
    }
}

} // namespace pes
