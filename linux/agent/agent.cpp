// SPDX-License-Identifier: Apache-2.0
// The first process of the Linux that `pes-vp exec` runs programs on. It makes the system ready and
// asks for a checkpoint; what follows happens in each run that restores it: it reads what to run,
// mounts the shares, runs the program with the host's streams, and tells how that ended.
// hw/interface/maps/linux_agent.h has what is said.
#include "hw/interface/maps/linux_agent.h"
#include "linux/agent/system_calls.h"

#include <string.h>

namespace agent {
namespace {

namespace names = pes::linux_agent;

constexpr char kControl[] = "/pes"; ///< where the control share is
constexpr uint64_t kPageBytes = 4096;
constexpr size_t kPath = 4096;      ///< bytes of a path, at most
constexpr long kErrorLimit = -4095; ///< results from here on are -errno
constexpr long kNameTooLong = -36, kTooBig = -7, kPermission = -13, kInvalid = -22;

bool failed(long result) {
    return result < 0 && result >= kErrorLimit;
}

/// Text of limited length; what does not fit makes it invalid.
class Text {
  public:
    Text& add(const char* more) {
        const size_t size = strlen(more);
        if (length_ + size < sizeof bytes_) {
            memcpy(bytes_ + length_, more, size + 1);
            length_ += size;
        } else {
            fits_ = false;
        }
        return *this;
    }
    Text& add(long number) { return add_digits(static_cast<uint64_t>(number), 10); }
    Text& add_hex(uint64_t number) { return add_digits(number, 16); }
    const char* get() const { return bytes_; }
    size_t size() const { return length_; }
    bool fits() const { return fits_; }

  private:
    Text& add_digits(uint64_t number, unsigned base) {
        char digits[24];
        char* first = digits + sizeof digits - 1;
        *first = 0;
        do {
            *--first = "0123456789abcdef"[number % base];
            number /= base;
        } while (number != 0);
        return add(first);
    }

