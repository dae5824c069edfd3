// SPDX-License-Identifier: Apache-2.0
// Calls that act on other harts: IPI and RFENCE extensions (SBI 3.0), and the messages that carry
// them.
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "firmware/boot/spin_lock.h"
#include "firmware/sbi/firmware_counters.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"
#include "hw/interface/maps/clint.h"

extern "C" volatile uint8_t harts_present[PES_MAX_HARTS];

namespace pes {

HartRecord harts[PES_MAX_HARTS];

namespace {

constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};
constexpr uint64_t kPage = 4096;

/// One remote fence at a time, for whoever holds the lock.
struct Fence {
    uint64_t function; ///< of the extension
    uint64_t start;
    uint64_t size;
    uint64_t asid;
};
SpinLock fence_lock;
Fence fence;
uint32_t fence_open; ///< bit n: hart n has still to do it

void set_software_interrupt(uint64_t hart, bool level) {
    write_device<uint32_t>(uint64_t{PES_CLINT_BASE} + clint::kMsip + 4 * hart, level ? 1 : 0);
}

void fence_translations(const Fence& wanted) {
    constexpr uint64_t kMostPages = 64; // beyond, one fence for everything is cheaper
    const bool of_asid = wanted.function == sbi::remote_fence::kTranslationsOfAsid;
    const bool everything =
        (wanted.start == 0 && wanted.size == 0) || wanted.size > kMostPages * kPage;
    if (everything) {
        if (of_asid) {
            asm volatile("sfence.vma zero, %0" ::"r"(wanted.asid) : "memory");
        } else {
            asm volatile("sfence.vma" ::: "memory");
        }
        return;
    }
    const uint64_t first = wanted.start & ~(kPage - 1);
    for (uint64_t page = first; page - first < wanted.size + (wanted.start - first);
         page += kPage) {
        if (of_asid) {
            asm volatile("sfence.vma %0, %1" ::"r"(page), "r"(wanted.asid) : "memory");
        } else {
            asm volatile("sfence.vma %0" ::"r"(page) : "memory");
        }
    }
}

enum class Side : uint8_t { Sent, Received };

void count_fence(uint64_t function, Side side) {
    using Event = sbi::pmu::FirmwareEvent;
    const bool sent = side == Side::Sent;
    switch (function) {
    case sbi::remote_fence::kInstructions:
        return count_firmware_event(sent ? Event::FenceISent : Event::FenceIReceived);
    case sbi::remote_fence::kTranslations:
        return count_firmware_event(sent ? Event::SfenceVmaSent : Event::SfenceVmaReceived);
    default:
        return count_firmware_event(sent ? Event::SfenceVmaAsidSent : Event::SfenceVmaAsidReceived);
    }
}

void do_fence(const Fence& wanted) {
    count_fence(wanted.function, Side::Received);
    if (wanted.function == sbi::remote_fence::kInstructions) {
        asm volatile("fence.i" ::: "memory");
    } else {
        fence_translations(wanted);
    }
}

/// Returns when every member has done it. A hart that is not started does both fences before it
/// enters supervisor mode.
void fence_on(uint32_t members, const Fence& wanted) {
    const uint64_t self = hart_id();
    fence_lock.acquire(take_messages);
    fence = wanted;
    for (uint64_t hart = 0; hart < PES_MAX_HARTS; ++hart) {
        const HartState state = state_of(hart);
        const bool runs = state == HartState::Started || state == HartState::Suspended;
        if ((members >> hart & 1) != 0 && hart != self && runs) {
            __atomic_fetch_or(&fence_open, 1U << hart, __ATOMIC_RELEASE);
            send_message(hart, kMessageFence);
        }
    }
    if ((members >> self & 1) != 0) {
        do_fence(wanted);
    }
    while (__atomic_load_n(&fence_open, __ATOMIC_ACQUIRE) != 0) {
        take_messages();
    }
    fence_lock.release();
}

} // namespace

bool hart_exists(uint64_t hart) {
    return hart < PES_MAX_HARTS && harts_present[hart] != 0;
}

bool decode_hart_mask(uint64_t mask, uint64_t base, uint32_t& members) {
    members = 0;
    for (uint64_t hart = 0; base == sbi::kAllHarts && hart < PES_MAX_HARTS; ++hart) {
        members |= hart_exists(hart) ? 1U << hart : 0;
    }
    for (unsigned bit = 0; base != sbi::kAllHarts && bit < 64; ++bit) {
        if ((mask >> bit & 1) == 0) {
            continue;
        }
        if (base >= PES_MAX_HARTS || !hart_exists(base + bit)) {
            return false;
        }
        members |= 1U << (base + bit);
    }
    return true;
}

void send_message(uint64_t hart, Message message) {
    __atomic_fetch_or(&harts[hart].messages, message, __ATOMIC_RELEASE);
    asm volatile("fence rw, o" ::: "memory");
    set_software_interrupt(hart, true);
}

uint32_t take_messages() {
    const uint64_t self = hart_id();
    if ((read_csr<csr::kMip>() & kInterruptMsi) == 0) {
        return 0;
    }
    set_software_interrupt(self, false); // first: what comes from here on interrupts again
    asm volatile("fence o, rw" ::: "memory");
    const uint32_t taken = __atomic_exchange_n(&harts[self].messages, 0U, __ATOMIC_ACQUIRE);
    if ((taken & kMessageIpi) != 0) {
        count_firmware_event(sbi::pmu::FirmwareEvent::IpiReceived,
                             __atomic_exchange_n(&harts[self].ipis, 0U, __ATOMIC_ACQUIRE));
        set_csr<csr::kMip>(kInterruptSsi);
    }
    if ((taken & kMessageFence) != 0) {
        do_fence(fence);
        __atomic_fetch_and(&fence_open, ~(1U << self), __ATOMIC_RELEASE);
    }
    return taken;
}

sbi::Result ipi_extension(const sbi::Call& call) {
    if (call.function != sbi::ipi::kSend) {
        return kSbiNotSupported;
    }
    uint32_t members = 0;
    if (!decode_hart_mask(call.argument[0], call.argument[1], members)) {
        return kInvalid;
    }
    for (uint64_t hart = 0; hart < PES_MAX_HARTS; ++hart) {
        if ((members >> hart & 1) != 0) {
            count_firmware_event(sbi::pmu::FirmwareEvent::IpiSent);
            __atomic_fetch_add(&harts[hart].ipis, 1U, __ATOMIC_RELEASE);
            send_message(hart, kMessageIpi);
        }
    }
    return {sbi::kSuccess, 0};
}

sbi::Result remote_fence_extension(const sbi::Call& call) {
    const uint64_t* argument = call.argument;
    Fence wanted{.function = call.function, .start = 0, .size = 0, .asid = 0};
    if (call.function > sbi::remote_fence::kTranslationsOfAsid) {
        return kSbiNotSupported; // there is no hypervisor
    }
    uint32_t members = 0;
    if (!decode_hart_mask(argument[0], argument[1], members)) {
        return kInvalid;
    }
    if (call.function != sbi::remote_fence::kInstructions) {
        const bool whole = argument[3] == ~uint64_t{0};
        wanted.start = whole ? 0 : argument[2];
        wanted.size = whole ? 0 : argument[3];
        if (wanted.start + wanted.size < wanted.start) {
            return {sbi::kInvalidAddress, 0};
        }
    }
    if (call.function == sbi::remote_fence::kTranslationsOfAsid) {
        wanted.asid = argument[4];
    }
    count_fence(wanted.function, Side::Sent);
    fence_on(members, wanted);
    return {sbi::kSuccess, 0};
}

} // namespace pes
