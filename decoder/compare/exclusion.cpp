// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/exclusion.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cctype>
#include <fnmatch.h>
#include <optional>
#include <unordered_set>

namespace pes {
namespace {

std::optional<Address> parse_hexadecimal(std::string_view text) {
    return text.starts_with("0x") ? parse_digits(text.substr(2), 16) : std::nullopt;
}

std::uint64_t sum(const AddressTallies& tallies) {
    std::uint64_t total = 0;
    for (const auto& [pc, tally] : tallies) {
        total += tally.samples;
    }
    return total;
}

void subtract(AddressTallies& from, const AddressTallies& part) {
    for (const auto& [pc, tally] : part) {
        const auto found = from.find(pc);
        if (found == from.end()) {
            continue;
        }
        found->second.samples -= std::min(found->second.samples, tally.samples);
        found->second.events -= std::min(found->second.events, tally.events);
        if (found->second.samples == 0) {
            from.erase(found);
        }
    }
}

std::unordered_set<const Function*> find_functions(const std::vector<std::string>& patterns,
                                                   const Symbolizer& symbolizer) {
    std::unordered_set<const Function*> found;
    for (const std::string& pattern : patterns) {
        bool any = false;
        for (const ElfProgram& program : symbolizer.programs()) {
            for (const Function& function : program.functions()) {
                if (function.name == pattern ||
                    ::fnmatch(pattern.c_str(), function.name.c_str(), 0) == 0) {
                    found.insert(&function);
                    any = true;
                }
            }
        }
        if (!any) {
            throw UserError("--exclude got '" + pattern +
                            "', expected a function of the programs, 0xSTART-0xEND, machine "
                            "or none");
        }
    }
    return found;
}

} // namespace

Exclusion::Exclusion(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "none") {
            machine_ = Machine::Never;
        }
    }
    for (const std::string& word : words) {
        if (word == "none") {
            continue;
        }
        if (word == "machine") {
            if (machine_ == Machine::Never) {
                throw UserError("--exclude got machine and none, expected one of them");
            }
            machine_ = Machine::Always;
        } else if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
            const std::size_t dash = std::min(word.find('-'), word.size() - 1);
            const auto begin = parse_hexadecimal(std::string_view(word).substr(0, dash));
            const auto end = parse_hexadecimal(std::string_view(word).substr(dash + 1));
            if (!begin || !end || *begin >= *end) {
                throw UserError("--exclude got '" + word +
                                "', expected 0xSTART-0xEND with the start below the end");
            }
            ranges_.push_back({word, *begin, *end});
        } else {
            functions_.push_back(word);
        }
    }
}

bool Exclusion::leaves_out_machine(const AddressTallies& sampled, const AddressTallies& machine,
                                   const Truth& truth, std::string& why_not) const {
    if (machine_ == Machine::Never) {
        why_not = "--exclude none";
        return false;
    }
    if (!truth.tells_machine) {
        if (machine_ == Machine::Always) {
            throw UserError("--exclude got machine, expected a truth file with the column "
                            "privilege");
        }
        why_not = "the truth does not tell what ran in machine mode";
        return false;
    }
    if (machine_ == Machine::Always) {
        return true;
    }
    why_not = "all samples are of machine mode";
    return sampled.empty() || sum(machine) != sum(sampled);
}

LeftOut Exclusion::apply(AddressTallies& sampled, const AddressTallies& machine, Truth& truth,
                         const Symbolizer& symbolizer) const {
    const std::unordered_set<const Function*> functions = find_functions(functions_, symbolizer);
    LeftOut result;
    result.exact_in_all = sum(truth.exact);
    result.samples_in_all = sum(sampled);
    if (leaves_out_machine(sampled, machine, truth, result.why_nothing)) {
        subtract(sampled, machine);
        subtract(truth.exact, truth.machine);
        result.what.emplace_back("machine mode");
    }
    const auto is_out = [&](const auto& entry) {
        const Address pc = entry.first;
        return std::ranges::any_of(
                   ranges_,
                   [pc](const Range& range) { return pc >= range.begin && pc < range.end; }) ||
               (!functions.empty() && functions.contains(symbolizer.find(pc).function));
    };
    std::erase_if(sampled, is_out);
    std::erase_if(truth.exact, is_out);
    result.what.insert(result.what.end(), functions_.begin(), functions_.end());
    for (const Range& range : ranges_) {
        result.what.push_back(range.text);
    }
    result.exact = result.exact_in_all - sum(truth.exact);
    result.samples = result.samples_in_all - sum(sampled);
    return result;
}

} // namespace pes
