// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/vcd_writer.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace pes {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;
constexpr std::uint64_t kPicosecondsPerNanosecond = 1'000;
constexpr SignalId kUnwanted{~std::uint32_t{0}};

/// Identifier codes are numbers in base 94, written with the printable characters from '!'.
std::string code_of(std::size_t index) {
    constexpr std::size_t kBase = 94;
    std::string code;
    do {
        code += static_cast<char>('!' + index % kBase);
        index /= kBase;
    } while (index != 0);
    return code;
}

std::string binary(std::uint64_t value) {
    std::string digits;
    do {
        digits += static_cast<char>('0' + (value & 1));
        value >>= 1;
    } while (value != 0);
    std::ranges::reverse(digits);
    return digits;
}

std::uint64_t mask_of(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::string joined(const std::set<std::string, std::less<>>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

} // namespace

std::set<std::string, std::less<>> parse_groups(std::string_view list) {
    std::set<std::string, std::less<>> groups;
    for (bool more = !list.empty(); more;) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (comma == 0) {
            throw UserError("--vcd-groups: an empty name, expected names separated by commas");
        }
        groups.emplace(list.substr(0, comma));
        more = comma != list.size();
        list.remove_prefix(more ? comma + 1 : comma);
    }
    return groups;
}

VcdWriter::VcdWriter(OutputFile& file, WaveSelection selection, std::uint64_t clock_hz, Cycle slack)
    : file_(file), selection_(std::move(selection)), period_ps_(kPicosecondsPerSecond / clock_hz),
      slack_(slack) {}

bool VcdWriter::wants(std::string_view group) const {
    known_groups_.emplace(group);
    return selection_.groups.empty() || selection_.groups.contains(group);
}

SignalId VcdWriter::declare(std::string_view group, std::string_view scope, std::string_view name,
                            unsigned width, std::uint64_t initial) {
    if (!wants(group)) {
        return kUnwanted;
    }
    signals_.push_back({std::string(scope), std::string(name), width, initial & mask_of(width), 0});
    return static_cast<SignalId>(signals_.size() - 1);
}

void VcdWriter::check_groups() const {
    for (const std::string& group : selection_.groups) {
        if (!known_groups_.contains(group)) {
            throw UserError("--vcd-groups: unknown group '" + group + "', expected one of " +
                            joined(known_groups_));
        }
    }
}

void VcdWriter::change(SignalId signal, Cycle at, std::uint64_t value) {
    if (signal == kUnwanted || at >= selection_.to) {
        return;
    }
    if (at < reached_) {
        ++late_;
        at = reached_;
    }
    waiting_.push({at, order_++, static_cast<std::uint32_t>(signal), value});
    newest_ = std::max(newest_, at);
    if (newest_ > slack_ && newest_ - slack_ > reached_) {
        drain(newest_ - slack_);
    }
}

void VcdWriter::finish(Cycle end) {
    const Cycle last = std::max(end, newest_); // what has begun may end behind the run
    drain(kNever);
    begin_window();
    write_time(std::max(std::min(last, selection_.to), selection_.from));
}

/// Writes every change before cycle `before`.
void VcdWriter::drain(Cycle before) {
    while (!waiting_.empty() && waiting_.top().at < before) {
        const Cycle at = waiting_.top().at;
        if (at > selection_.from) {
            begin_window();
        }
        while (!waiting_.empty() && waiting_.top().at == at) {
            const Change& change = waiting_.top();
            signals_[change.signal].value = change.value & mask_of(signals_[change.signal].width);
            touched_.push_back(change.signal);
            waiting_.pop();
        }
        if (at > selection_.from) {
            write_values(at);
        }
        touched_.clear();
    }
    reached_ = std::max(reached_, before);
}

/// The first thing in the file after the header: every value as it is at the window's start.
void VcdWriter::begin_window() {
    if (window_begun_) {
        return;
    }
    window_begun_ = true;
    write_header();
    write_time(selection_.from);
    emit({"$dumpvars\n"});
    for (std::size_t index = 0; index < signals_.size(); ++index) {
        write_value(index);
    }
    emit({"$end\n"});
}

void VcdWriter::write_header() {
    const bool nanoseconds = period_ps_ % kPicosecondsPerNanosecond == 0;
    emit({"$version pes-vp $end\n$timescale ", nanoseconds ? "1 ns" : "1 ps", " $end\n"});
    std::vector<std::size_t> all(signals_.size());
    std::iota(all.begin(), all.end(), 0);
    write_scope(0, all);
    emit({"$enddefinitions $end\n"});
}

/// `members` share the first `consumed` characters of their scope.
void VcdWriter::write_scope(std::size_t consumed, const std::vector<std::size_t>& members) {
    std::map<std::string, std::vector<std::size_t>> children;
    for (const std::size_t index : members) {
        const Signal& signal = signals_[index];
        if (consumed >= signal.scope.size()) {
            emit({"$var wire ", std::to_string(signal.width), " ", code_of(index), " ", signal.name,
                  " $end\n"});
        } else {
            const std::size_t dot = signal.scope.find('.', consumed);
            children[signal.scope.substr(consumed, dot - consumed)].push_back(index);
        }
    }
    for (const auto& [name, inner] : children) {
        emit({"$scope module ", name, " $end\n"});
        write_scope(consumed + name.size() + 1, inner);
        emit({"$upscope $end\n"});
    }
}

void VcdWriter::write_values(Cycle at) {
    bool time_written = false;
    std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const std::uint32_t index : touched_) {
        if (signals_[index].value == signals_[index].written) {
            continue;
        }
        if (!time_written) {
            write_time(at);
            time_written = true;
        }
        write_value(index);
    }
}

void VcdWriter::write_value(std::size_t index) {
    Signal& signal = signals_[index];
    signal.written = signal.value;
    if (signal.width == 1) {
        emit({signal.value != 0 ? "1" : "0", code_of(index), "\n"});
    } else {
        emit({"b", binary(signal.value), " ", code_of(index), "\n"});
    }
}

void VcdWriter::emit(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        file_.write(part);
    }
}

void VcdWriter::write_time(Cycle at) {
    const bool nanoseconds = period_ps_ % kPicosecondsPerNanosecond == 0;
    const std::uint64_t unit = nanoseconds ? period_ps_ / kPicosecondsPerNanosecond : period_ps_;
    emit({"#", std::to_string(at * unit), "\n"});
}

} // namespace pes
