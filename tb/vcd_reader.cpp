// SPDX-License-Identifier: Apache-2.0
#include "tb/vcd_reader.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <fstream>

namespace pes {

std::string indexed(std::string_view name, unsigned index) {
    return std::string(name).append("(").append(std::to_string(index)).append(")");
}

std::optional<std::uint64_t> WaveSignal::at(Cycle cycle) const {
    const auto after =
        std::ranges::upper_bound(changes_, cycle, {}, [](const Change& c) { return c.at; });
    return after == changes_.begin() ? std::nullopt : std::optional((after - 1)->value);
}

std::optional<Cycle>
WaveSignal::first(Cycle from, const std::function<bool(std::uint64_t value)>& holds) const {
    const std::optional<std::uint64_t> present = at(from);
    if (present && holds(*present)) {
        return from;
    }
    for (const Change& change : changes_) {
        if (change.at > from && holds(change.value)) {
            return change.at;
        }
    }
    return std::nullopt;
}

std::optional<Cycle> WaveSignal::edge(Cycle from, unsigned bit, Edge edge) const {
    const std::uint64_t wanted = edge == Edge::Rise ? 1 : 0;
    for (std::size_t index = 1; index < changes_.size(); ++index) {
        const auto level = [&](std::size_t n) { return changes_[n].value >> bit & 1; };
        if (changes_[index].at >= from && level(index) == wanted && level(index - 1) != wanted) {
            return changes_[index].at;
        }
    }
    return std::nullopt;
}

/// One pass over the words of the file. Declarations come before values (clause 18.2).
class VcdParser {
  public:
    VcdParser(const std::filesystem::path& path, std::uint64_t period_ps)
        : input_(path), period_ps_(period_ps) {
        file_.path_ = path.string();
        if (!input_) {
            throw UserError(file_.path_ + ": cannot be read, expected a waveform file (VCD)");
        }
    }

