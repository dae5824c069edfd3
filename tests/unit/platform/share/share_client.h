// SPDX-License-Identifier: Apache-2.0
// Speaks 9P2000.L with a server, byte by byte as the protocol's description has it.
#pragma once

#include "platform/share/share_server.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes::test {

/// Fields of a request.
class Fields {
  public:
    Fields& u8(std::uint8_t value) { return number(value, 1); }
    Fields& u16(std::uint16_t value) { return number(value, 2); }
    Fields& u32(std::uint32_t value) { return number(value, 4); }
    Fields& u64(std::uint64_t value) { return number(value, 8); }
    Fields& text(std::string_view value) {
        u16(static_cast<std::uint16_t>(value.size()));
        return data(value);
    }
    Fields& data(std::string_view value) {
        for (const char letter : value) {
            bytes.push_back(static_cast<std::byte>(letter));
        }
        return *this;
    }
    Fields& number(std::uint64_t value, unsigned size) {
        for (unsigned index = 0; index < size; ++index) {
            bytes.push_back(static_cast<std::byte>(value >> 8 * index));
        }
        return *this;
    }

    std::vector<std::byte> bytes;
};

/// An answer, read from the front.
class Answer {
  public:
    explicit Answer(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

    std::uint64_t number(unsigned size) {
        std::uint64_t value = 0;
        for (unsigned index = 0; index < size; ++index) {
            value |= std::to_integer<std::uint64_t>(bytes_.at(place_++)) << 8 * index;
        }
        return value;
    }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    std::string data(std::size_t size) {
        std::string text;
        for (std::size_t index = 0; index < size; ++index) {
            text += static_cast<char>(bytes_.at(place_++));
        }
        return text;
    }
    std::string text() { return data(number(2)); }
    ShareId id() {
        ShareId id;
        id.type = static_cast<std::uint8_t>(number(1));
        id.version = u32();
        id.path = u64();
        return id;
    }
    bool at_end() const { return place_ == bytes_.size(); }

    int error = 0; ///< of Rlerror

  private:
    std::vector<std::byte> bytes_;
    std::size_t place_ = 0;
};

class Client {
  public:
    explicit Client(std::shared_ptr<ShareNode> root) : server(std::move(root)) {
        Answer answer = ask(100, Fields().u32(8192).text("9P2000.L"));
        EXPECT_EQ(answer.u32(), 8192U);
        EXPECT_EQ(answer.text(), "9P2000.L");
        EXPECT_EQ(ask(104, Fields().u32(0).u32(~0U).text("root").text("/").u32(0)).error, 0);
    }

    /// Sends a message of this type. Checks size, type and tag of the answer.
    Answer ask(std::uint8_t type, const Fields& fields) {
        ++tag_;
        Fields message;
        message.u32(static_cast<std::uint32_t>(7 + fields.bytes.size())).u8(type).u16(tag_);
        message.bytes.insert(message.bytes.end(), fields.bytes.begin(), fields.bytes.end());
        std::vector<std::byte> reply(16384);
        reply.resize(server.answer(message.bytes, reply));
        Answer answer(reply);
        EXPECT_EQ(answer.u32(), reply.size());
        const auto answer_type = answer.number(1);
        EXPECT_EQ(answer.number(2), tag_);
        if (answer_type == 7) {
            answer.error = static_cast<int>(answer.u32());
            EXPECT_TRUE(answer.at_end());
        } else {
            EXPECT_EQ(answer_type, type + 1U);
        }
        return answer;
    }

    /// The error, or 0.
    int walk(std::uint32_t to, const std::vector<std::string>& names, std::uint32_t from = 0) {
        Fields fields;
        fields.u32(from).u32(to).u16(static_cast<std::uint16_t>(names.size()));
        for (const std::string& name : names) {
            fields.text(name);
        }
        Answer answer = ask(110, fields);
        if (answer.error == 0 && answer.number(2) < names.size()) {
            return ENOENT;
        }
        return answer.error;
    }
    int open(std::uint32_t fid, std::uint32_t flags) {
        return ask(12, Fields().u32(fid).u32(flags)).error;
    }
    std::string read(std::uint32_t fid, std::uint64_t offset = 0, std::uint32_t count = 8000) {
        Answer answer = ask(116, Fields().u32(fid).u64(offset).u32(count));
        return answer.error == 0 ? answer.data(answer.u32()) : std::to_string(answer.error);
    }
    int write(std::uint32_t fid, std::string_view text, std::uint64_t offset = 0) {
        Answer answer = ask(
            118,
            Fields().u32(fid).u64(offset).u32(static_cast<std::uint32_t>(text.size())).data(text));
        EXPECT_TRUE(answer.error != 0 || answer.u32() == text.size());
        return answer.error;
    }
    int create(std::uint32_t fid, const std::string& name, std::uint32_t flags, unsigned mode) {
        return ask(14, Fields().u32(fid).text(name).u32(flags).u32(mode).u32(0)).error;
    }
    int clunk(std::uint32_t fid) { return ask(120, Fields().u32(fid)).error; }
    /// A whole file, by its path from the root.
    std::string content(const std::vector<std::string>& names) {
        if (const int error = walk(999, names); error != 0) {
            return std::to_string(error);
        }
        std::string text = std::to_string(open(999, 0));
        text = text == "0" ? read(999) : text;
        clunk(999);
        return text;
    }
    /// Names of a directory, in the order of the answers, which have `count` bytes at most.
    std::vector<std::string> list(std::uint32_t fid, std::uint32_t count = 4000) {
        std::vector<std::string> names;
        std::uint64_t offset = 0;
        for (;;) {
            Answer answer = ask(40, Fields().u32(fid).u64(offset).u32(count));
            EXPECT_EQ(answer.error, 0);
            if (answer.error != 0 || answer.u32() == 0) {
                return names;
            }
            while (!answer.at_end()) {
                answer.id();
                offset = answer.u64();
                answer.number(1);
                names.push_back(answer.text());
            }
        }
    }

    ShareServer server;

  private:
    std::uint16_t tag_ = 0;
};

} // namespace pes::test
