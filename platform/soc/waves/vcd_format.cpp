// SPDX-License-Identifier: Apache-2.0
// The file depends on nothing but the run: no date, no host name.
#include "platform/soc/waves/wave_format.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace pes {
namespace {

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

/// A text as one word, as GTKWave reads and writes it: what is not visible becomes "\" and three
/// octal digits; quotation marks, "?" and "\" get a "\".
std::string word_of(std::string_view text) {
    constexpr std::string_view kMarked = "'\"\\?";
    std::string word;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte <= ' ' || byte > '~') {
            word += '\\';
            for (const unsigned shift : {6U, 3U, 0U}) {
                word += static_cast<char>('0' + (byte >> shift & 7U));
            }
        } else {
            word += kMarked.find(character) != std::string_view::npos ? "\\" : "";
            word += character;
        }
    }
    return word;
}

class VcdFormat final : public WaveFormat {
  public:
    explicit VcdFormat(OutputFile& file) : file_(file) {}

    void begin(Signals signals, TimeUnit unit) override {
        assign_codes(signals);
        emit({"$version pes-vp $end\n$timescale ", unit == TimeUnit::Nanosecond ? "1 ns" : "1 ps",
              " $end\n"});
        visit_scopes(signals,
                     {.begin =
                          [this](const std::string& name) {
                              emit({"$scope module ", name, " $end\n"});
                          },
                      .signal = [&](std::size_t index) { declare(signals[index], codes_[index]); },
                      .end = [this] { emit({"$upscope $end\n"}); }});
        emit({"$enddefinitions $end\n"});
    }
    void time(std::uint64_t at) override { emit({"#", std::to_string(at), "\n"}); }
    void begin_values() override { emit({"$dumpvars\n"}); }
    void end_values() override { emit({"$end\n"}); }
    void number(std::size_t index, unsigned width, std::uint64_t value) override {
        if (width == 1) {
            emit({value != 0 ? "1" : "0", codes_[index], "\n"});
        } else {
            emit({"b", binary(value), " ", codes_[index], "\n"});
        }
    }
    void text(std::size_t index, std::string_view value) override {
        emit({"s", word_of(value), " ", codes_[index], "\n"});
    }

  private:
    /// Texts behind numbers, so that a text more or less changes no other line.
    void assign_codes(Signals signals) {
        codes_.resize(signals.size());
        std::size_t next = 0;
        for (const bool texts : {false, true}) {
            for (std::size_t index = 0; index < signals.size(); ++index) {
                if ((signals[index].texts != nullptr) == texts) {
                    codes_[index] = code_of(next++);
                }
            }
        }
    }
    void declare(const RecordedSignal& signal, std::string_view code) {
        if (signal.texts != nullptr) {
            emit({"$var string 1 ", code, " ", signal.name, " $end\n"});
        } else {
            emit({"$var wire ", std::to_string(signal.width), " ", code, " ", signal.name,
                  " $end\n"});
        }
    }
    void emit(std::initializer_list<std::string_view> parts) {
        for (const std::string_view part : parts) {
            file_.write(part);
        }
    }

    OutputFile& file_;
    std::vector<std::string> codes_; ///< by index
};

} // namespace

std::unique_ptr<WaveFormat> make_vcd_format(OutputFile& file) {
    return std::make_unique<VcdFormat>(file);
}

} // namespace pes
