// SPDX-License-Identifier: Apache-2.0
#include "firmware/supervisor/kernel.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/layout.h"
#include "firmware/lib/text.h"
#include "firmware/pes/thesis_numbers.h"
#include "firmware/supervisor/sbi_call.h"
#include "firmware/supervisor/system_calls.h"
#include "hw/interface/maps/sample_record.h"
#include "platform.h"

// From the linker script. The user_* symbols are virtual addresses, user_load is physical.
extern "C" char user_load[], user_text_start[], user_data_start[], user_end[], page_pool_start[];
extern "C" void user_start();
extern "C" [[noreturn]] void enter_user(void (*entry)(), uint64_t stack);

namespace pes {

namespace {

constexpr uint64_t kGigabyte = uint64_t{1} << 30;
constexpr uint64_t kMemoryEnd = uint64_t{PES_DRAM_BASE} + PES_DRAM_SIZE;
constexpr uint64_t kStackTop = 0x3F'FFFF'F000; ///< one page below the end of user space
constexpr uint64_t kStackSize = 64 * 1024;
constexpr uint64_t kNothingSampled = 1; ///< exit code of a program that says 0
constexpr uint64_t kMappingBase = 0x20'0000'0000;

uint64_t address_of(const char* symbol) {
    return reinterpret_cast<uint64_t>(symbol);
}

} // namespace

Kernel::Kernel()
    : pool_(address_of(page_pool_start), kMemoryEnd), space_(pool_), next_mapping_(kMappingBase) {}

bool Kernel::map_program() {
    const uint64_t text = address_of(user_text_start);
    const uint64_t data = address_of(user_data_start);
    const uint64_t to_physical = address_of(user_load) - text;
    const uint64_t stack = pool_.allocate(kStackSize / kPageSize);
    for (uint64_t base = PES_DRAM_BASE; base < kMemoryEnd; base += kGigabyte) {
        space_.map_gigabyte(base);
    }
    return stack != 0 &&
           space_.map(text, text + to_physical, data - text, Access::UserReadExecute) &&
           space_.map(data, data + to_physical, address_of(user_end) - data,
                      Access::UserReadWrite) &&
           space_.map(kStackTop - kStackSize, stack, kStackSize, Access::UserReadWrite);
}

void Kernel::run() {
    static_assert(PES_DRAM_BASE % kGigabyte == 0, "the identity map uses gigabyte pages");
    if (!map_program()) {
        print(supervisor_put, "supervisor: not enough memory for the user program\n");
        shut_down(sbi::reset::kSystemFailure);
    }
    space_.activate();
    // The supervisor's own work, emptying the buffer above all, is not the program's.
    sbi_call(sbi::kSampling, sbi::sampling::kModes, sbi::sampling::kModeUser);
    write_csr<csr::kScounteren>(~uint64_t{0});
    set_csr<csr::kSie>(kInterruptSsi);
    clear_csr<csr::kSstatus>(kStatusSpp);
    set_csr<csr::kSstatus>(kStatusSpie | kStatusFsDirty);
    enter_user(user_start, kStackTop);
}

void Kernel::drain() {
    const sbi::Result ready = sbi_call(sbi::kSampling, sbi::sampling::kHandOver);
    if (ready.error != sbi::kSuccess) {
        return; // nothing is being sampled
    }
    const sbi::Result written =
        ready.value == 0
            ? sbi::Result{sbi::kSuccess, 0}
            : sbi_call(sbi::kHost, sbi::host::kWrite, sbi::host::kSampleFile, buffer_, ready.value);
    const uint64_t taken = written.error == sbi::kSuccess ? written.value : 0;
    unwritten_ += ready.value - taken;
    sbi_call(sbi::kSampling, sbi::sampling::kResume);
}

void Kernel::exit(uint64_t code) {
    sbi_call(sbi::kSampling, sbi::sampling::kStop);
    const auto counted = [](sbi::sampling::StatusItem item) {
        const sbi::Result result = sbi_call(sbi::kSampling, sbi::sampling::kStatus, item);
        return result.error == sbi::kSuccess ? result.value : 0;
    };
    const uint64_t samples = counted(sbi::sampling::kSamples);
    const uint64_t throttled = counted(sbi::sampling::kThrottled);
    drain();
    if (throttled != 0) {
        print(supervisor_put, "supervisor: ", throttled, " samples after a lengthened period, ",
              "to let the program go on\n");
    }
    if (unwritten_ != 0) {
        print(supervisor_put, "supervisor: ", unwritten_, " bytes of sample records not written (",
              "no host file service)\n");
    }
    shut_down(report_samples(samples) || code != 0 ? code : kNothingSampled);
}

/// False if the program has meant to sample and could not.
bool Kernel::report_samples(uint64_t samples) const {
    const uint64_t eventless = counters_with_threshold_ & ~counters_with_event_;
    if (samples != 0 || (refused_.error == 0 && eventless == 0)) {
        return true;
    }
    if (refused_.error != 0) {
        print(supervisor_put, "supervisor: nothing was sampled: call ", refused_.call,
              " was refused with error -", static_cast<uint64_t>(-refused_.error), "\n");
    } else {
        print(supervisor_put, "supervisor: nothing was sampled: hpmcounter",
              static_cast<uint64_t>(__builtin_ctzl(eventless)), " has a threshold and no event\n");
    }
    return false;
}

int64_t Kernel::write(uint64_t file, uint64_t address, uint64_t length) {
    const bool samples = file == system_call::kFileSamples;
    if (!samples && file != system_call::kFileConsole && file != system_call::kFileError) {
        return system_call::kBadFile;
    }
    uint64_t done = 0;
    while (done < length) {
        const uint64_t at = address + done;
        const uint64_t physical = space_.translate(at, Intent::Read);
        if (physical == 0) {
            return system_call::kBadAddress;
        }
        const uint64_t in_page = kPageSize - at % kPageSize;
        const uint64_t part = length - done < in_page ? length - done : in_page;
        const sbi::Result result =
            samples ? sbi_call(sbi::kHost, sbi::host::kWrite, file, physical, part)
                    : sbi_call(sbi::kConsole, sbi::console::kWrite, part, physical);
        if (result.error != sbi::kSuccess) {
            return system_call::kIoError;
        }
        done += result.value;
    }
    return static_cast<int64_t>(done);
}

/// Physically contiguous, so that any part of it can be a sample buffer.
int64_t Kernel::map_anonymous(uint64_t length, uint64_t protection, uint64_t flags) {
    constexpr uint64_t kKnownProtection =
        system_call::kProtectionRead | system_call::kProtectionWrite;
    if (length == 0 || length > PES_DRAM_SIZE || (protection & ~kKnownProtection) != 0 ||
        (protection & system_call::kProtectionRead) == 0 ||
        (flags & system_call::kMapAnonymous) == 0) {
        return system_call::kInvalid;
    }
    const uint64_t bytes = page_up(length);
    const uint64_t physical = pool_.allocate(bytes / kPageSize);
    if (physical == 0 || !space_.map(next_mapping_, physical, bytes, Access::UserReadWrite)) {
        return system_call::kNoMemory;
    }
    const uint64_t address = next_mapping_;
    next_mapping_ += bytes + kPageSize; // an unmapped page between any two mappings
    return static_cast<int64_t>(address);
}

int64_t Kernel::thesis_call(uint64_t call, uint64_t number, uint64_t value) {
    if (call == system_call::kThesisBuffer) {
        return thesis_buffer(number, value);
    }
    const int64_t result = sbi_call(call, 0, number, value).error;
    if (result == 0 && value != 0) {
        if (call == system_call::kThesisEvent) {
            counters_with_event_ |= uint64_t{1} << thesis::counter_of_event(number);
        } else if (call == system_call::kThesisThreshold) {
            counters_with_threshold_ |= uint64_t{1} << thesis::counter_of_threshold(number);
        }
    }
    return result;
}

int64_t Kernel::thesis_buffer(uint64_t first, uint64_t second) {
    const thesis::Buffer buffer =
        thesis::buffer_of(first, second, [this](uint64_t address, uint64_t size) {
            return space_.translate_range(address, size, Intent::Write) != 0;
        });
    if (buffer.size == 0) {
        return system_call::kBadAddress;
    }
    const uint64_t physical = space_.translate_range(buffer.address, buffer.size, Intent::Write);
    const int64_t result = sbi_call(system_call::kThesisBuffer, 0, buffer.size, physical).error;
    if (result == 0) {
        buffer_ = physical;
    }
    return result;
}

int64_t Kernel::sampling_call(uint64_t function, const TrapFrame& frame) {
    uint64_t first = frame.x[kA0];
    const uint64_t second = frame.x[kA1];
    const bool buffer = function == sbi::sampling::kSetBuffer && (first != 0 || second != 0);
    if (buffer) {
        first = space_.translate_range(first, second, Intent::Write);
        if (first == 0) {
            return sbi::kInvalidAddress;
        }
    }
    const sbi::Result result = sbi_call(sbi::kSampling, function, first, second, frame.x[kA0 + 2]);
    if (buffer && result.error == sbi::kSuccess) {
        buffer_ = first;
    }
    return result.error != sbi::kSuccess ? result.error : static_cast<int64_t>(result.value);
}

void Kernel::note_refusal(uint64_t call, int64_t result) {
    if (result < 0 && refused_.error == 0) {
        refused_ = {.call = call, .error = result};
    }
}

void Kernel::serve(TrapFrame& frame) {
    frame.pc += 4;
    const uint64_t number = frame.x[kA7];
    const uint64_t first = frame.x[kA0];
    const uint64_t second = frame.x[kA1];
    const uint64_t third = frame.x[kA0 + 2];
    int64_t result = system_call::kNoSuchCall;
    switch (number) {
    case system_call::kWrite:
        result = write(first, second, third);
        break;
    case system_call::kExit:
        exit(first);
    case system_call::kMmap:
        result = map_anonymous(second, third, frame.x[kA0 + 3]);
        break;
    case system_call::kThesisEvent:
    case system_call::kThesisThreshold:
    case system_call::kThesisCounter:
    case system_call::kThesisBuffer:
        result = thesis_call(number, first, second);
        note_refusal(number, result);
        break;
    default:
        if (number >= system_call::kSampling &&
            number <= system_call::kSampling + sbi::sampling::kRecord) {
            result = sampling_call(number - system_call::kSampling, frame);
        } else {
            note_refusal(number, result);
        }
    }
    frame.x[kA0] = static_cast<uint64_t>(result);
}

} // namespace pes
