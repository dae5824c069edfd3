// SPDX-License-Identifier: Apache-2.0
// Supervisor start and traps: a user program's system calls, the announcement of a full sample
// buffer, and the end of a program that did what it must not.
#include "firmware/boot/csr.h"
#include "firmware/lib/placement_new.h"
#include "firmware/lib/text.h"
#include "firmware/supervisor/kernel.h"
#include "firmware/supervisor/sbi_call.h"

namespace pes {

namespace {

constexpr uint64_t kExitCodeOfTrap = 128;

// Constructed by supervisor_main() in this storage: there is nobody to run static constructors.
alignas(Kernel) unsigned char kernel_storage[sizeof(Kernel)];

Kernel& kernel() {
    return *reinterpret_cast<Kernel*>(kernel_storage);
}

void report(const char* who, const TrapFrame& frame, uint64_t cause) {
    print(supervisor_put, "\n", who, " stopped: cause ", Hex{cause}, "  pc ", Hex{frame.pc},
          "  tval ", Hex{read_csr<csr::kStval>()}, "  ra ", Hex{frame.x[kRa]}, "  sp ",
          Hex{frame.x[kSp]}, "\n");
}

} // namespace

extern "C" void supervisor_trap(TrapFrame& frame) {
    const uint64_t cause = read_csr<csr::kScause>();
    if ((frame.status & kStatusSpp) != 0) {
        report("supervisor", frame, cause);
        shut_down(kExitCodeOfTrap + (cause & 0x3F));
    }
    if (cause == kCauseUserCall) {
        kernel().serve(frame);
    } else if (cause == kCauseSupervisorSoftware) {
        clear_csr<csr::kSip>(kInterruptSsi);
        kernel().drain();
    } else {
        report("user program", frame, cause);
        kernel().exit(kExitCodeOfTrap + (cause & 0x3F));
    }
}

extern "C" [[noreturn]] void supervisor_main() {
    new (kernel_storage) Kernel;
    kernel().run();
}

} // namespace pes
