// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/monitor.h"

#include "platform/soc/soc.h"

namespace pes {
namespace {

std::string_view first_word(std::string_view& line) {
    constexpr std::string_view kBlanks = " \t";
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    line.remove_prefix(word.size());
    return word;
}

} // namespace

std::string Monitor::answer(unsigned hart, std::string_view line) {
    const std::string_view verb = first_word(line);
    const std::string_view word = first_word(line);
    if (verb == "help" || verb.empty()) {
        return help();
    }
    if (verb == "cycle") {
        return cycle(hart);
    }
    if (verb == "phys") {
        return set_physical(word);
    }
    return "there is no command '" + std::string(verb) + "', expected one of:\n" + help();
}

std::string Monitor::help() const {
    return "cycle        the cycle and the instructions of this hart\n"
           "phys on|off  whether addresses of memory are physical ones\n";
}

std::string Monitor::cycle(unsigned hart) const {
    const Hart& one = soc_.hart(hart);
    return "hart " + std::to_string(hart) + ": cycle " + std::to_string(one.now()) + ", " +
           std::to_string(one.instret()) + " instructions, " + std::to_string(one.traps()) +
           " traps\n";
}

std::string Monitor::set_physical(std::string_view word) {
    if (word != "on" && word != "off" && !word.empty()) {
        return "phys got '" + std::string(word) + "', expected on or off\n";
    }
    physical_ = word.empty() ? physical_ : word == "on";
    return std::string("addresses are ") +
           (physical_ ? "physical ones\n" : "those of the hart's mode\n");
}

} // namespace pes
