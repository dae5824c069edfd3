// SPDX-License-Identifier: Apache-2.0
// A guest decides how often it makes a mistake, so only the first messages of a kind are printed;
// the others are counted, and told in one line at the end.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace pes {

/// Messages are of one kind if they come from one module and differ in numbers only.
class CollapsingSink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    static constexpr std::uint64_t kShown = 10;   ///< of a kind
    static constexpr std::size_t kMostKinds = 64; ///< those beyond are one kind together

    explicit CollapsingSink(spdlog::sink_ptr to) : to_(std::move(to)) {}

    /// One message for each kind of which not all were shown: how many, and the last one.
    void tell_repetitions();

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override;
    void flush_() override { to_->flush(); }
    void set_formatter_(std::unique_ptr<spdlog::formatter> formatter) override {
        to_->set_formatter(std::move(formatter));
    }

  private:
    struct Kind {
        std::uint64_t count = 0;
        std::string logger{};
        spdlog::level::level_enum level = spdlog::level::warn;
        std::string last{};
    };

    void put(const Kind& kind, const std::string& text);

    spdlog::sink_ptr to_;
    std::map<std::string, Kind> kinds_;
};

} // namespace pes
