// SPDX-License-Identifier: Apache-2.0
// A file format for waveforms. The recorder (wave_recorder.h) calls it in the order of the file:
// begin, then for the first time every value, then changes by ascending time, finish.
#pragma once

#include "hw/common/wave.h"
#include "platform/host/output_file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pes {

struct RecordedSignal {
    std::string scope; ///< dotted path
    std::string name;
    unsigned width;
    std::shared_ptr<const WaveTexts> texts; ///< null: shows numbers
    std::uint64_t value;                    ///< at the time reached
    std::uint64_t written;                  ///< as last written to the file
};

enum class TimeUnit : std::uint8_t { Nanosecond, Picosecond };

class WaveFormat {
  public:
    using Signals = std::span<const RecordedSignal>;

    WaveFormat() = default;
    WaveFormat(const WaveFormat&) = delete;
    WaveFormat& operator=(const WaveFormat&) = delete;
    virtual ~WaveFormat() = default;

    /// Declares the signals; `index` below is that of the span.
    virtual void begin(Signals signals, TimeUnit unit) = 0;
    /// In the time units of the file.
    virtual void time(std::uint64_t at) = 0;
    /// Around the values of the first time.
    virtual void begin_values() {}
    virtual void end_values() {}
    virtual void number(std::size_t index, unsigned width, std::uint64_t value) = 0;
    virtual void text(std::size_t index, std::string_view value) = 0;
    virtual void finish() {}
};

/// Receives scopes and signals in the order in which a file declares them: the signals of a scope
/// come before the scopes in it.
struct ScopeVisitor {
    std::function<void(const std::string& name)> begin;
    std::function<void(std::size_t index)> signal;
    std::function<void()> end;
};
void visit_scopes(WaveFormat::Signals signals, const ScopeVisitor& visitor);

/// Value change dump, IEEE 1364-2005 clause 18. Texts are an extension of GTKWave.
std::unique_ptr<WaveFormat> make_vcd_format(OutputFile& file);

/// Fast signal trace, GTKWave's compressed format. Throws UserError if this build cannot write it.
std::unique_ptr<WaveFormat> make_fst_format(OutputFile& file);

/// By the ending of the file's name: FST for ".fst", else VCD.
std::unique_ptr<WaveFormat> make_wave_format(std::string_view name, OutputFile& file);

} // namespace pes
