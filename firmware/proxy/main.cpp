// SPDX-License-Identifier: Apache-2.0
// A proxy kernel: runs one statically linked user program, which lies in memory as the initial RAM
// disk, with the words of the command line as its arguments. Supervisor mode, behind any SBI
// firmware. docs/sdk.md
#include "firmware/boot/csr.h"
#include "firmware/boot/frame.h"
#include "firmware/lib/flat_tree.h"
#include "firmware/lib/placement_new.h"
#include "firmware/lib/text.h"
#include "firmware/proxy/program.h"
#include "firmware/proxy/services.h"
#include "firmware/proxy/system_calls.h"
#include "platform.h"

extern "C" char page_pool_start[];
extern "C" [[noreturn]] void enter_user(uint64_t entry, uint64_t stack);

namespace pes::proxy {

namespace {

constexpr uint64_t kGigabyte = uint64_t{1} << 30;
constexpr uint64_t kStackTop = 0x3F'FFFF'F000; ///< one page below the end of user space
constexpr uint64_t kNotStarted = 127;          ///< exit code, as a shell's
constexpr uint64_t kWrongFile = 126;

// Signals, by which a shell says why a program has ended.
enum Signal : uint64_t { kIllegal = 4, kBreakpoint = 5, kBus = 7, kSegment = 11 };

/// What the kernel wants to know of the device tree.
struct Boot {
    uint64_t program_start = 0;
    uint64_t program_end = 0;
    uint64_t timebase = PES_TIMEBASE_HZ;
    uint64_t memory_end = 0;
    const char* arguments = "";
};

uint64_t number(const FlatTree::Property& property, uint32_t cell = 0) {
    if (property.cell_count() <= cell) {
        return 0;
    }
    const uint64_t first = property.cell(cell);
    return property.cell_count() == cell + 1 ? first : first << 32 | property.cell(cell + 1);
}

Boot read_tree(const uint8_t* start) {
    Boot boot;
    const FlatTree tree(start, FlatTree::size_of(start));
    boot.memory_end = reinterpret_cast<uint64_t>(start);
    FlatTree::Token token;
    for (uint32_t offset = 0; tree.read(offset, token); offset = token.next) {
        if (token.kind != FlatTree::kProperty) {
            continue;
        }
        if (tree.is_named(token, "linux,initrd-start")) {
            boot.program_start = number(token.value);
        } else if (tree.is_named(token, "linux,initrd-end")) {
            boot.program_end = number(token.value);
        } else if (tree.is_named(token, "timebase-frequency") && number(token.value) != 0) {
            boot.timebase = number(token.value);
        } else if (tree.is_named(token, "bootargs") && token.value.size != 0 &&
                   token.value.bytes[token.value.size - 1] == 0) {
            boot.arguments = reinterpret_cast<const char*>(token.value.bytes);
        }
    }
    return boot;
}

/// The larger of the two free pieces of memory: before the program's file, or behind it up to the
/// tree.
PagePool free_memory(const Boot& boot) {
    const auto first = reinterpret_cast<uint64_t>(page_pool_start);
    const uint64_t behind = page_up(boot.program_end);
    const uint64_t before_size = boot.program_start > first ? boot.program_start - first : 0;
    const uint64_t behind_size = boot.memory_end > behind ? boot.memory_end - behind : 0;
    return before_size > behind_size ? PagePool(first, boot.program_start & ~(kPageSize - 1))
                                     : PagePool(behind, boot.memory_end & ~(kPageSize - 1));
}

/// Everything of the one program.
struct Kernel {
    explicit Kernel(const Boot& boot) : pool(free_memory(boot)), space(pool), memory(pool, space) {}
    PagePool pool;
    AddressSpace space;
    UserMemory memory;
};

// Constructed in this storage: there is nobody to run static constructors.
alignas(Kernel) unsigned char kernel_storage[sizeof(Kernel)];
alignas(SystemCalls) unsigned char calls_storage[sizeof(SystemCalls)];

Kernel& kernel() {
    return *reinterpret_cast<Kernel*>(kernel_storage);
}

SystemCalls& calls() {
    return *reinterpret_cast<SystemCalls*>(calls_storage);
}

[[noreturn]] void give_up(const char* what, const char* more, uint64_t code) {
    print(console_put, "proxy kernel: ", what, more, "\n");
    end_run(code);
}

uint64_t signal_of(uint64_t cause) {
    switch (cause) {
    case kCauseIllegalInstruction:
        return kIllegal;
    case 3:
        return kBreakpoint;
    case kCauseLoadMisaligned:
    case kCauseStoreMisaligned:
        return kBus;
    default:
        return kSegment;
    }
}

void report(const char* who, const TrapFrame& frame, uint64_t cause) {
    print(console_put, "\nproxy kernel: ", who, " stopped: cause ", Hex{cause}, "  pc ",
          Hex{frame.pc}, "  tval ", Hex{read_csr<csr::kStval>()}, "  ra ", Hex{frame.x[kRa]},
          "  sp ", Hex{frame.x[kSp]}, "\n");
}

bool is_page_fault(uint64_t cause) {
    constexpr uint64_t kStorePageFault = 15;
    return cause == kCauseInstructionPageFault || cause == kCauseLoadPageFault ||
           cause == kStorePageFault;
}

} // namespace

extern "C" void supervisor_trap(TrapFrame& frame) {
    const uint64_t cause = read_csr<csr::kScause>();
    if ((frame.status & kStatusSpp) != 0) {
        report("the kernel", frame, cause);
        end_run(kExitOfSignal + signal_of(cause));
    }
    if (cause == kCauseUserCall) {
        calls().serve(frame);
        return;
    }
    const uint64_t address = read_csr<csr::kStval>();
    // A page that is there is one that must not be accessed so.
    if (is_page_fault(cause) && kernel().space.translate(address, Intent::Read) == 0 &&
        kernel().memory.touch(address)) {
        return;
    }
    if (kernel().memory.out_of_memory()) {
        give_up("main memory is used up", ": --set dram.size=N", kExitOfSignal + kSegment);
    }
    report("the program", frame, cause);
    end_run(kExitOfSignal + signal_of(cause));
}

/// From entry.S: a0 and a1 of the firmware.
extern "C" [[noreturn]] void supervisor_main(uint64_t /*hart*/, const uint8_t* tree) {
    const Boot boot = read_tree(tree);
    if (boot.program_start == 0 || boot.program_end <= boot.program_start) {
        give_up("there is no program", ": it is expected as --initrd FILE", kNotStarted);
    }
    new (kernel_storage) Kernel(boot);
    Kernel& kernel = proxy::kernel();
    for (uint64_t base = PES_DRAM_BASE; base < boot.memory_end; base += kGigabyte) {
        kernel.space.map_gigabyte(base);
    }
    Program program;
    if (const char* const wrong =
            load_program(kernel.memory, reinterpret_cast<const uint8_t*>(boot.program_start),
                         boot.program_end - boot.program_start, program)) {
        give_up("the program cannot be run: ", wrong, kWrongFile);
    }
    if (!make_stack(kernel.memory, kStackTop, kStackBytes, boot.arguments, program)) {
        give_up("the arguments are too many, or there is no memory for them", "", kWrongFile);
    }
    new (calls_storage) SystemCalls(kernel.memory, program.heap, boot.timebase);
    kernel.space.activate();
    write_csr<csr::kScounteren>(~uint64_t{0});
    clear_csr<csr::kSstatus>(kStatusSpp);
    set_csr<csr::kSstatus>(kStatusSpie | kStatusFsDirty);
    enter_user(program.entry, program.stack);
}

} // namespace pes::proxy
