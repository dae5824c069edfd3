// SPDX-License-Identifier: Apache-2.0
// The machine layer's own services: console, end of the run, host files, address checks.
#pragma once

#include "firmware/boot/frame.h"
#include "firmware/boot/layout.h"
#include "firmware/sbi/sbi.h"
#include "platform.h"

#include <stdint.h>

namespace pes {

/// Bytes on the UART.
void console_put(char byte);
/// -1 if nothing was received.
int console_get();

/// Ends the run through the test finisher; a machine without one is asked through HTIF.
[[noreturn]] void end_run(uint32_t exit_code);

/// A trap that nobody handles: cause, pc, tval and the main registers on the console, then the end
/// of the run with exit code 128 + cause.
[[noreturn]] void report_fatal_trap(const TrapFrame& frame, uint64_t cause, uint64_t tval);

/// Host file service over HTIF. `probe_host` must run once before the others.
void probe_host();
bool host_answers();
/// Bytes written, or negative: the host's error number.
int64_t host_write(uint64_t file, uint64_t physical_address, uint64_t length);

/// True if [address, address + size) is main memory that supervisor software owns.
bool supervisor_owns(uint64_t address, uint64_t size);

/// Of a hart with Sstc: its timer is stimecmp from now on, and waits for nothing.
void use_supervisor_timer();

// The extensions.
sbi::Result base_extension(const sbi::Call& call);
sbi::Result timer_extension(const sbi::Call& call);
sbi::Result ipi_extension(const sbi::Call& call);
sbi::Result remote_fence_extension(const sbi::Call& call);
sbi::Result hart_state_extension(const sbi::Call& call);
sbi::Result console_extension(const sbi::Call& call);
sbi::Result reset_extension(const sbi::Call& call);
sbi::Result pmu_extension(const sbi::Call& call);
sbi::Result sampling_extension(const sbi::Call& call);
sbi::Result host_extension(const sbi::Call& call);

/// True if probe_extension should answer 1.
bool extension_available(uint64_t extension);

/// Serves a call that answers in a0 only; false: it is none of these.
bool serve_legacy(uint64_t extension, TrapFrame& frame);

/// Serves the ecall in `frame` and steps over it.
void serve_call(TrapFrame& frame);

inline constexpr sbi::Result kSbiNotSupported{sbi::kNotSupported, 0};

} // namespace pes
