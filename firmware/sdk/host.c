// SPDX-License-Identifier: Apache-2.0
// What picolibc asks of a system, on the host-target interface (docs/sbi.md, Host files): console,
// files in the folder of
// --guest-files, exit code. The console's input is the UART's.
#include "firmware/sdk/pes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    kOpenAt = 56,
    kClose = 57,
    kLseek = 62,
    kRead = 63,
    kWrite = 64,
    kFirstFile = 4,
};

/// Weak: the trace performance library has them too.
__attribute__((aligned(64), section(".tohost"), used, weak)) volatile uint64_t tohost;
__attribute__((aligned(64), section(".tohost"), used, weak)) volatile uint64_t fromhost;

static long host_call(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    static volatile uint64_t block[8] __attribute__((aligned(64)));
    block[0] = number;
    block[1] = a;
    block[2] = b;
    block[3] = c;
    block[4] = d;
    fromhost = 0;
    __asm__ volatile("fence" ::: "memory");
    tohost = (uint64_t)&block[0];
    while (fromhost == 0) {
    }
    __asm__ volatile("fence" ::: "memory");
    return (long)block[0];
}

/// The convention of C: -1, and errno.
static long result_of(long result) {
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

// --- The console's input: a 16550 (docs/devices.md)
// ----------------------------------------------------------

static volatile uint8_t* const kUart = (volatile uint8_t*)0x10000000;
enum { kLineStatus = 5, kDataReady = 0x01 };

static int wait_for_key(void) {
    while ((kUart[kLineStatus] & kDataReady) == 0) {
    }
    return kUart[0];
}

/// A line, as a terminal gives it.
static long read_console(char* to, size_t size) {
    size_t done = 0;
    while (done < size) {
        const int key = wait_for_key();
        to[done++] = key == '\r' ? '\n' : (char)key;
        if (to[done - 1] == '\n') {
            break;
        }
    }
    return (long)done;
}

// --- POSIX
// ---------------------------------------------------------------------------------------------------

/// Linux's numbers, which the host takes, of picolibc's.
static uint64_t host_flags(int flags) {
    return (uint64_t)(flags & O_ACCMODE) | ((flags & O_CREAT) != 0 ? 0100 : 0) |
           ((flags & O_TRUNC) != 0 ? 01000 : 0) | ((flags & O_APPEND) != 0 ? 02000 : 0);
}

int open(const char* name, int flags, ...) {
    return (int)result_of(
        host_call(kOpenAt, (uint64_t)-100, (uint64_t)name, strlen(name) + 1, host_flags(flags)));
}

int close(int file) {
    return file < kFirstFile ? 0 : (int)result_of(host_call(kClose, (uint64_t)file, 0, 0, 0));
}

ssize_t read(int file, void* to, size_t size) {
    return file == STDIN_FILENO
               ? read_console(to, size)
               : result_of(host_call(kRead, (uint64_t)file, (uint64_t)to, size, 0));
}

ssize_t write(int file, const void* from, size_t size) {
    return result_of(host_call(kWrite, (uint64_t)file, (uint64_t)from, size, 0));
}

off_t lseek(int file, off_t offset, int whence) {
    if (file < kFirstFile) {
        errno = ESPIPE;
        return -1;
    }
    return result_of(host_call(kLseek, (uint64_t)file, (uint64_t)offset, (uint64_t)whence, 0));
}

int isatty(int file) {
    return file < kFirstFile;
}

int fstat(int file, struct stat* status) {
    memset(status, 0, sizeof *status);
    status->st_mode = isatty(file) ? S_IFCHR : S_IFREG;
    if (!isatty(file)) {
        const off_t here = lseek(file, 0, SEEK_CUR);
        const off_t size = here < 0 ? here : lseek(file, 0, SEEK_END);
        if (size < 0) {
            return -1;
        }
        lseek(file, here, SEEK_SET);
        status->st_size = size;
    }
    return 0;
}

_Noreturn void _exit(int code) {
    for (;;) {
        tohost = (uint64_t)(uint32_t)code << 1 | 1;
    }
}

// --- stdin, stdout, stderr
// -----------------------------------------------------------------------------------

static char g_line[128];
static size_t g_line_size;

static int flush_line(FILE* stream) {
    (void)stream;
    const size_t size = g_line_size;
    g_line_size = 0;
    return size == 0 || write(STDOUT_FILENO, g_line, size) == (ssize_t)size ? 0 : EOF;
}

static int put_character(char character, FILE* stream) {
    g_line[g_line_size++] = character;
    return character == '\n' || g_line_size == sizeof g_line ? flush_line(stream) : 0;
}

static int put_error(char character, FILE* stream) {
    (void)stream;
    return write(STDERR_FILENO, &character, 1) == 1 ? 0 : EOF;
}

static int get_character(FILE* stream) {
    flush_line(stream);
    const int key = wait_for_key();
    return key == '\r' ? '\n' : key;
}

static FILE g_output = FDEV_SETUP_STREAM(put_character, NULL, flush_line, _FDEV_SETUP_WRITE);
static FILE g_error = FDEV_SETUP_STREAM(put_error, NULL, NULL, _FDEV_SETUP_WRITE);
static FILE g_input = FDEV_SETUP_STREAM(NULL, get_character, NULL, _FDEV_SETUP_READ);
FILE* const stdin = &g_input;
FILE* const stdout = &g_output;
FILE* const stderr = &g_error;

__attribute__((destructor)) static void flush_at_exit(void) {
    flush_line(stdout);
}

// --- Traps
// ---------------------------------------------------------------------------------------------------

_Noreturn void pes_unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    flush_line(stdout);
    char text[96];
    const int size =
        snprintf(text, sizeof text, "unexpected trap: mcause %#lx, mepc %#lx, mtval %#lx\n",
                 (unsigned long)cause, (unsigned long)pc, (unsigned long)value);
    write(STDERR_FILENO, text, (size_t)size);
    _exit(128 + (int)(cause & 0x7F));
}
