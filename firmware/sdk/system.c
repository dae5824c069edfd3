// SPDX-License-Identifier: Apache-2.0
// What picolibc asks of a system: console, files in the folder of --guest-files, exit code, locks,
// thread-local storage. The console's input is the UART's.
#include "firmware/sdk/below.h"
#include <pes.h>
#include <pes_platform.h>

#include <errno.h>
#include <fcntl.h>
#include <picotls.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>
#include <sys/stat.h>
#include <unistd.h>

/// The convention of C: -1, and errno.
static long result_of(long result) {
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

// --- The console's input: a 16550 (docs/devices.md) ---------------------------------------------

static volatile uint8_t* const kUart = (volatile uint8_t*)(uintptr_t)PES_UART_BASE;
enum { kLineStatus = 5, kDataReady = 0x01 };

/// EOF: the input has ended, which only a host that has files says.
static int wait_for_key(void) {
    char nothing = 0;
    while ((kUart[kLineStatus] & kDataReady) == 0) {
        if (pes_host_call(kRead, STDIN_FILENO, (uint64_t)&nothing, 0, 0) == 0) {
            return EOF;
        }
    }
    return kUart[0];
}

/// A line, as a terminal gives it; less at the end of the input.
static long read_console(char* to, size_t size) {
    size_t done = 0;
    while (done < size) {
        const int key = wait_for_key();
        if (key == EOF) {
            break;
        }
        to[done++] = key == '\r' ? '\n' : (char)key;
        if (to[done - 1] == '\n') {
            break;
        }
    }
    return (long)done;
}

// --- POSIX --------------------------------------------------------------------------------------

/// Linux's numbers, which the host takes, of picolibc's.
static uint64_t host_flags(int flags) {
    return (uint64_t)(flags & O_ACCMODE) | ((flags & O_CREAT) != 0 ? 0100 : 0) |
           ((flags & O_TRUNC) != 0 ? 01000 : 0) | ((flags & O_APPEND) != 0 ? 02000 : 0);
}

int open(const char* name, int flags, ...) {
    return (int)result_of(pes_host_call(kOpenAt, (uint64_t)-100, (uint64_t)name, strlen(name) + 1,
                                        host_flags(flags)));
}

int close(int file) {
    return file < kFirstFile ? 0 : (int)result_of(pes_host_call(kClose, (uint64_t)file, 0, 0, 0));
}

ssize_t read(int file, void* to, size_t size) {
    return file == STDIN_FILENO
               ? read_console(to, size)
               : result_of(pes_host_call(kRead, (uint64_t)file, (uint64_t)to, size, 0));
}

ssize_t write(int file, const void* from, size_t size) {
    return result_of(file < kFirstFile
                         ? pes_console_write(from, size)
                         : pes_host_call(kWrite, (uint64_t)file, (uint64_t)from, size, 0));
}

off_t lseek(int file, off_t offset, int whence) {
    if (file < kFirstFile) {
        errno = ESPIPE;
        return -1;
    }
    return result_of(pes_host_call(kLseek, (uint64_t)file, (uint64_t)offset, (uint64_t)whence, 0));
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
    pes_end_run((uint32_t)code);
}

// --- Locks of the C library, which another hart may have ----------------------------------------

struct __lock {
    pes_lock lock;
    int depth;
    unsigned owner; ///< while depth is not 0
};
struct __lock __lock___libc_recursive_mutex;

void __retarget_lock_init_recursive(_LOCK_T* lock) {
    *lock = calloc(1, sizeof(struct __lock));
}
void __retarget_lock_close_recursive(_LOCK_T lock) {
    free(lock);
}
void __retarget_lock_acquire_recursive(_LOCK_T lock) {
    if (lock->depth == 0 || lock->owner != pes_hart_id()) {
        pes_acquire(&lock->lock);
        lock->owner = pes_hart_id();
    }
    ++lock->depth;
}
void __retarget_lock_release_recursive(_LOCK_T lock) {
    if (--lock->depth == 0) {
        pes_release(&lock->lock);
    }
}
int __retarget_lock_try_acquire_recursive(_LOCK_T lock) {
    if (lock->depth == 0 || lock->owner != pes_hart_id()) {
        if (__atomic_exchange_n(&lock->lock, 1, __ATOMIC_ACQUIRE) != 0) {
            return 0;
        }
        lock->owner = pes_hart_id();
    }
    ++lock->depth;
    return 1;
}
void __retarget_lock_init(_LOCK_T* lock) {
    __retarget_lock_init_recursive(lock);
}
void __retarget_lock_close(_LOCK_T lock) {
    __retarget_lock_close_recursive(lock);
}
void __retarget_lock_acquire(_LOCK_T lock) {
    pes_acquire(&lock->lock);
}
void __retarget_lock_release(_LOCK_T lock) {
    pes_release(&lock->lock);
}
int __retarget_lock_try_acquire(_LOCK_T lock) {
    return __atomic_exchange_n(&lock->lock, 1, __ATOMIC_ACQUIRE) == 0;
}

// --- stdin, stdout, stderr ----------------------------------------------------------------------

/// Lines of different harts do not mix.
static __thread char g_line[128];
static __thread size_t g_line_size;

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
    return key == EOF ? _FDEV_EOF : key == '\r' ? '\n' : key;
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

_Noreturn void pes_fail(const char* text) {
    enum { kAborted = 128 + 6 };
    flush_line(stdout);
    pes_console_write(text, strlen(text));
    _exit(kAborted);
}

// The compiler asks for them weakly, which takes nothing out of a library: so they are in this
// file, which each program has, in sections that the linker leaves out of C programs.
__attribute__((section(".text.pure_virtual"))) _Noreturn void __cxa_pure_virtual(void) {
    pes_fail("a pure virtual function was called\n");
}
__attribute__((section(".text.deleted_virtual"))) _Noreturn void __cxa_deleted_virtual(void) {
    pes_fail("a deleted virtual function was called\n");
}

// --- Start and traps ----------------------------------------------------------------------------

const void* pes_device_tree;

extern char __tdata_start[], __tdata_end[], __tbss_end[], __tls_base[];
extern void __libc_init_array(void);
extern int main(int count, char** words);
extern void pes_is_hart(unsigned hart);

size_t pes_tls_size(void) {
    return ((size_t)(__tbss_end - __tdata_start) + 63) & ~(size_t)63;
}

void pes_make_tls(void* block) {
    const size_t first = (size_t)(__tdata_end - __tdata_start);
    memcpy(block, __tdata_start, first);
    memset((char*)block + first, 0, (size_t)(__tbss_end - __tdata_end));
}

/// What pes-vp has for a program that gets words (docs/boot.md).
struct Words {
    uint64_t magic; ///< also a firmware that starts a kernel gets something there
    uint64_t count;
    char* words[]; ///< and NULL
};
static const uint64_t kWordsMagic = 0x766772612D736570; // "pes-argv"

/// From crt0.S. `given`: null, or what the program was started with.
_Noreturn void pes_start(unsigned hart, const void* device_tree, struct Words* given) {
    pes_make_tls(__tls_base);
    _set_tls(__tls_base);
    pes_is_hart(hart);
    pes_device_tree = device_tree;
    __libc_init_array();
    static char name[] = "program";
    static char* words[] = {name, NULL};
    const bool gets_words = given != NULL && given->magic == kWordsMagic;
    exit(gets_words ? main((int)given->count, given->words) : main(1, words));
}

_Noreturn void pes_unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    flush_line(stdout);
    char text[128] = "unexpected trap: ";
    const size_t before = strlen(text);
    snprintf(text + before, sizeof text - before, pes_trap_format, (unsigned long)cause,
             (unsigned long)pc, (unsigned long)value);
    strcat(text, "\n");
    pes_console_write(text, strlen(text));
    _exit(128 + (int)(cause & 0x7F));
}
