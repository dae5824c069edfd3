// SPDX-License-Identifier: Apache-2.0
// The supervisor layer: runs one user program, serves its system calls, and carries sample buffers
// from the machine layer to the host.
#pragma once

#include "firmware/boot/frame.h"
#include "firmware/supervisor/address_space.h"

#include <stdint.h>

namespace pes {

class Kernel {
  public:
    Kernel();

    /// Maps the program and its stack and enters it.
    [[noreturn]] void run();

    /// The call in `frame`; its result goes to a0.
    void serve(TrapFrame& frame);

    /// Takes the sample buffer, writes its records to the host's sample file and gives it back.
    void drain();

    /// Brings out what is left in the buffer, says what could not be written, ends the run.
    [[noreturn]] void exit(uint64_t code);

  private:
    int64_t write(uint64_t file, uint64_t address, uint64_t length);
    int64_t map_anonymous(uint64_t length, uint64_t protection, uint64_t flags);
    int64_t thesis_call(uint64_t call, uint64_t number, uint64_t value);
    int64_t thesis_buffer(uint64_t first, uint64_t second);
    int64_t sampling_call(uint64_t function, const TrapFrame& frame);
    void note_refusal(uint64_t call, int64_t result);
    bool map_program();
    bool report_samples(uint64_t samples) const;

    PagePool pool_;
    AddressSpace space_;
    uint64_t next_mapping_;
    uint64_t buffer_ = 0;    ///< physical address of the sample buffer
    uint64_t unwritten_ = 0; ///< bytes of records that no host took

    // Why a program that meant to sample may have taken no sample.
    struct Refusal {
        uint64_t call = 0;
        int64_t error = 0;                 ///< 0: none was refused
    } refused_;                            ///< the first unknown or refused call
    uint64_t counters_with_event_ = 0;     ///< bit n = counter n, by the thesis's calls
    uint64_t counters_with_threshold_ = 0; ///< likewise
};

} // namespace pes
