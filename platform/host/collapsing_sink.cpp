// SPDX-License-Identifier: Apache-2.0
#include "platform/host/collapsing_sink.h"

#include "platform/host/numbers.h"

#include <cctype>

namespace pes {
namespace {

std::string text_of(const spdlog::details::log_msg& message) {
    return {message.payload.data(), message.payload.size()};
}

/// The message without its numbers: what begins with a digit is one, up to the end of the word.
std::string kind_of(const spdlog::details::log_msg& message) {
    std::string kind(message.logger_name.data(), message.logger_name.size());
    kind += ':';
    bool in_number = false;
    bool in_word = false;
    for (const char letter : text_of(message)) {
        const auto code = static_cast<unsigned char>(letter);
        const bool word = std::isalnum(code) != 0;
        in_number = word && (in_number || (!in_word && std::isdigit(code) != 0));
        in_word = word;
        if (!in_number) {
            kind += letter;
        }
    }
    return kind;
}

} // namespace

void CollapsingSink::sink_it_(const spdlog::details::log_msg& message) {
    if (message.level < spdlog::level::warn) { // whoever asks for them wants them all
        to_->log(message);
        return;
    }
    std::string name = kind_of(message);
    if (kinds_.size() >= kMostKinds && !kinds_.contains(name)) {
        name.clear();
    }
    Kind& kind = kinds_[name];
    if (++kind.count <= kShown) {
        to_->log(message);
        return;
    }
    kind.logger.assign(message.logger_name.data(), message.logger_name.size());
    kind.level = message.level;
    kind.last = text_of(message);
    if (kind.count == kShown + 1) {
        put(kind, "more messages of this kind are counted, and told at the end");
    }
}

void CollapsingSink::tell_repetitions() {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kind] : kinds_) {
        if (kind.count > kShown) {
            put(kind, "repeated " + grouped(kind.count) + " times: " + kind.last);
        }
    }
    kinds_.clear();
}

void CollapsingSink::put(const Kind& kind, const std::string& text) {
    to_->log(spdlog::details::log_msg(kind.logger, kind.level, text));
}

} // namespace pes
