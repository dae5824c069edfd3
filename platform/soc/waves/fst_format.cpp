// SPDX-License-Identifier: Apache-2.0
// Through GTKWave's own library. Like the VCD, the file depends on nothing but the run.
#include "platform/soc/waves/fst_files.h"
#include "platform/soc/waves/wave_format.h"

#include <fstapi.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <unistd.h>
#include <vector>

namespace pes {
namespace {

constexpr int kNanosecond = -9; // powers of ten
constexpr int kPicosecond = -12;
constexpr int kCompressDeclarations = 1;

class FstFormat final : public WaveFormat {
  public:
    explicit FstFormat(OutputFile& file) : file_(file) {}
    ~FstFormat() override { close(); }

    void begin(Signals signals, TimeUnit unit) override {
        library_ = fstWriterCreate(FstFiles::kResult, kCompressDeclarations);
        if (library_ == nullptr) {
            return; // the files know why
        }
        fstWriterSetPackType(library_, FST_WR_PT_ZLIB);
        fstWriterSetVersion(library_, "pes-vp");
        fstWriterSetDate(library_, "");
        fstWriterSetTimescale(library_, unit == TimeUnit::Nanosecond ? kNanosecond : kPicosecond);
        handles_.resize(signals.size());
        visit_scopes(signals, {.begin =
                                   [this](const std::string& name) {
                                       fstWriterSetScope(library_, FST_ST_VCD_MODULE, name.c_str(),
                                                         nullptr);
                                   },
                               .signal = [&](std::size_t index) { declare(index, signals[index]); },
                               .end = [this] { fstWriterSetUpscope(library_); }});
    }
    void time(std::uint64_t at) override {
        if (library_ != nullptr) {
            fstWriterEmitTimeChange(library_, at);
        }
    }
    void number(std::size_t index, unsigned width, std::uint64_t value) override {
        if (library_ != nullptr) {
            fstWriterEmitValueChange64(library_, handles_[index], width, value);
        }
    }
    void text(std::size_t index, std::string_view value) override {
        if (library_ != nullptr) {
            fstWriterEmitVariableLengthValueChange(library_, handles_[index], value.data(),
                                                   static_cast<std::uint32_t>(value.size()));
        }
    }
    void finish() override {
        close();
        if (files_.error() != 0) {
            file_.fail(files_.error());
        } else if (files_.result()) {
            copy(files_.result()->get());
        }
    }

  private:
    void declare(std::size_t index, const RecordedSignal& signal) {
        const bool text = signal.texts != nullptr;
        handles_[index] =
            fstWriterCreateVar(library_, text ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE,
                               FST_VD_IMPLICIT, text ? 0 : signal.width, signal.name.c_str(), 0);
    }
    void close() {
        if (library_ != nullptr) {
            fstWriterClose(library_);
            library_ = nullptr;
        }
    }
    void copy(int from) {
        constexpr std::size_t kPiece = 65'536;
        std::array<std::byte, kPiece> piece{};
        off_t at = 0;
        for (ssize_t got = 0; (got = ::pread(from, piece.data(), piece.size(), at)) != 0;) {
            if (got < 0) {
                file_.fail(errno);
                return;
            }
            file_.write(std::span(piece).first(static_cast<std::size_t>(got)));
            at += got;
        }
    }

    OutputFile& file_;
    FstFiles files_; ///< outlives the library's use of them
    void* library_ = nullptr;
    std::vector<fstHandle> handles_; ///< by index
};

} // namespace

std::unique_ptr<WaveFormat> make_fst_format(OutputFile& file) {
    return std::make_unique<FstFormat>(file);
}

} // namespace pes
