// SPDX-License-Identifier: Apache-2.0
// Host-target interface: the guest stores a command into the word `tohost`, the host answers in
// `fromhost`. A command is device in bits 63:56, command in 55:48 and payload in 47:0.
//
//   device 0, odd payload    exit with code payload >> 1
//   device 0, even payload   system call: the payload is the address of eight 64-bit words, number
//                            and arguments; the result replaces the number
//   device 1, command 1      console character
//
// System calls, with the numbers of the RISC-V Linux ABI as the proxy kernel passes them on:
//   openat(56)  directory (ignored), physical address and length of the name, flags, mode (ignored)
//   close(57)   descriptor
//   lseek(62)   descriptor, offset, whence
//   read(63)    descriptor, physical address, length; of descriptor 0, the console, whose bytes
//               the UART has: 0 once its input has ended, else -EAGAIN
//   write(64)   descriptor, physical address, length
//   exit(93)    code
//   0x706573    facts and text about the platform (hw/interface/maps/host_platform.h)
//   0x706574    asks for a checkpoint (likewise)
//
// Timing: the host acts within the store; the answer is there for the next load.
#pragma once

#include "hw/interface/maps/host_platform.h"
#include "platform/soc/guest/guest_memory.h"

#include <cstdint>
#include <functional>
#include <string>

namespace pes {

class Console;
class GuestFiles;
class SampleChannel;

/// File descriptors that are open from the start.
enum class GuestFile : std::uint8_t { Input = 0, Output = 1, Error = 2, Samples = 3 };

/// What a guest may learn of the platform.
struct PlatformFacts {
    host_platform::Facts facts{};
    std::string text;
};

class Htif {
  public:
    struct Requests {
        std::function<void(std::uint64_t code)> exit;
        std::function<void()> checkpoint; ///< before the next instruction
        std::function<bool()> input_ended;
    };

    /// `fromhost` is 0 if the program has none: then nothing is answered there.
    Htif(GuestMemory memory, Address tohost, Address fromhost, Console& console,
         SampleChannel& samples, GuestFiles& files, PlatformFacts platform, Requests requests);

    /// The guest has stored to tohost.
    void tohost_written();

  private:
    void device_command(std::uint64_t command);
    void system_call(Address block);
    std::int64_t open_call(Address name, std::uint64_t length, std::uint64_t flags);
    std::int64_t platform_call(Address facts, Address text, std::uint64_t length);
    std::int64_t read_call(std::uint64_t file, Address buffer, std::uint64_t length);
    std::int64_t write_call(std::uint64_t file, Address buffer, std::uint64_t length);
    void answer(std::uint64_t value);

    GuestMemory memory_;
    Address tohost_;
    Address fromhost_;
    Console& console_;
    SampleChannel& samples_;
    GuestFiles& files_;
    const PlatformFacts platform_;
    const Requests requests_;
};

} // namespace pes