    char bytes_[kPath + 64] = {};
    size_t length_ = 0;
    bool fits_ = true;
};

long open_control(const char* name, long flags) {
    return open(Text().add(kControl).add("/").add(name).get(), flags | kCloseOnExec);
}

/// Tells the host how it ended, which ends the run.
[[noreturn]] void end(const char* how, long number) {
    const long file = open_control(names::kEnd, kWriteOnly);
    const Text line = Text().add(how).add(" ").add(number).add("\n");
    write(file, line.get(), line.size());
    exit(1); // of the first process: the kernel panics if nobody has listened
}

/// The result if the call has not failed.
long need(long result, const char* how = names::ending::kAgent) {
    if (failed(result)) {
        end(how, -result);
    }
    return result;
}

// --- Before the checkpoint ----------------------------------------------------------------------

void mount_share(const char* tag, const char* place, bool is_control = false) {
    Text options;
    options.add("trans=virtio,version=9p2000.L,msize=262144,cache=")
        .add(is_control ? "none" : "loose");
    need(mount(tag, place, "9p", 0, options.get()), names::ending::kMount);
}

/// Those that the list names, in its order. The user's own must load.
void load_modules(const char* list_file, bool own) {
    static char list[4096];
    const long file = open(list_file, kReadOnly);
    const long size = failed(file) ? 0 : read(file, list, sizeof list - 1);
    close(file);
    char* name = list;
    for (long index = 0; index < size; ++index) {
        if (list[index] == '\n') {
            list[index] = 0;
            const long module = open(Text().add("/modules/").add(name).get(), kReadOnly);
            const long result = load_module(module);
            if (own) {
                need(result, names::ending::kModule);
            }
            close(module);
            name = list + index + 1;
        }
    }
}

/// The streams are files to the kernel, and only a pipe that nobody reads raises SIGPIPE: where the
/// answer to a write is EPIPE, a program of the kernel's tracepoint sends it to the thread that
/// writes. A kernel without eBPF leaves the program with the error alone.
void raise_broken_pipes() {
    constexpr uint8_t kLoad = 0x79, kUnlessEqual = 0x56, kSet = 0xb7, kCall = 0x85, kExit = 0x95;
    constexpr int16_t kType = 8,
                      kError = 24; // of the tracepoint's arguments, the second and fourth
    constexpr int32_t kWriteRequest = 118, kBrokenPipe = -32, kSigPipe = 13, kSendSignal = 109;
    static const BpfInstruction program[] = {
        {kLoad, 0x12, kType, 0},  {kUnlessEqual, 2, 4, kWriteRequest},
        {kLoad, 0x12, kError, 0}, {kUnlessEqual, 2, 2, kBrokenPipe},
        {kSet, 1, 0, kSigPipe},   {kCall, 0, 0, kSendSignal},
        {kSet, 0, 0, 0},          {kExit, 0, 0, 0},
    };
    const long loaded = load_bpf(program, sizeof program / sizeof program[0]);
    if (!failed(loaded)) {
        attach_bpf(loaded, "9p_client_res");
    }
}

void prepare() {
    constexpr const char* kPlaces[] = {"/dev", "/proc", "/sys", "/tmp", kControl, names::kNewRoot};
    for (const char* place : kPlaces) {
        make_directory(place);
    }
    mount("dev", "/dev", "devtmpfs", 0, "");
    mount("proc", "/proc", "proc", 0, "");
    mount("sys", "/sys", "sysfs", 0, "");
    mount("tmp", "/tmp", "tmpfs", 0, "");
    load_modules("/modules/list", false);
    raise_broken_pipes();
    mount_share(names::kControlTag, kControl, true);
    load_modules("/modules/own", true);
}

void ask_for_checkpoint() {
    const long file = need(open_control(names::kCheckpoint, kWriteOnly));
    need(write(file, "1", 1));
    close(file);
}

// --- The command --------------------------------------------------------------------------------

constexpr size_t kMostWords = 16384;

struct Command {
    const char* root = nullptr;
    const char* share = nullptr;
    const char* directory = nullptr;
    const char* result = nullptr;
    bool maps = false;
    bool symbols = false;
    char* arguments[kMostWords + 1] = {};
    char* environment[kMostWords + 1] = {};
};

Command g_command;
char g_records[1 << 20];

/// The value if the record has this key.
char* value_of(char* record, const char* key) {
    const size_t size = strlen(key);
    return strncmp(record, key, size) == 0 && record[size] == '=' ? record + size + 1 : nullptr;
}

void take_record(char* record, size_t& arguments, size_t& environment) {
    namespace keys = names::command;
    Command& command = g_command;
    if (char* value = value_of(record, keys::kArg); value && arguments < kMostWords) {
        command.arguments[arguments++] = value;
    } else if (value = value_of(record, keys::kEnv); value && environment < kMostWords) {
        command.environment[environment++] = value;
    } else if (value = value_of(record, keys::kRoot); value) {
        command.root = value;
    } else if (value = value_of(record, keys::kShare); value) {
        command.share = value;
    } else if (value = value_of(record, keys::kDirectory); value) {
        command.directory = value;
    } else if (value = value_of(record, keys::kResult); value) {
        command.result = value;
    } else if (value = value_of(record, keys::kMaps); value) {
        command.maps = true;
    } else if (value = value_of(record, keys::kSymbols); value) {
        command.symbols = true;
    } else {
        need(kInvalid);
    }
}

void read_command() {
    const long file = need(open_control(names::kCommand, kReadOnly));
    size_t size = 0;
    for (;;) {
        const long more = need(read(file, g_records + size, sizeof g_records - size));
        if (more == 0) {
            break;
        }
        size += static_cast<size_t>(more);
    }
    close(file);
    if (size == sizeof g_records) {
        need(kTooBig);
    }
    size_t arguments = 0;
    size_t environment = 0;
    for (char* record = g_records; record < g_records + size; record += strlen(record) + 1) {
        take_record(record, arguments, environment);
    }
}

/// A folder with all folders above it.
void make_path(const char* path) {
    char part[kPath];
    const size_t size = strlen(path);
    need(size < sizeof part ? 0 : kNameTooLong);
    for (size_t index = 1; index <= size; ++index) {
        if (path[index] == '/' || path[index] == 0) {
            memcpy(part, path, index);
            part[index] = 0;
            make_directory(part);
        }
    }
}

/// A share as the root, and above it a layer in memory that takes what is written there.
void change_to_root_share() {
    make_directory("/lower");
    make_directory("/upper");
    mount_share(g_command.root, "/lower");
    need(mount("upper", "/upper", "tmpfs", 0, ""), names::ending::kMount);
    make_directory("/upper/files");
    make_directory("/upper/work");
    need(mount("root", names::kNewRoot, "overlay", 0,
               "lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work"),
         names::ending::kMount);
    constexpr const char* kBound[] = {"/dev", "/proc", "/sys", "/tmp"};
    for (const char* place : kBound) {
        const Text inside = Text().add(names::kNewRoot).add(place);
        unlink(inside.get()); // debootstrap leaves a link /proc where it may not mount
        make_directory(inside.get());
        mount(place, inside.get(), "", 0x1000 /* MS_BIND */, "");
    }
}

// --- The program --------------------------------------------------------------------------------

/// The program's own streams.
void take_streams() {
    const struct {
        const char* name;
        long flags;
    } streams[] = {
        {names::kStdin, kReadOnly}, {names::kStdout, kWriteOnly}, {names::kStderr, kWriteOnly}};
    for (long descriptor = 0; descriptor < 3; ++descriptor) {
        const long file = need(open_control(streams[descriptor].name, streams[descriptor].flags));
        need(duplicate(file, descriptor));
        close(file);
    }
}

const char* search_path() {
    for (char* const* entry = g_command.environment; *entry != nullptr; ++entry) {
        if (const char* value = value_of(*entry, "PATH")) {
            return value;
        }
    }
    return "/bin";
}

/// As execvp(3). Returns -errno.
long execute_program() {
    const char* const program = g_command.arguments[0];
    if (strchr(program, '/') != nullptr) {
        return execute(program, g_command.arguments, g_command.environment);
    }
    long error = -2; // ENOENT
    for (const char* folder = search_path(); folder != nullptr;) {
        const char* const colon = strchr(folder, ':');
        char path[kPath];
        const size_t size = colon != nullptr ? static_cast<size_t>(colon - folder) : strlen(folder);
        if (size + strlen(program) + 2 <= sizeof path) {
            memcpy(path, folder, size);
            path[size] = '/';
            strcpy(path + size + 1, program);
            const long result = execute(path, g_command.arguments, g_command.environment);
            error = result == kPermission ? result : error;
        }
        folder = colon != nullptr ? colon + 1 : nullptr;
    }
    return error;
}

/// Until it executes the program, this process shares the agent's memory: its instructions are the
/// agent's.
void become_program(void* pipe) {
    const auto* const ready = static_cast<const int*>(pipe);
    char byte = 0;
    close(ready[1]);
    read(ready[0], &byte, 1); // until the parent watches it
    new_session();
    const long end_file = open_control(names::kEnd, kWriteOnly);
    take_streams();
    need(own_mounts());
    if (g_command.root != nullptr) {
        need(change_root(names::kNewRoot));
    }
    need(change_directory(g_command.directory));
    unmount(kControl); // the program has no business there; the root of another has no such place
    const Text line = Text().add(names::ending::kExec).add(" ").add(-execute_program()).add("\n");
    write(end_file, line.get(), line.size());
    exit(127);
}

void tell_file(const char* path, long to) {
    static char text[1 << 16];
    const long file = open(path, kReadOnly);
    for (long size = read(file, text, sizeof text); size > 0;
         size = read(file, text, sizeof text)) {
        write(to, text, static_cast<size_t>(size));
    }
    close(file);
}

/// The beginning of a file of a process in /proc, as text; empty if it cannot be read.
const char* head_of(long process, const char* name, char* text, size_t size) {
    const long file = open(Text().add("/proc/").add(process).add("/").add(name).get(), kReadOnly);
    const long length = failed(file) ? 0 : read(file, text, size - 1);
    text[failed(length) ? 0 : length] = 0;
    close(file);
    return text;
}

/// The number behind a text; 0 if it is not there.
uint64_t number_behind(const char* text, const char* before, unsigned base) {
    const char* digit = text == nullptr ? nullptr : strstr(text, before);
    uint64_t number = 0;
    for (digit = digit == nullptr ? "" : digit + strlen(before);; ++digit) {
        const unsigned value = *digit >= 'a' ? static_cast<unsigned>(*digit - 'a') + 10
                                             : static_cast<unsigned>(*digit - '0');
        if (value >= base) {
            return number;
        }
        number = number * base + value;
    }
}

/// The last page of its stack holds the arguments: from its fields start_stack on it is there
/// (proc_pid_stat(5)).
uint64_t last_stack_page(long process) {
    constexpr unsigned kStartStack = 28, kAfterName = 3;
    static char text[2048];
    const char* field = strrchr(head_of(process, "stat", text, sizeof text), ')');
    for (unsigned index = kAfterName; field != nullptr && index <= kStartStack; ++index) {
        field = strchr(field + 1, ' ');
    }
    return number_behind(field, " ", 10) & ~uint64_t{kPageBytes - 1};
}

/// Where the kernel has that page: bits 54:0 of its entry, if bit 63 is set (Linux,
/// admin-guide/mm/pagemap).
uint64_t frame_of(long process, uint64_t page) {
    uint64_t entry = 0;
    const long file = open(Text().add("/proc/").add(process).add("/pagemap").get(), kReadOnly);
    const long size = read_at(file, &entry, sizeof entry, page / kPageBytes * sizeof entry);
    close(file);
    return size == sizeof entry && entry >> 63 != 0 ? entry & ((uint64_t{1} << 55) - 1) : 0;
}

/// Which program a process has, and what it has mapped. Of a thread, those of its process.
void tell_maps(long thread, const char* kind, long maps_file) {
    static char status[512];
    const uint64_t process =
        number_behind(head_of(thread, "status", status, sizeof status), "Tgid:\t", 10);
    const uint64_t page = last_stack_page(thread);
    const Text head = Text()
                          .add(process != 0 ? static_cast<long>(process) : thread)
                          .add(" ")
                          .add(kind)
                          .add(" ")
                          .add_hex(page)
                          .add(" ")
                          .add_hex(page == 0 ? 0 : frame_of(thread, page))
                          .add("\n");
    write(maps_file, head.get(), head.size());
    tell_file(Text().add("/proc/").add(thread).add("/maps").get(), maps_file);
    write(maps_file, "", 1);
}

/// Lets a watched process that has stopped go on.
void go_on(long process, int status, long maps_file) {
    const int signal = status >> 8 & 0xFF;
    const int event = status >> 16;
    if (event == kEventExit || event == kEventExec) {
        tell_maps(process, event == kEventExec ? names::kExecRecord : names::kEndRecord, maps_file);
        trace(kTraceContinue, process, 0);
    } else if (event == kEventStop && signal != 5 /* SIGTRAP */) {
        trace(kTraceListen, process, 0); // it stays stopped, as it would without us
    } else {
        trace(kTraceContinue, process, event != 0 ? 0 : signal);
    }
}

/// Until the program ends. What it leaves behind ends with the run.
[[noreturn]] void wait_for(long program) {
    const long maps_file = g_command.maps ? need(open_control(names::kMaps, kWriteOnly)) : -1;
    for (;;) {
        int status = 0;
        const long process = need(wait_any(&status));
        if ((status & 0xFF) == 0x7F) {
            go_on(process, status, maps_file);
        } else if (process == program) {
            const int signal = status & 0x7F;
            if (g_command.result != nullptr) {
                tell_file(g_command.result, need(open_control(names::kResult, kWriteOnly)));
            }
            end(signal == 0 ? names::ending::kCode : names::ending::kSignal,
                signal == 0 ? status >> 8 & 0xFF : signal);
        }
    }
}

[[noreturn]] void run() {
    read_command();
    if (g_command.symbols) {
        tell_file("/proc/kallsyms", need(open_control(names::kSymbols, kWriteOnly)));
        end(names::ending::kCode, 0);
    }
    if (g_command.arguments[0] == nullptr || g_command.directory == nullptr) {
        need(kInvalid);
    }
    if (g_command.root != nullptr) {
        change_to_root_share();
    }
    if (g_command.share != nullptr) {
        Text place;
        place.add(g_command.root != nullptr ? names::kNewRoot : "").add(g_command.directory);
        need(place.fits() ? 0 : kNameTooLong);
        make_path(place.get());
        mount_share(g_command.share, place.get());
    }
    int ready[2];
    need(make_pipe(ready));
    alignas(16) static char stack[1 << 16];
    const long program = need(spawn(become_program, ready, stack + sizeof stack));
    if (g_command.maps) {
        need(trace(kTraceSeize, program, kFollowAll));
    }
    close(ready[0]);
    close(ready[1]);
    wait_for(program);
}

} // namespace
} // namespace agent

extern "C" [[noreturn]] void agent_main() {
    agent::prepare();
    agent::ask_for_checkpoint();
    agent::run();
}

// The kernel sets sp. gp stays 0, since the program is linked without relaxation to it.
asm(".text\n.globl _start\n_start:\n    andi sp, sp, -16\n    call agent_main\n");
