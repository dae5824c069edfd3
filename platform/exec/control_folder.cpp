// SPDX-License-Identifier: Apache-2.0
#include "platform/exec/control_folder.h"

#include <algorithm>
#include <sys/stat.h>

namespace pes {
namespace {

class ControlStream final : public ShareFile {
  public:
    explicit ControlStream(const ControlFile& file) : file_(file) {}

    std::size_t read(std::uint64_t /*offset*/, std::span<std::byte> to) override {
        if (!file_.read) {
            throw ShareError(EBADF);
        }
        return file_.read(to);
    }
    std::size_t write(std::uint64_t /*offset*/, std::span<const std::byte> from) override {
        if (!file_.write) {
            throw ShareError(EBADF);
        }
        return file_.write(from);
    }

  private:
    const ControlFile& file_;
};

class ControlNode final : public ShareNode {
  public:
    ControlNode(const ControlFile& file, std::uint64_t number) : file_(file), number_(number) {}

    ShareAttributes attributes() override {
        const std::uint32_t rights = (file_.read ? S_IRUSR : 0) | (file_.write ? S_IWUSR : 0);
        return {.id = {.type = ShareId::kFile, .path = number_}, .mode = S_IFREG | rights};
    }
    std::unique_ptr<ShareFile> open(const ShareOpen& how) override {
        if ((how.reads && !file_.read) || (how.writes && !file_.write)) {
            throw ShareError(EACCES);
        }
        return std::make_unique<ControlStream>(file_);
    }
    std::optional<std::string> place() const override { return file_.name; }
    void change(const ShareChange& /*change*/) override {} // what a shell does to an output

  private:
    const ControlFile& file_;
    const std::uint64_t number_;
};

class ControlRoot final : public ShareNode {
  public:
    explicit ControlRoot(std::vector<ControlFile> files) : files_(std::move(files)) {}

    ShareAttributes attributes() override {
        return {.id = {.type = ShareId::kDirectory}, .mode = S_IFDIR | S_IRUSR | S_IXUSR};
    }
    std::unique_ptr<ShareFile> open(const ShareOpen& /*how*/) override {
        throw ShareError(EACCES); // the agent knows the names
    }
    std::shared_ptr<ShareNode> child(const std::string& name) override {
        const auto file = std::ranges::find(files_, name, &ControlFile::name);
        if (file == files_.end()) {
            throw ShareError(ENOENT);
        }
        return std::make_shared<ControlNode>(*file, 1 + (file - files_.begin()));
    }
    std::optional<std::string> place() const override { return std::string(); }

  private:
    const std::vector<ControlFile> files_;
};

} // namespace

std::shared_ptr<ShareNode> make_control_folder(std::vector<ControlFile> files) {
    return std::make_shared<ControlRoot>(std::move(files));
}

} // namespace pes
