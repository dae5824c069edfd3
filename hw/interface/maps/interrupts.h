// SPDX-License-Identifier: Apache-2.0
// Interrupt causes of a hart, and PLIC source indices of the platform; the interrupt id of a source
// is index + 1. Freestanding.
#pragma once

namespace pes::irq {

// Bits of mip and mie (privileged specification, table 3.6).
inline constexpr unsigned kMachineSoftware = 3;
inline constexpr unsigned kSupervisorTimer = 5;
inline constexpr unsigned kMachineTimer = 7;
inline constexpr unsigned kSupervisorExternal = 9;
inline constexpr unsigned kMachineExternal = 11;

inline constexpr unsigned kUartSource = 0;
// Virtio devices, each of which is there if it is used.
inline constexpr unsigned kEntropySource = 1;
inline constexpr unsigned kShareSource = 2;
inline constexpr unsigned kControlSource = 3;
inline constexpr unsigned kDiskSource = 4;
inline constexpr unsigned kRootSource = 5;
inline constexpr unsigned kVirtioConsoleSource = 6;
inline constexpr unsigned kPesThresholdSource = 7;  ///< counter >= threshold (published index)
inline constexpr unsigned kPesBufferFullSource = 8; ///< sample buffer full
inline constexpr unsigned kPesSourcesPerHart = 2;

/// Hart 0 has the published indices, each further hart the two that follow.
constexpr unsigned pes_threshold_source(unsigned hart) {
    return kPesThresholdSource + kPesSourcesPerHart * hart;
}
constexpr unsigned pes_buffer_full_source(unsigned hart) {
    return kPesBufferFullSource + kPesSourcesPerHart * hart;
}

constexpr unsigned id_of(unsigned source) {
    return source + 1;
}

} // namespace pes::irq
