// SPDX-License-Identifier: Apache-2.0
#include "firmware/proxy/system_calls.h"

#include "firmware/lib/text.h"
#include "firmware/proxy/errors.h"
#include "firmware/proxy/services.h"
#include "platform.h"

namespace pes::proxy {

namespace {

constexpr uint64_t kMappingBase = 0x20'0000'0000;
constexpr uint64_t kMappingEnd = 0x3F'0000'0000;
constexpr uint64_t kLowEnd = PES_DRAM_BASE; ///< the kernel has its map behind it

} // namespace

const SystemCalls::Entry SystemCalls::kTable[] = {
    {17, &SystemCalls::current_directory},
    {25, &SystemCalls::control},
    {29, &SystemCalls::no_terminal},
    {48, &SystemCalls::access_at},
    {56, &SystemCalls::open_at},
    {57, &SystemCalls::close},
    {62, &SystemCalls::seek},
    {63, &SystemCalls::read},
    {64, &SystemCalls::write},
    {65, &SystemCalls::read_vector},
    {66, &SystemCalls::write_vector},
    {78, &SystemCalls::not_there}, // readlinkat
    {79, &SystemCalls::status_at},
    {80, &SystemCalls::status},
    {93, &SystemCalls::exit},
    {94, &SystemCalls::exit},
    {96, &SystemCalls::process}, // set_tid_address
    {98, &SystemCalls::futex},
    {99, &SystemCalls::zero}, // set_robust_list
    {101, &SystemCalls::sleep},
    {113, &SystemCalls::clock_time},
    {114, &SystemCalls::clock_resolution},
    {115, &SystemCalls::clock_sleep},
    {124, &SystemCalls::zero}, // sched_yield
    {129, &SystemCalls::kill},
    {130, &SystemCalls::kill},
    {131, &SystemCalls::kill_thread},
    {132, &SystemCalls::zero}, // sigaltstack
    {134, &SystemCalls::zero}, // rt_sigaction: no signal ever comes
    {135, &SystemCalls::zero}, // rt_sigprocmask
    {153, &SystemCalls::process_times},
    {160, &SystemCalls::name},
    {169, &SystemCalls::time_of_day},
    {172, &SystemCalls::process},
    {173, &SystemCalls::zero}, // getppid
    {174, &SystemCalls::zero}, // getuid, geteuid, getgid, getegid
    {175, &SystemCalls::zero},
    {176, &SystemCalls::zero},
    {177, &SystemCalls::zero},
    {178, &SystemCalls::process},
    {214, &SystemCalls::set_break},
    {215, &SystemCalls::unmap},
    {216, &SystemCalls::remap},
    {222, &SystemCalls::map},
    {226, &SystemCalls::zero},      // mprotect: a program does not hurt itself
    {233, &SystemCalls::zero},      // madvise
    {258, &SystemCalls::not_there}, // riscv_hwprobe
    {259, &SystemCalls::flush_code},
    {261, &SystemCalls::limits},
    {278, &SystemCalls::random},
    {293, &SystemCalls::not_there}, // rseq
    // Of newlib, which Linux does not have on RISC-V.
    {1024, &SystemCalls::open},
    {1033, &SystemCalls::access},
    {1038, &SystemCalls::status_of_path},
    {1039, &SystemCalls::status_of_path}, // lstat
    {1062, &SystemCalls::seconds},
};

SystemCalls::SystemCalls(UserMemory& memory, uint64_t heap, uint64_t timebase)
    : memory_(memory), heap_(heap), break_(heap), next_mapping_(kMappingBase), timebase_(timebase) {
    memory_.add(heap, heap, Access::UserReadWrite);
}

void SystemCalls::serve(TrapFrame& frame) {
    frame.pc += 4;
    const uint64_t number = frame.x[kA7];
    int64_t result = kNoSuchCall;
    bool known = false;
    for (const Entry& entry : kTable) {
        if (entry.number == number) {
            result = (this->*entry.handler)(&frame.x[kA0]);
            known = true;
            break;
        }
    }
    if (!known) {
        tell_unknown(number);
    }
    frame.x[kA0] = static_cast<uint64_t>(result);
}

void SystemCalls::tell_unknown(uint64_t number) {
    if (number / 64 < sizeof told_ / sizeof told_[0]) {
        uint64_t& told = told_[number / 64];
        if ((told >> number % 64 & 1) != 0) {
            return;
        }
        told |= uint64_t{1} << number % 64;
    }
    print(console_put, "proxy kernel: there is no system call ", number, "\n");
}

// --- Memory -------------------------------------------------------------------------------------

int64_t SystemCalls::set_break(Arguments argument) {
    const uint64_t wanted = argument[0];
    if (wanted >= heap_ && wanted < kLowEnd) {
        memory_.resize(heap_, page_up(wanted));
        break_ = wanted;
    }
    return static_cast<int64_t>(break_);
}

/// 0: there is none.
uint64_t SystemCalls::new_place(uint64_t length) {
    if (length > kMappingEnd - next_mapping_) {
        return 0;
    }
    const uint64_t address = next_mapping_;
    next_mapping_ += length + kPageSize; // a page that nobody has between any two
    return address;
}

int64_t SystemCalls::map(Arguments argument) {
    constexpr uint64_t kFixed = 0x10, kAnonymous = 0x20, kShared = 0x01;
    constexpr uint64_t kExecute = 4;
    const uint64_t length = page_up(argument[1]);
    const uint64_t flags = argument[3];
    const bool anonymous = (flags & kAnonymous) != 0;
    if (length == 0 || length > kMappingEnd - kMappingBase ||
        (!anonymous && (flags & kShared) != 0)) {
        return kInvalid;
    }
    uint64_t address = argument[0];
    if ((flags & kFixed) != 0) {
        const uint64_t end = address < kLowEnd ? kLowEnd : kMappingEnd;
        if (address % kPageSize != 0 || (address >= kLowEnd && address < kMappingBase) ||
            address >= end || length > end - address) {
            return kInvalid;
        }
        memory_.remove(address, address + length);
    } else {
        address = new_place(length);
    }
    if (address == 0) {
        return kNoMemory;
    }
    // mprotect() changes nothing, so a page may be written from the start.
    const Access access = (argument[2] & kExecute) != 0 ? Access::UserAll : Access::UserReadWrite;
    if (!memory_.add(address, address + length, access)) {
        return kNoMemory;
    }
    const int64_t result = anonymous ? 0 : map_file(argument[4], argument[5], address, argument[1]);
    return result < 0 ? result : static_cast<int64_t>(address);
}

/// A private mapping of a file is what the file has now.
int64_t SystemCalls::map_file(uint64_t file, uint64_t offset, uint64_t address, uint64_t length) {
    const int64_t before = host_seek(file, 0, Whence::Current);
    if (before < 0 || host_seek(file, static_cast<int64_t>(offset), Whence::Begin) < 0) {
        return kBadFile;
    }
    const int64_t result = transfer(file, address, length, false);
    host_seek(file, before, Whence::Begin);
    return result;
}

int64_t SystemCalls::unmap(Arguments argument) {
    const uint64_t length = page_up(argument[1]);
    if (argument[0] % kPageSize != 0 || length == 0 || length > kMappingEnd ||
        argument[0] > kMappingEnd) {
        return kInvalid;
    }
    return memory_.remove(argument[0], argument[0] + length) ? 0 : static_cast<int64_t>(kNoMemory);
}

int64_t SystemCalls::remap(Arguments argument) {
    constexpr uint64_t kMayMove = 1;
    const uint64_t from = argument[0];
    const uint64_t before = page_up(argument[1]);
    const uint64_t wanted = page_up(argument[2]);
    if (from % kPageSize != 0 || wanted == 0 || (argument[3] & ~kMayMove) != 0 ||
        before > kMappingEnd || from > kMappingEnd) {
        return kInvalid;
    }
    if (wanted <= before) {
        return memory_.remove(from + wanted, from + before) ? static_cast<int64_t>(from)
                                                            : static_cast<int64_t>(kNoMemory);
    }
    const uint64_t to = (argument[3] & kMayMove) != 0 ? new_place(wanted) : 0;
    if (to == 0 || !memory_.add(to, to + wanted, Access::UserReadWrite) ||
        !memory_.move(from, to, before) || !memory_.remove(from, from + before)) {
        return kNoMemory;
    }
    return static_cast<int64_t>(to);
}

// --- Time ---------------------------------------------------------------------------------------

namespace {

uint64_t now() {
    uint64_t time;
    asm volatile("rdtime %0" : "=r"(time));
    return time;
}

struct TimePair {
    uint64_t seconds;
    uint64_t parts;
};

TimePair in_parts(uint64_t time, uint64_t timebase, uint64_t parts) {
    return {.seconds = time / timebase, .parts = time % timebase * parts / timebase};
}

constexpr uint64_t kNanoseconds = 1'000'000'000;
constexpr uint64_t kMicroseconds = 1'000'000;

} // namespace

/// All clocks begin with the run.
int64_t SystemCalls::clock_time(Arguments argument) {
    const TimePair time = in_parts(now(), timebase_, kNanoseconds);
    return memory_.copy_out(argument[1], &time, sizeof time) ? 0
                                                             : static_cast<int64_t>(kBadAddress);
}

int64_t SystemCalls::clock_resolution(Arguments argument) {
    const TimePair step = {.seconds = 0,
                           .parts = kNanoseconds / timebase_ == 0 ? 1 : kNanoseconds / timebase_};
    return argument[1] == 0 || memory_.copy_out(argument[1], &step, sizeof step)
               ? 0
               : static_cast<int64_t>(kBadAddress);
}

int64_t SystemCalls::time_of_day(Arguments argument) {
    const TimePair time = in_parts(now(), timebase_, kMicroseconds);
    return memory_.copy_out(argument[0], &time, sizeof time) ? 0
                                                             : static_cast<int64_t>(kBadAddress);
}

int64_t SystemCalls::seconds(Arguments argument) {
    const uint64_t time = now() / timebase_;
    if (argument[0] != 0 && !memory_.copy_out(argument[0], &time, sizeof time)) {
        return kBadAddress;
    }
    return static_cast<int64_t>(time);
}

int64_t SystemCalls::process_times(Arguments argument) {
    constexpr uint64_t kTicks = 100;
    const TimePair time = in_parts(now(), timebase_, kTicks);
    const uint64_t ticks = time.seconds * kTicks + time.parts;
    const uint64_t times[4] = {ticks, 0, 0, 0};
    if (argument[0] != 0 && !memory_.copy_out(argument[0], times, sizeof times)) {
        return kBadAddress;
    }
    return static_cast<int64_t>(ticks);
}

int64_t SystemCalls::wait_for(uint64_t timespec) {
    TimePair time{};
    if (!memory_.copy_in(&time, timespec, sizeof time)) {
        return kBadAddress;
    }
    if (time.parts >= kNanoseconds) {
        return kInvalid;
    }
    const uint64_t end = now() + time.seconds * timebase_ + time.parts * timebase_ / kNanoseconds;
    while (now() < end) {
    }
    return 0;
}

int64_t SystemCalls::sleep(Arguments argument) {
    return wait_for(argument[0]);
}

int64_t SystemCalls::clock_sleep(Arguments argument) {
    constexpr uint64_t kAbsolute = 1;
    return (argument[1] & kAbsolute) != 0 ? static_cast<int64_t>(kInvalid) : wait_for(argument[2]);
}

// --- Who the program is -------------------------------------------------------------------------

int64_t SystemCalls::name(Arguments argument) {
    struct Names {
        char field[6][65];
    } names{};
    const char* const texts[] = {"Linux", "pes-vp", "5.10.0", "proxy kernel", "riscv64", ""};
    for (unsigned i = 0; i < 6; ++i) {
        for (unsigned at = 0; texts[i][at] != '\0'; ++at) {
            names.field[i][at] = texts[i][at];
        }
    }
    return memory_.copy_out(argument[0], &names, sizeof names) ? 0
                                                               : static_cast<int64_t>(kBadAddress);
}

int64_t SystemCalls::limits(Arguments argument) {
    constexpr uint64_t kStack = 3, kNone = ~uint64_t{0};
    const uint64_t limit = argument[1] == kStack ? kStackBytes : kNone;
    const uint64_t both[2] = {limit, limit};
    return argument[3] == 0 || memory_.copy_out(argument[3], both, sizeof both)
               ? 0
               : static_cast<int64_t>(kBadAddress);
}

/// The same numbers in each run.
int64_t SystemCalls::random(Arguments argument) {
    for (uint64_t done = 0; done < argument[1]; ++done) {
        random_state_ ^= random_state_ << 13;
        random_state_ ^= random_state_ >> 7;
        random_state_ ^= random_state_ << 17;
        const auto byte = static_cast<uint8_t>(random_state_ >> 32);
        if (!memory_.copy_out(argument[0] + done, &byte, 1)) {
            return kBadAddress;
        }
    }
    return static_cast<int64_t>(argument[1]);
}

/// There is one thread: nobody waits, and nobody would wake it.
int64_t SystemCalls::futex(Arguments argument) {
    constexpr uint64_t kCommand = 0x7F, kWake = 1;
    return (argument[1] & kCommand) == kWake ? 0 : static_cast<int64_t>(kTryAgain);
}

int64_t SystemCalls::process(Arguments /*argument*/) {
    return 1;
}

int64_t SystemCalls::zero(Arguments /*argument*/) {
    return 0;
}

int64_t SystemCalls::not_there(Arguments /*argument*/) {
    return kNoSuchCall;
}

int64_t SystemCalls::flush_code(Arguments /*argument*/) {
    asm volatile("fence.i" ::: "memory");
    return 0;
}

int64_t SystemCalls::exit(Arguments argument) {
    end_run(argument[0] & 0xFF);
}

int64_t SystemCalls::kill(Arguments argument) {
    end_run(kExitOfSignal + (argument[1] & 0x7F));
}

int64_t SystemCalls::kill_thread(Arguments argument) {
    end_run(kExitOfSignal + (argument[2] & 0x7F));
}

} // namespace pes::proxy
