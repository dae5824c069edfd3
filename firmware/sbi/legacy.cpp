// SPDX-License-Identifier: Apache-2.0
// Calls that answer in a0 only: the legacy extensions of SBI 0.1, each by the extension that
// replaced it, and the thesis's four, whose numbers lie in the same range.
#include "firmware/boot/csr.h"
#include "firmware/pes/sampler.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/program_memory.h"

namespace pes {

namespace {

/// Legacy masks are words in the supervisor's virtual memory; address 0 means every hart.
int64_t load_hart_mask(const TrapFrame& frame, uint64_t& mask, uint64_t& base) {
    const uint64_t address = frame.x[kA0];
    base = address == 0 ? sbi::kAllHarts : 0;
    return address == 0 || load_program(frame, address, sizeof(mask), mask).cause == 0
               ? sbi::kSuccess
               : sbi::kInvalidAddress;
}

int64_t send_ipi(const TrapFrame& frame) {
    uint64_t argument[2] = {};
    const int64_t unread = load_hart_mask(frame, argument[0], argument[1]);
    return unread != sbi::kSuccess ? unread : ipi_extension({sbi::ipi::kSend, argument}).error;
}

int64_t remote_fence(const TrapFrame& frame, uint64_t function) {
    uint64_t argument[5] = {0, 0, frame.x[kA1], frame.x[kA2], frame.x[kA3]};
    const int64_t unread = load_hart_mask(frame, argument[0], argument[1]);
    return unread != sbi::kSuccess ? unread : remote_fence_extension({function, argument}).error;
}

} // namespace

bool serve_legacy(uint64_t extension, TrapFrame& frame) {
    int64_t answer = sbi::kSuccess;
    switch (extension) {
    case sbi::kLegacySetTimer:
        answer = timer_extension({sbi::timer::kSetTimer, &frame.x[kA0]}).error;
        break;
    case sbi::kLegacyPutchar:
        console_put(static_cast<char>(frame.x[kA0]));
        break;
    case sbi::kLegacyGetchar:
        answer = console_get();
        break;
    case sbi::kLegacyClearIpi:
        clear_csr<csr::kMip>(kInterruptSsi);
        break;
    case sbi::kLegacySendIpi:
        answer = send_ipi(frame);
        break;
    case sbi::kLegacyFenceI:
        answer = remote_fence(frame, sbi::remote_fence::kInstructions);
        break;
    case sbi::kLegacySfenceVma:
        answer = remote_fence(frame, sbi::remote_fence::kTranslations);
        break;
    case sbi::kLegacySfenceVmaAsid:
        answer = remote_fence(frame, sbi::remote_fence::kTranslationsOfAsid);
        break;
    case sbi::kLegacyShutdown:
        end_run(0);
    case sbi::kThesisEvent:
    case sbi::kThesisThreshold:
    case sbi::kThesisCounter:
    case sbi::kThesisBuffer:
        answer = thesis_call(extension, frame.x[kA0], frame.x[kA1]);
        break;
    default:
        return false;
    }
    frame.x[kA0] = static_cast<uint64_t>(answer);
    return true;
}

} // namespace pes
