// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/lockstep_wave.h"

#include "hw/hpm/rtl_model.h"
#include "platform/host/numbers.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>

namespace pes {
namespace {

constexpr Cycle kShownBefore = 40; // cycles that the save file shows
constexpr unsigned kMachineCycle = 0;
constexpr unsigned kRetired = 2;
constexpr const char* kModelScope = "model";

std::vector<std::string> words_of(std::string_view line) {
    std::istringstream in{std::string(line)};
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

/// "csr_hit_o of mhpmcounter4 (CSR 0xB04)" and "mhpmcounter4 (CSR 0xB04)" begin with a name.
std::string first_word(const std::string& signal) {
    return signal.substr(0, signal.find(' '));
}

std::string binary(std::uint64_t value, unsigned width) {
    std::string digits;
    for (unsigned bit = width; bit-- != 0;) {
        digits += (value >> bit & 1) != 0 ? '1' : '0';
    }
    return digits;
}

/// A code that the dump does not use, as short as its own.
std::string free_code(const std::set<std::string, std::less<>>& used) {
    constexpr char kFirst = '!';
    constexpr char kLast = '~';
    for (std::string code = "!!";; ++code.back()) {
        if (code.back() > kLast) {
            code.back() = kFirst;
            if (++code.front() > kLast) {
                code = std::string(code.size() + 1, kFirst);
            }
        }
        if (!used.contains(code)) {
            return code;
        }
    }
}

} // namespace

LockstepWave::LockstepWave(OutputFile& file, const CounterDifference& difference)
    : file_(file), difference_(difference), name_(first_word(difference.signal)),
      found_(difference.cycle * RtlModel::kTracePerCycle) {}

void LockstepWave::take(std::string_view text) {
    rest_ += text;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos;) {
        take_line(std::string_view(rest_).substr(begin, end - begin));
        begin = end + 1;
    }
    rest_.erase(0, begin);
}

void LockstepWave::take_line(std::string_view line) {
    if (line.find("$enddefinitions") != std::string_view::npos) {
        declare_model();
    } else if (model_code_.empty()) {
        declaration(line);
    }
    file_.write(line);
    file_.write("\n");
    if (line.starts_with('#')) {
        now_ = parse_digits(line.substr(1)).value_or(now_);
        begin_ = values_begun_ ? begin_ : now_;
        if (!values_begun_ && copied_ == nullptr) {
            emit_model("x");
        }
        values_begun_ = true;
    } else if (values_begun_) {
        value(line);
    }
}

void LockstepWave::declaration(std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() >= 3 && words[0] == "$scope") {
        scopes_.push_back(words[2]);
    } else if (!words.empty() && words[0] == "$upscope" && !scopes_.empty()) {
        scopes_.pop_back();
    } else if (words.size() >= 6 && words[0] == "$var") {
        std::string path;
        for (const std::string& scope : scopes_) {
            path += scope + ".";
        }
        const auto width = static_cast<unsigned>(parse_digits(words[2]).value_or(1));
        declared_.push_back({path + words[4], words[3], width, scopes_.size() == 1});
        codes_.insert(words[3]);
    }
}

void LockstepWave::declare_model() {
    copied_ = pin(name_);
    model_code_ = free_code(codes_);
    model_width_ = copied_ != nullptr ? copied_->width : model_width_;
    std::ostringstream scope;
    scope << "$scope module " << kModelScope << " $end\n$var wire " << model_width_ << " "
          << model_code_ << " " << name_ << " $end\n$upscope $end\n";
    file_.write(scope.str());
}

/// "0code" or "b01 code".
void LockstepWave::value(std::string_view line) {
    if (copied_ == nullptr || now_ >= found_ || line.empty()) {
        return;
    }
    const std::size_t space = line.find(' ');
    const bool vector = line.front() == 'b' && space != std::string_view::npos;
    if (line.substr(vector ? space + 1 : 1) == copied_->code) {
        emit_model(std::string(vector ? line.substr(1, space - 1) : line.substr(0, 1)));
    }
}

