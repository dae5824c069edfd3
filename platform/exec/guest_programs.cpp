// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/guest_programs.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"
#include "platform/program/elf_code.h"
#include "platform/program/mapped_code.h"

#include <algorithm>

namespace pes {
namespace {

constexpr Address kApart = Address{1} << 32; ///< between two places that are tried for a file

bool overlap(const ProgramFile& left, const ProgramFile& right) {
    const auto other = trace::code_mappings(right);
    return std::ranges::any_of(trace::code_mappings(left), [&other](const auto& mine) {
        return std::ranges::any_of(other, [&mine](const auto& theirs) {
            return mine.begin < theirs.begin + theirs.size && theirs.begin < mine.begin + mine.size;
        });
    });
}

/// Takes the text up to a character, and the character.
std::string_view take(std::string_view& text, char end) {
    const std::size_t size = std::min(text.find(end), text.size());
    const std::string_view taken = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    return taken;
}

} // namespace

GuestPrograms::GuestPrograms(std::string_view maps, const FindFile& find,
                             const std::vector<ProgramFile>& taken)
    : taken_(taken) {
    std::map<std::uint64_t, std::string_view> records; // the first process keeps its addresses
    while (!maps.empty()) {
        std::string_view record = take(maps, '\0');
        if (const auto number = parse_digits(take(record, '\n'))) {
            records[*number] = record;
        }
    }
    for (const auto& [number, record] : records) {
        read_process(record, find);
    }
    std::ranges::sort(missing_);
    missing_.erase(std::ranges::unique(missing_).begin(), missing_.end());
}

void GuestPrograms::read_process(std::string_view record, const FindFile& find) {
    Process process;
    while (!record.empty()) {
        const auto code = parse_mapped_code(std::string(take(record, '\n')), "maps");
        if (!code) {
            continue;
        }
        const std::string file = find(code->name);
        std::optional<Address> shift;
        try {
            if (!file.empty()) {
                shift = shift_of(file, trace::load_base(file, code->begin, code->offset));
            }
        } catch (const UserError&) { // it maps code that is no program
        }
        if (shift) {
            process.push_back({.begin = code->begin, .end = code->end, .shift = *shift});
        } else {
            missing_.push_back(code->name);
        }
    }
    processes_.push_back(std::move(process));
}

/// From where a process has the file to its place; it gets one if it has none.
std::optional<Address> GuestPrograms::shift_of(const std::string& path, Address base) {
    const auto known = std::ranges::find(files_, path, &ProgramFile::path);
    if (known != files_.end()) {
        return known->base - base;
    }
    ProgramFile file{.path = path, .base = base, .context = std::nullopt};
    while (!is_free(file)) {
        file.base += kApart;
    }
    files_.push_back(file);
    taken_.push_back(file);
    return file.base - base;
}

bool GuestPrograms::is_free(const ProgramFile& file) const {
    return std::ranges::none_of(taken_,
                                [&file](const ProgramFile& other) { return overlap(file, other); });
}

const GuestPrograms::Mapped* GuestPrograms::mapping_at(const Process& process, Address pc) {
    const auto found = std::ranges::find_if(
        process, [pc](const Mapped& code) { return pc >= code.begin && pc < code.end; });
    return found == process.end() ? nullptr : &*found;
}

void GuestPrograms::learn(const TruthTable& truth) {
    std::map<std::uint64_t, std::map<const Process*, std::uint64_t>> covered;
    truth.each_row([&](TruthRow row) {
        const TruthTable::Key key = truth.key(row);
        if (key.context.privilege != Privilege::User) {
            return;
        }
        for (const Process& process : processes_) {
            if (mapping_at(process, key.pc) != nullptr) {
                covered[key.context.satp][&process] += truth.value(row, TruthTable::kRetired);
            }
        }
    });
    for (const auto& [satp, candidates] : covered) {
        std::uint64_t most = 0;
        for (const Process& process : processes_) {
            const auto found = candidates.find(&process);
            if (found != candidates.end() && found->second > most) {
                most = found->second;
                of_space_[satp] = &process;
            }
        }
    }
}

Address GuestPrograms::place(const TruthTable::Key& key) const {
    const auto process = of_space_.find(key.context.satp);
    const Mapped* const code =
        process == of_space_.end() ? nullptr : mapping_at(*process->second, key.pc);
    return code == nullptr ? key.pc : key.pc + code->shift;
}

} // namespace pes
