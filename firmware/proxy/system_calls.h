// SPDX-License-Identifier: Apache-2.0
// The system calls of a program, with the numbers, structures and errors of Linux on RV64: what one
// thread of a statically linked program of newlib, picolibc or glibc needs. Files are those of the
// host (--guest-files), where the firmware gives them.
#pragma once

#include "firmware/boot/frame.h"
#include "firmware/proxy/user_memory.h"

#include <stdint.h>

namespace pes::proxy {

class SystemCalls {
  public:
    /// `heap`: where brk begins. `timebase`: of the CSR `time`, in Hz.
    SystemCalls(UserMemory& memory, uint64_t heap, uint64_t timebase);

    /// The call in `frame`; its result goes to a0.
    void serve(TrapFrame& frame);

  private:
    using Arguments = const uint64_t*;
    using Handler = int64_t (SystemCalls::*)(Arguments);
    struct Entry {
        uint16_t number;
        Handler handler;
    };
    static const Entry kTable[];

    // Files.
    int64_t open_at(Arguments argument);
    int64_t open(Arguments argument);
    int64_t access_at(Arguments argument);
    int64_t access(Arguments argument);
    int64_t close(Arguments argument);
    int64_t seek(Arguments argument);
    int64_t read(Arguments argument);
    int64_t write(Arguments argument);
    int64_t read_vector(Arguments argument);
    int64_t write_vector(Arguments argument);
    int64_t status(Arguments argument);
    int64_t status_at(Arguments argument);
    int64_t status_of_path(Arguments argument);
    int64_t control(Arguments argument);
    int64_t no_terminal(Arguments argument);
    int64_t current_directory(Arguments argument);
    int64_t transfer(uint64_t file, uint64_t address, uint64_t length, bool out);
    int64_t transfer_vector(Arguments argument, bool out);
    int64_t read_console(uint64_t address, uint64_t length);

    // Memory.
    int64_t set_break(Arguments argument);
    int64_t map(Arguments argument);
    int64_t unmap(Arguments argument);
    int64_t remap(Arguments argument);
    uint64_t new_place(uint64_t length);
    int64_t map_file(uint64_t file, uint64_t offset, uint64_t address, uint64_t length);

    // Time, and who the program is.
    int64_t clock_time(Arguments argument);
    int64_t clock_resolution(Arguments argument);
    int64_t time_of_day(Arguments argument);
    int64_t seconds(Arguments argument);
    int64_t process_times(Arguments argument);
    int64_t sleep(Arguments argument);
    int64_t clock_sleep(Arguments argument);
    int64_t name(Arguments argument);
    int64_t limits(Arguments argument);
    int64_t random(Arguments argument);
    int64_t futex(Arguments argument);
    int64_t process(Arguments argument);
    int64_t zero(Arguments argument);
    int64_t not_there(Arguments argument);
    int64_t flush_code(Arguments argument);
    int64_t exit(Arguments argument);
    int64_t kill(Arguments argument);
    int64_t kill_thread(Arguments argument);
    int64_t wait_for(uint64_t timespec);

    void tell_unknown(uint64_t number);

    UserMemory& memory_;
    uint64_t heap_;
    uint64_t break_;
    uint64_t next_mapping_;
    uint64_t timebase_;
    uint64_t random_state_ = 0x9E37'79B9'7F4A'7C15;
    uint64_t told_[8] = {}; ///< bit n: that call n is not there
};

} // namespace pes::proxy
