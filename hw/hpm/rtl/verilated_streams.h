// SPDX-License-Identifier: Apache-2.0
// Verilator's streams, on strings instead of files: the saved state of a model, and its dumps.
#pragma once

#include "hw/hpm/rtl_model.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <verilated.h>
#include <verilated_save.h>
#include <verilated_vcd_c.h>

namespace pes {

/// Verilator's save and restore streams, on a string. Its buffer holds 256 KB and is emptied, or
/// filled, whenever less than 16 KB are left.
class StateSave final : public VerilatedSerialize {
  public:
    /// Everything that is saved until flush() goes there.
    void begin(std::string& state) {
        state_ = &state;
        state.clear();
        m_cp = m_bufp;
    }
    void flush() override {
        state_->append(reinterpret_cast<const char*>(m_bufp),
                       static_cast<std::size_t>(m_cp - m_bufp));
        m_cp = m_bufp;
    }

  private:
    std::string* state_ = nullptr;
};

class StateRestore final : public VerilatedDeserialize {
  public:
    explicit StateRestore(std::string_view state) : rest_(state) { m_cp = m_endp = m_bufp; }

  private:
    void fill() override {
        if (rest_.empty()) {
            return;
        }
        const auto kept = static_cast<std::size_t>(m_endp - m_cp);
        std::memmove(m_bufp, m_cp, kept);
        const std::size_t more = std::min(rest_.size(), bufferSize() - kept);
        std::memcpy(m_bufp + kept, rest_.data(), more);
        rest_.remove_prefix(more);
        m_cp = m_bufp;
        m_endp = m_bufp + kept + more;
    }

    std::string_view rest_; ///< not in the buffer yet
};

/// Where Verilator writes its dumps. Its own files end the process, or try for ever, if a write
/// fails; what to do about a full disk is the receiver's business here.
class DumpToText final : public VerilatedVcdFile {
  public:
    explicit DumpToText(RtlModel::DumpText text) : text_(std::move(text)) {}
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t length) override {
        text_({text, static_cast<std::size_t>(length)});
        return length;
    }

  private:
    RtlModel::DumpText text_;
};

} // namespace pes