void LockstepWave::emit_model(const std::string& digits) {
    if (model_width_ == 1) {
        file_.write(digits);
    } else {
        file_.write("b");
        file_.write(digits);
        file_.write(" ");
    }
    file_.write(model_code_);
    file_.write("\n");
}

/// One more cycle, so that the difference can be seen.
void LockstepWave::finish() {
    take("\n");
    if (now_ < found_) {
        write_time(found_);
    }
    found_ = std::max(found_, now_);
    emit_model(binary(difference_.model, model_width_));
    now_ = found_ + RtlModel::kTracePerCycle;
    write_time(now_);
}

void LockstepWave::write_time(std::uint64_t time) {
    file_.write("#");
    file_.write(std::to_string(time));
    file_.write("\n");
}

const LockstepWave::Declared* LockstepWave::pin(std::string_view name) const {
    const auto found = std::ranges::find_if(declared_, [name](const Declared& signal) {
        return signal.is_pin && signal.path.substr(signal.path.rfind('.') + 1) == name;
    });
    return found == declared_.end() ? nullptr : &*found;
}

void LockstepWave::add_pins(GtkwaveGroup& group, std::initializer_list<const char*> names) const {
    for (const char* name : names) {
        if (const Declared* const signal = pin(name)) {
            group.traces.push_back({signal->path, signal->width});
        }
    }
}

/// The read port shows the register of the RTL that is compared.
GtkwaveGroup LockstepWave::differing() const {
    GtkwaveGroup group{difference_.signal + ": " + hex(difference_.model) + " in the model, " +
                           hex(difference_.rtl) + " in the RTL",
                       {{std::string(kModelScope) + "." + name_, model_width_, Radix::Hexadecimal,
                         "model: " + name_}}};
    if (copied_ != nullptr) {
        group.traces.push_back(
            {copied_->path, copied_->width, Radix::Hexadecimal, "RTL: " + name_});
    } else {
        add_pins(group, {"csr_rdata_o", "csr_addr_i"});
    }
    return group;
}

/// What carries the counter's number, once each.
GtkwaveGroup LockstepWave::of_counter(unsigned index) const {
    GtkwaveGroup group{"counter " + std::to_string(index), {}};
    std::string scope = std::to_string(index);
    scope.insert(scope.begin(), '[');
    scope.push_back(']');
    if (index == kMachineCycle || index == kRetired) {
        scope = index == kMachineCycle ? ".i_cycle." : ".i_instret.";
    }
    std::set<std::string_view> shown;
    for (const Declared& signal : declared_) {
        const bool common = signal.path.ends_with(".clk_i") || signal.path.ends_with(".rst_ni");
        if (!common && signal.path.find(scope) != std::string::npos &&
            shown.insert(signal.code).second) {
            group.traces.push_back({signal.path, signal.width});
        }
    }
    return group;
}

std::string LockstepWave::save_file(const std::string& wave) const {
    GtkwaveSave save{.title = "The first difference of model and RTL",
                     .wave = wave,
                     .from = found_ -
                             std::min(found_ - begin_, kShownBefore * RtlModel::kTracePerCycle),
                     .to = now_,
                     .marker = found_,
                     .named = {{"difference", found_}},
                     .groups = {differing()}};
    const std::uint64_t equal = difference_.equal_in * RtlModel::kTracePerCycle;
    if (difference_.found != CounterDifference::Found::AtOnce && equal >= begin_) {
        save.named.push_back({"equal", equal});
        save.from = std::min(save.from, equal);
    }
    constexpr unsigned kCounters = 32;
    for (unsigned index = 0; index < kCounters; ++index) {
        if ((difference_.counters >> index & 1) != 0) {
            save.groups.push_back(of_counter(index));
        }
    }
    GtkwaveGroup inputs{"inputs", {}};
    add_pins(inputs, {"pulses_i", "retire_valid_i", "priv_lvl_i", "csr_addr_i", "csr_we_i",
                      "csr_wdata_i", "csr_rdata_o"});
    save.groups.push_back(std::move(inputs));
    return to_text(save);
}

} // namespace pes
