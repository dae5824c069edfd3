// SPDX-License-Identifier: Apache-2.0
// The waveform of a lockstep window: the dump of the RTL, with the model's side of the difference
// in a scope of its own, and a save file for GTKWave that shows both.
//
// Up to the cycle of the difference, the model's pins were equal to the RTL's in every cycle, so
// the model's pin is that of the RTL with the model's value at the end. A register has no pin; its
// value in the model is known in the last cycle.
#pragma once

#include "hw/hpm/lockstep_report.h"
#include "platform/host/output_file.h"
#include "platform/soc/waves/gtkwave_save.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

class LockstepWave {
  public:
    LockstepWave(OutputFile& file, const CounterDifference& difference);

    /// Pieces of the RTL's dump, cut anywhere.
    void take(std::string_view text);
    /// Behind the last piece: the model's value.
    void finish();

    /// `wave`: name of the waveform file.
    std::string save_file(const std::string& wave) const;

  private:
    struct Declared {
        std::string path;
        std::string code;
        unsigned width;
        bool is_pin; ///< in the outermost scope
    };

    void take_line(std::string_view line);
    void declaration(std::string_view line);
    void declare_model();
    void value(std::string_view line);
    void emit_model(const std::string& digits);
    void write_time(std::uint64_t time);
    const Declared* pin(std::string_view name) const;
    void add_pins(GtkwaveGroup& group, std::initializer_list<const char*> names) const;
    GtkwaveGroup differing() const;
    GtkwaveGroup of_counter(unsigned index) const;

    OutputFile& file_;
    const CounterDifference& difference_;
    std::string name_; ///< of the model's signal: the pin, or the register
    std::string rest_; ///< a line that is not complete yet
    std::vector<std::string> scopes_;
    std::vector<Declared> declared_;
    std::set<std::string, std::less<>> codes_;
    const Declared* copied_ = nullptr; ///< the pin that differs; null: it is a register
    std::string model_code_;
    unsigned model_width_ = 64;
    bool values_begun_ = false;
    std::uint64_t begin_ = 0;
    std::uint64_t now_ = 0;
    std::uint64_t found_; ///< time of the difference
};

} // namespace pes