    VcdFile parse() {
        while (const std::optional<std::string> word = next()) {
            if (word->front() == '$') {
                declaration(*word);
            } else {
                require(declared_, "'" + *word + "' before $enddefinitions");
                value_or_time(*word);
            }
        }
        require(declared_, "no $enddefinitions, expected a waveform file (VCD)");
        require(time_seen_, "no time stamp");
        require(!open_section_, "a section without its $end");
        file_.to_ = now_;
        return std::move(file_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UserError(file_.path_ + ":" + std::to_string(line_) + ": " + what);
    }
    void require(bool holds, const std::string& what) const {
        if (!holds) {
            fail(what);
        }
    }

    std::optional<std::string> next() {
        std::string word;
        for (int c = input_.get(); c != std::char_traits<char>::eof(); c = input_.get()) {
            const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
            if (space && !word.empty()) {
                input_.unget();
                return word;
            }
            line_ += c == '\n' ? 1 : 0;
            if (!space) {
                word += static_cast<char>(c);
            }
        }
        return word.empty() ? std::nullopt : std::optional(word);
    }

    std::vector<std::string> words_to_end(const std::string& keyword) {
        std::vector<std::string> words;
        while (std::optional<std::string> word = next()) {
            if (*word == "$end") {
                return words;
            }
            words.push_back(std::move(*word));
        }
        fail(keyword + " without $end");
    }

    void declaration(const std::string& keyword) {
        if (keyword == "$dumpvars" || keyword == "$dumpall") {
            require(!open_section_, keyword + " inside a section");
            open_section_ = true; // values follow, up to $end
        } else if (keyword == "$end") {
            require(open_section_, "$end without a section");
            open_section_ = false;
        } else if (keyword == "$dumpon" || keyword == "$dumpoff") {
            fail(keyword + " is not supported");
        } else {
            section(keyword, words_to_end(keyword));
        }
    }

    void section(const std::string& keyword, const std::vector<std::string>& words) {
        if (keyword == "$timescale") {
            timescale(words);
        } else if (keyword == "$scope") {
            require(words.size() == 2, "$scope needs a type and a name");
            scopes_.push_back(words[1]);
        } else if (keyword == "$upscope") {
            require(!scopes_.empty(), "$upscope without $scope");
            scopes_.pop_back();
        } else if (keyword == "$var") {
            variable(words);
        } else if (keyword == "$enddefinitions") {
            require(scopes_.empty(), "$enddefinitions inside a $scope");
            require(unit_ps_ != 0, "no $timescale");
            declared_ = true;
        } else {
            require(keyword == "$version" || keyword == "$date" || keyword == "$comment",
                    "unknown section " + keyword);
        }
    }

    /// "1 ns" in one word or two.
    void timescale(const std::vector<std::string>& words) {
        std::string text;
        for (const std::string& word : words) {
            text += word;
        }
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const std::optional<std::uint64_t> count = parse_digits(text.substr(0, digits));
        static const std::map<std::string, std::uint64_t> kUnits{
            {"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}};
        const auto unit = kUnits.find(text.substr(digits));
        require(count && *count != 0 && unit != kUnits.end(),
                "timescale '" + text + "', expected for example 1 ns");
        unit_ps_ = *count * unit->second;
    }

    void variable(const std::vector<std::string>& words) {
        require(words.size() >= 4, "$var needs a type, a width, a code and a name");
        constexpr std::uint64_t kWidest = 64;
        const bool text = words[0] == "string"; // its width says nothing
        const std::optional<std::uint64_t> width = text ? 0 : parse_digits(words[1]);
        require(text || (width && *width >= 1 && *width <= kWidest),
                "width '" + words[1] + "' of " + words[3] + ", expected 1 to 64");
        std::string name;
        for (const std::string& scope : scopes_) {
            name += scope + ".";
        }
        name += words[3]; // a fifth word would be the bit range
        const auto [entry, fresh] = codes_.try_emplace(words[2], file_.signals_.size());
        if (fresh) {
            file_.signals_.emplace_back(static_cast<unsigned>(*width));
        }
        require(file_.signals_[entry->second].width() == *width,
                "code " + words[2] + " is declared with two widths");
        require(file_.by_name_.try_emplace(name, entry->second).second,
                "signal " + name + " is declared twice");
        file_.names_.push_back(std::move(name));
    }

    void value_or_time(const std::string& word) {
        switch (word.front()) {
        case '#':
            time(word);
            break;
        case 'b':
        case 'B':
        case 's': {
            const std::optional<std::string> code = next();
            require(code.has_value(), "a value without its code");
            if (word.front() == 's') {
                text(word.substr(1), *code);
            } else {
                number(word.substr(1), *code);
            }
            break;
        }
        case '0':
        case '1':
            number(word.substr(0, 1), word.substr(1));
            break;
        default:
            fail("'" + word + "', expected a time stamp, a two-valued change or a text");
        }
    }

    void time(const std::string& word) {
        const std::optional<std::uint64_t> stamp = parse_digits(word.substr(1));
        require(stamp.has_value(), "time stamp '" + word + "'");
        const std::uint64_t picoseconds = *stamp * unit_ps_;
        require(picoseconds % period_ps_ == 0,
                word + " is not a whole number of cycles of " + std::to_string(period_ps_) + " ps");
        const Cycle cycle = picoseconds / period_ps_;
        require(!time_seen_ || cycle >= now_, word + " goes back in time");
        file_.from_ = time_seen_ ? file_.from_ : cycle;
        time_seen_ = true;
        now_ = cycle;
    }

    WaveSignal& signal_of(const std::string& code) {
        require(time_seen_, "a value before the first time stamp");
        const auto entry = codes_.find(code);
        require(entry != codes_.end(), "code '" + code + "' is not declared");
        return file_.signals_[entry->second];
    }

    void number(const std::string& digits, const std::string& code) {
        WaveSignal& signal = signal_of(code);
        const std::optional<std::uint64_t> bits = parse_digits(digits, 2);
        require(bits && digits.size() <= signal.width(),
                "value '" + digits + "', expected at most " + std::to_string(signal.width()) +
                    " binary digits");
        change(signal, *bits);
    }

    void text(const std::string& word, const std::string& code) {
        WaveSignal& signal = signal_of(code);
        require(signal.is_text(), "text '" + word + "' for a signal of numbers");
        const auto known = std::ranges::find(signal.texts_, word);
        const auto value = static_cast<std::uint64_t>(known - signal.texts_.begin());
        if (known == signal.texts_.end()) {
            signal.texts_.push_back(word);
        }
        change(signal, value);
    }

    void change(WaveSignal& signal, std::uint64_t value) {
        std::vector<WaveSignal::Change>& changes = signal.changes_;
        if (!changes.empty() && changes.back().at == now_) {
            changes.back().value = value;
        } else {
            changes.push_back({now_, value});
        }
    }

    std::ifstream input_;
    std::uint64_t period_ps_;
    VcdFile file_;
    std::map<std::string, std::size_t> codes_;
    std::vector<std::string> scopes_;
    std::uint64_t unit_ps_ = 0;
    unsigned line_ = 1;
    Cycle now_ = 0;
    bool declared_ = false;
    bool time_seen_ = false;
    bool open_section_ = false;
};

VcdFile VcdFile::read(const std::filesystem::path& path, std::uint64_t period_ps) {
    return VcdParser(path, period_ps).parse();
}

const WaveSignal* VcdFile::find(std::string_view name) const {
    const auto entry = by_name_.find(name);
    return entry == by_name_.end() ? nullptr : &signals_[entry->second];
}

const WaveSignal& VcdFile::signal(std::string_view name) const {
    const WaveSignal* const signal = find(name);
    if (signal == nullptr) {
        throw UserError(path_ + ": no signal " + std::string(name));
    }
    return *signal;
}

} // namespace pes
