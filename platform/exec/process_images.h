// SPDX-License-Identifier: Apache-2.0
// The programs that a guest's processes have executed, as its agent tells them
// (hw/interface/maps/linux_agent.h), and which address space is whose.
//
// A process is an image from one execve() to the next one. The page of its stack that holds its
// arguments is its own: the kernel says in which frame of memory that page is, and an address space
// is the image's whose page tables say the same.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pes {

struct ProcessImage {
    std::uint64_t process = 0;        ///< the kernel's number
    Address stack_page = 0;           ///< 0: not known
    std::uint64_t frame = 0;          ///< number of the page of memory that it is in; 0: not known
    std::string maps{};               ///< the latest text of /proc/PID/maps
    std::set<std::uint64_t> spaces{}; ///< values of satp
};

class ProcessImages {
  public:
    /// A double word of memory; nothing if there is none at this address.
    using ReadMemory = std::function<std::optional<std::uint64_t>(Address)>;

    explicit ProcessImages(ReadMemory read) : read_(std::move(read)) {}

    /// A part of what the agent writes. True if a record has ended, whose process stands still now.
    bool add(std::string_view text);
    /// While the process of the last record stands still: looks at address spaces whose image is
    /// not known yet.
    void look_at(std::span<const std::uint64_t> spaces);

    /// In the order of their first records.
    const std::vector<ProcessImage>& list() const { return images_; }

  private:
    void take_record();
    bool has_image(std::uint64_t satp) const;

    const ReadMemory read_;
    std::string record_; ///< that has begun
    std::vector<ProcessImage> images_;
};

/// The number of the page of memory that a page tables of Sv39 translates a virtual address to
/// (RISC-V privileged specification, 12.4); nothing without a valid leaf.
std::optional<std::uint64_t> frame_of(std::uint64_t satp, Address address,
                                      const ProcessImages::ReadMemory& read);

/// Whether an address space of Sv39 maps something in its lower half, which Linux gives to user
/// mode: that of the kernel alone does not.
bool has_user_pages(std::uint64_t satp, const ProcessImages::ReadMemory& read);

} // namespace pes
