// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/htif.h"

#include "hw/common/module_logger.h"
#include "platform/soc/guest/console.h"
#include "platform/soc/guest/guest_files.h"
#include "platform/soc/guest/sample_channel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <spdlog/spdlog.h>
#include <utility>

namespace pes {
namespace {

constexpr unsigned kDeviceShift = 56;
constexpr unsigned kCommandShift = 48;
constexpr std::uint64_t kPayloadMask = (std::uint64_t{1} << kCommandShift) - 1;
constexpr std::uint64_t kSystemDevice = 0;
constexpr std::uint64_t kConsoleDevice = 1;
constexpr std::uint64_t kConsoleWrite = 1;

// System-call numbers of the RISC-V Linux ABI, which newlib and the proxy kernel use.
constexpr std::uint64_t kSysOpenAt = 56;
constexpr std::uint64_t kSysClose = 57;
constexpr std::uint64_t kSysLseek = 62;
constexpr std::uint64_t kSysRead = 63;
constexpr std::uint64_t kSysWrite = 64;
constexpr std::uint64_t kSysExit = 93;
constexpr std::uint64_t kCallBytes = 8 * sizeof(std::uint64_t);

spdlog::logger& log() {
    static const std::shared_ptr<spdlog::logger> logger = module_logger("htif");
    return *logger;
}

} // namespace

Htif::Htif(GuestMemory memory, Address tohost, Address fromhost, Console& console,
           SampleChannel& samples, GuestFiles& files, PlatformFacts platform, Requests requests)
    : memory_(memory), tohost_(tohost), fromhost_(fromhost), console_(console), samples_(samples),
      files_(files), platform_(std::move(platform)), requests_(std::move(requests)) {}

void Htif::tohost_written() {
    const std::uint64_t command = memory_.load64(tohost_).value_or(0);
    if (command == 0) {
        return;
    }
    memory_.store64(tohost_, 0); // taken: the guest may send the next one
    if (command >> kDeviceShift != kSystemDevice) {
        device_command(command);
        return;
    }
    const std::uint64_t payload = command & kPayloadMask;
    if ((payload & 1) != 0) {
        requests_.exit(payload >> 1);
    } else {
        system_call(payload);
    }
}

void Htif::device_command(std::uint64_t command) {
    const std::uint64_t device = command >> kDeviceShift;
    const std::uint64_t function = (command >> kCommandShift) & 0xFF;
    if (device == kConsoleDevice && function == kConsoleWrite) {
        console_.put(static_cast<char>(command & 0xFF));
        answer(command & ~kPayloadMask);
        return;
    }
    log().warn("tohost = {:#x}: no device {} with command {}", command, device, function);
}

void Htif::system_call(Address block) {
    if (!memory_.at(block, kCallBytes)) {
        log().warn("tohost = {:#x}: the call block is outside main memory", block);
        answer(1);
        return;
    }
    const auto word = [this, block](unsigned index) {
        return memory_.load64(block + index * sizeof(std::uint64_t)).value_or(0);
    };
    std::int64_t result = -ENOSYS;
    switch (word(0)) {
    case kSysOpenAt:
        result = open_call(word(2), word(3), word(4));
        break;
    case kSysClose:
        result = files_.close(word(1));
        break;
    case kSysLseek:
        result = files_.seek(word(1), static_cast<std::int64_t>(word(2)), word(3));
        break;
    case kSysRead:
        result = read_call(word(1), word(2), word(3));
        break;
    case kSysWrite:
        result = write_call(word(1), word(2), word(3));
        break;
    case host_platform::kCall:
        result = platform_call(word(1), word(2), word(3));
        break;
    case host_platform::kCheckpointCall:
        requests_.checkpoint();
        result = 0; // whether anybody wants it: the guest goes on alike
        break;
    case kSysExit:
        requests_.exit(word(1));
        return;
    default:
        log().warn("system call {} is not proxied", word(0));
    }
    memory_.store64(block, static_cast<std::uint64_t>(result));
    answer(1);
}

/// The length counts the NUL behind the name.
std::int64_t Htif::open_call(Address name, std::uint64_t length, std::uint64_t flags) {
    const auto bytes = memory_.at(name, length);
    if (!bytes) {
        return -EFAULT;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::int64_t result = files_.open(text.substr(0, text.find('\0')), flags);
    if (result < 0) {
        log().warn("the guest may not open '{}' (--guest-files): {}",
                   text.substr(0, text.find('\0')), std::strerror(static_cast<int>(-result)));
    }
    return result;
}

std::int64_t Htif::platform_call(Address facts, Address text, std::uint64_t length) {
    const auto facts_room = memory_.at(facts, sizeof platform_.facts);
    const auto text_room = memory_.at(text, length);
    if (!facts_room || !text_room) {
        return -EFAULT;
    }
    if (length < platform_.text.size()) {
        return -ERANGE;
    }
    std::memcpy(facts_room->data(), &platform_.facts, sizeof platform_.facts);
    std::ranges::copy(std::as_bytes(std::span(platform_.text)), text_room->begin());
    return static_cast<std::int64_t>(platform_.text.size());
}

std::int64_t Htif::read_call(std::uint64_t file, Address buffer, std::uint64_t length) {
    if (file == static_cast<std::uint64_t>(GuestFile::Input)) {
        return requests_.input_ended() ? 0 : -EAGAIN;
    }
    const auto bytes = memory_.at(buffer, length);
    return bytes ? files_.read(file, *bytes) : -EFAULT;
}

std::int64_t Htif::write_call(std::uint64_t file, Address buffer, std::uint64_t length) {
    const auto bytes = memory_.at(buffer, length);
    if (file >= GuestFiles::kFirst) {
        return bytes ? files_.write(file, *bytes) : -EFAULT;
    }
    const bool samples = file == static_cast<std::uint64_t>(GuestFile::Samples);
    if (!samples && file != static_cast<std::uint64_t>(GuestFile::Output) &&
        file != static_cast<std::uint64_t>(GuestFile::Error)) {
        return -EBADF;
    }
    if (!bytes) {
        return -EFAULT;
    }
    if (samples) {
        samples_.write(*bytes);
    } else {
        console_.write(*bytes);
    }
    return static_cast<std::int64_t>(length);
}

void Htif::answer(std::uint64_t value) {
    if (fromhost_ != 0) {
        memory_.store64(fromhost_, value);
    }
}

} // namespace pes
