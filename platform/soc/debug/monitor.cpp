// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/monitor.h"

#include "hw/hpm/counter_names.h"
#include "platform/host/numbers.h"
#include "platform/soc/outputs/privilege_letter.h"
#include "platform/soc/soc.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <vector>

namespace pes {
namespace {

constexpr int kNumberWidth = 20;

std::string_view first_word(std::string_view& line) {
    constexpr std::string_view kBlanks = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    line.remove_prefix(word.size());
    return word;
}

/// What of a row's cycles is most.
CycleReason main_reason(const TruthTable& table, TruthRow row) {
    std::size_t most = 0;
    for (std::size_t reason = 1; reason < kCycleReasons; ++reason) {
        const auto halves = [&](std::size_t which) {
            return table.value(row, TruthTable::column_of(static_cast<CycleReason>(which)));
        };
        most = halves(reason) > halves(most) ? reason : most;
    }
    return static_cast<CycleReason>(most);
}

} // namespace

constexpr Monitor::Command Monitor::kCommands[] = {
    {"cycle", "cycle", "cycle, instructions and traps of this hart", &Monitor::cycle},
    {"counters", "counters", "its counters, and its events since reset", &Monitor::counters},
    {"truth", "truth [N]", "the N instructions with most cycles, 20 of them", &Monitor::truth},
    {"checkpoint", "checkpoint FILE", "saves the platform before the next instruction",
     &Monitor::checkpoint},
    {"phys", "phys on|off", "whether addresses of memory are physical ones",
     &Monitor::set_physical},
    {"help", "help", "these commands", &Monitor::help},
};

std::string Monitor::answer(unsigned hart, std::string_view line) {
    const std::string_view verb = first_word(line);
    const std::string_view word = first_word(line);
    const std::string_view name = verb.empty() ? "help" : verb;
    const auto* const command = std::ranges::find(kCommands, name, &Command::name);
    if (command == std::end(kCommands)) {
        return "there is no command '" + std::string(verb) + "', expected one of:\n" +
               help(hart, {});
    }
    return (this->*command->run)(hart, word);
}

std::string Monitor::help(unsigned /*hart*/, std::string_view /*word*/) {
    std::ostringstream out;
    for (const Command& command : kCommands) {
        out << std::left << std::setw(kNumberWidth) << command.usage << command.meaning << '\n';
    }
    return out.str();
}

std::string Monitor::cycle(unsigned hart, std::string_view /*word*/) {
    const Hart& one = soc_.hart(hart);
    return "hart " + std::to_string(hart) + ": cycle " + std::to_string(one.now()) + ", " +
           std::to_string(one.instret()) + " instructions, " + std::to_string(one.traps()) +
           " traps\n";
}

/// Counters with an event, and every event of the profile that has happened.
std::string Monitor::counters(unsigned hart, std::string_view /*word*/) {
    Hart& one = soc_.hart(hart);
    const PmuProfile& profile = *soc_.config().counters.profile;
    std::ostringstream out;
    for (unsigned index = 0; index < kCounterLimit; ++index) {
        const auto value =
            one.has_csr(counter_csr(index)) ? one.peek_csr(counter_csr(index)) : std::nullopt;
        const bool fixed = index < kFirstProgrammable;
        const std::uint64_t selector =
            fixed ? 0 : one.peek_csr(event_csr(index)).value_or(0) & profile.selector_mask;
        if (value && (fixed || selector != 0)) {
            out << std::right << std::setw(kNumberWidth) << *value << "  " << counter_name(index)
                << (fixed ? "" : ": " + events_of(profile, selector)) << '\n';
        }
    }
    const EventTotals totals = one.totals();
    out << "events since reset:\n";
    for (const EventRow& row : profile) {
        const auto source = static_cast<std::size_t>(row.source); // cycles and the like lie behind
        if (row.source != Event::None && source < kEventCount && totals.events[source] != 0) {
            out << std::right << std::setw(kNumberWidth) << totals.events[source] << "  "
                << row.name << '\n';
        }
    }
    return out.str();
}

std::string Monitor::truth(unsigned hart, std::string_view word) {
    constexpr std::uint64_t kRows = 20;
    const auto wanted = word.empty() ? kRows : parse_digits(word);
    const TruthTable* const table = soc_.hart(hart).truth_so_far();
    if (!wanted) {
        return "truth got '" + std::string(word) + "', expected a number of instructions\n";
    }
    if (table == nullptr) {
        return "there is no exact profile in this run, expected the option --truth\n";
    }
    std::vector<TruthRow> rows = table->sorted_rows();
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [table](TruthRow row) { return table->half_cycles(row); });
    rows.resize(std::min<std::uint64_t>(rows.size(), *wanted));
    std::ostringstream out;
    for (const TruthRow row : rows) {
        const TruthTable::Key key = table->key(row);
        out << std::right << std::setw(kNumberWidth) << table->half_cycles(row) / 2 << " cycles"
            << std::setw(kNumberWidth) << table->value(row, TruthTable::kRetired) << " times  "
            << letter_of(key.context.privilege) << ' ' << hex(key.pc) << ' '
            << to_string(main_reason(*table, row)) << ' ' << hooks_.name_of_pc(key.pc) << '\n';
    }
    return out.str();
}

std::string Monitor::checkpoint(unsigned hart, std::string_view word) {
    if (word.empty()) {
        return "checkpoint got nothing, expected a file name\n";
    }
    return hooks_.save(hart, std::string(word)) + "\n";
}

std::string Monitor::set_physical(unsigned /*hart*/, std::string_view word) {
    if (word != "on" && word != "off" && !word.empty()) {
        return "phys got '" + std::string(word) + "', expected on or off\n";
    }
    physical_ = word.empty() ? physical_ : word == "on";
    return std::string("addresses are ") +
           (physical_ ? "physical ones\n" : "those of the hart's mode\n");
}

} // namespace pes
