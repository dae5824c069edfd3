// SPDX-License-Identifier: Apache-2.0
// A tree that a program makes up: what it does not define is refused.
#include "tests/unit/platform/share/share_client.h"

#include <dirent.h>
#include <sys/stat.h>

namespace pes {
namespace {

using test::Client;
using test::Fields;

/// Reads from one text and appends to another, whatever the offset.
class Stream : public ShareNode {
  public:
    Stream(std::string in, std::string& out, std::uint64_t number)
        : in_(std::move(in)), out_(out), number_(number) {}

    ShareAttributes attributes() override {
        return {.id = {.type = ShareId::kFile, .version = 0, .path = number_},
                .mode = S_IFREG | 0666};
    }
    std::unique_ptr<ShareFile> open(const ShareOpen& /*how*/) override {
        class Open : public ShareFile {
          public:
            explicit Open(Stream& stream) : stream_(stream) {}
            std::size_t read(std::uint64_t offset, std::span<std::byte> to) override {
                const std::string part =
                    offset < stream_.in_.size() ? stream_.in_.substr(offset, to.size()) : "";
                std::ranges::copy(std::as_bytes(std::span(part)), to.begin());
                return part.size();
            }
            std::size_t write(std::uint64_t /*offset*/, std::span<const std::byte> from) override {
                stream_.out_.append(reinterpret_cast<const char*>(from.data()), from.size());
                return from.size();
            }

          private:
            Stream& stream_;
        };
        return std::make_unique<Open>(*this);
    }

  private:
    const std::string in_;
    std::string& out_;
    const std::uint64_t number_;
};

class Root : public ShareNode, public std::enable_shared_from_this<Root> {
  public:
    ShareAttributes attributes() override {
        return {.id = {.type = ShareId::kDirectory, .version = 0, .path = 1},
                .mode = S_IFDIR | 0555};
    }
    std::unique_ptr<ShareFile> open(const ShareOpen& /*how*/) override {
        class Open : public ShareFile {
            std::vector<ShareEntry> entries() override {
                return {{.id = {}, .type = DT_DIR, .name = "."},
                        {.id = {}, .type = DT_DIR, .name = ".."},
                        {.id = {}, .type = DT_REG, .name = "stream"}};
            }
        };
        return std::make_unique<Open>();
    }
    std::shared_ptr<ShareNode> child(const std::string& name) override {
        if (name != "stream") {
            throw ShareError(ENOENT);
        }
        return std::make_shared<Stream>("for the guest", out, 2);
    }

    std::string out;
};

TEST(MadeUpTree, IsServedByTheSameProtocol) {
    const auto root = std::make_shared<Root>();
    Client client(root);
    EXPECT_EQ(client.content({"stream"}), "for the guest");
    EXPECT_EQ(client.content({"none"}), std::to_string(ENOENT));
    client.walk(1, {"stream"});
    EXPECT_EQ(client.open(1, 01 | 01000), 0);
    EXPECT_EQ(client.write(1, "one "), 0);
    EXPECT_EQ(client.write(1, "two"), 0);
    EXPECT_EQ(root->out, "one two");
    client.walk(2, {});
    EXPECT_EQ(client.open(2, 0), 0);
    EXPECT_EQ(client.list(2), (std::vector<std::string>{".", "..", "stream"}));
    EXPECT_EQ(client.walk(3, {"..", "..", "stream"}), 0);
    EXPECT_EQ(client.walk(4, {"stream", "below"}), ENOENT);
}

TEST(MadeUpTree, RefusesWhatItDoesNotDefine) {
    Client client(std::make_shared<Root>());
    client.walk(1, {"stream"});
    EXPECT_EQ(client.create(1, "x", 0101, 0644), EROFS);
    EXPECT_EQ(client.ask(72, Fields().u32(0).text("d").u32(0755).u32(0)).error, EROFS);
    EXPECT_EQ(client.ask(16, Fields().u32(0).text("s").text("x").u32(0)).error, EROFS);
    EXPECT_EQ(client.ask(70, Fields().u32(0).u32(1).text("h")).error, EROFS);
    EXPECT_EQ(client.ask(74, Fields().u32(0).text("stream").u32(0).text("f")).error, EROFS);
    EXPECT_EQ(client.ask(76, Fields().u32(0).text("stream").u32(0)).error, EROFS);
    EXPECT_EQ(client.ask(22, Fields().u32(1)).error, EINVAL);
    EXPECT_EQ(client.ask(122, Fields().u32(1)).error, EROFS);
}

} // namespace
} // namespace pes
