// SPDX-License-Identifier: Apache-2.0
// The calls of SystemCalls about files.
#include "firmware/proxy/errors.h"
#include "firmware/proxy/services.h"
#include "firmware/proxy/system_calls.h"

namespace pes::proxy {

namespace {

constexpr uint64_t kInput = 0, kOutput = 1, kError = 2;
constexpr uint64_t kFirstHostFile = 4;

/// Of Linux on 64-bit machines.
struct FileStatus {
    uint64_t device;
    uint64_t inode;
    uint32_t mode;
    uint32_t links;
    uint32_t user;
    uint32_t group;
    uint64_t device_of;
    uint64_t unused0;
    int64_t size;
    int32_t block_size;
    int32_t unused1;
    int64_t blocks;
    uint64_t times[6];
    uint32_t unused2[2];
};
static_assert(sizeof(FileStatus) == 128);

constexpr uint32_t kCharacterDevice = 0020000, kRegularFile = 0100000, kReadWriteAll = 0666;

FileStatus status_of(uint32_t kind, int64_t size) {
    FileStatus status{};
    status.mode = kind | kReadWriteAll;
    status.links = 1;
    status.size = size;
    status.block_size = kPageSize;
    status.blocks = (size + 511) / 512;
    return status;
}

/// -1: not a file of the host.
int64_t size_of(uint64_t file) {
    const int64_t here = host_seek(file, 0, Whence::Current);
    const int64_t size = here < 0 ? here : host_seek(file, 0, Whence::End);
    if (size >= 0) {
        host_seek(file, here, Whence::Begin);
    }
    return size;
}

} // namespace

int64_t SystemCalls::open_at(Arguments argument) {
    char path[256];
    if (!memory_.copy_text_in(path, sizeof path, argument[1])) {
        return kNameTooLong;
    }
    const bool here = path[0] == '.' && path[1] == '/';
    return host_open(here ? path + 2 : path, argument[2]);
}

int64_t SystemCalls::open(Arguments argument) {
    const uint64_t at_here[] = {0, argument[0], argument[1]};
    return open_at(at_here);
}

/// Whatever can be opened may be read and written.
int64_t SystemCalls::access_at(Arguments argument) {
    constexpr uint64_t kReadOnly = 0;
    const uint64_t to_open[] = {argument[0], argument[1], kReadOnly};
    const int64_t file = open_at(to_open);
    return file < 0 ? file : host_close(static_cast<uint64_t>(file));
}

int64_t SystemCalls::access(Arguments argument) {
    const uint64_t at_here[] = {0, argument[0]};
    return access_at(at_here);
}

int64_t SystemCalls::close(Arguments argument) {
    return argument[0] < kFirstHostFile ? 0 : host_close(argument[0]);
}

int64_t SystemCalls::seek(Arguments argument) {
    return argument[0] < kFirstHostFile ? static_cast<int64_t>(kIllegalSeek)
                                        : host_seek(argument[0], static_cast<int64_t>(argument[1]),
                                                    static_cast<Whence>(argument[2]));
}

/// A line, as a terminal gives it; less at the end of the input.
int64_t SystemCalls::read_console(uint64_t address, uint64_t length) {
    uint64_t done = 0;
    while (done < length) {
        const int read = console_get();
        if (read < 0) {
            break;
        }
        const char key = read == '\r' ? '\n' : static_cast<char>(read);
        if (!memory_.copy_out(address + done, &key, 1)) {
            return kBadAddress;
        }
        ++done;
        if (key == '\n') {
            break;
        }
    }
    return static_cast<int64_t>(done);
}

int64_t SystemCalls::transfer(uint64_t file, uint64_t address, uint64_t length, bool out) {
    if (file < kFirstHostFile && (out ? file != kOutput && file != kError : file != kInput)) {
        return kBadFile;
    }
    if (file == kInput) {
        return read_console(address, length);
    }
    uint64_t done = 0;
    while (done < length) {
        const UserMemory::Piece part =
            memory_.piece(address + done, length - done, out ? Intent::Read : Intent::Write);
        if (part.physical == 0) {
            return done != 0 ? static_cast<int64_t>(done) : static_cast<int64_t>(kBadAddress);
        }
        const int64_t moved = file < kFirstHostFile ? console_write(part.physical, part.bytes)
                              : out                 ? host_write(file, part.physical, part.bytes)
                                                    : host_read(file, part.physical, part.bytes);
        if (moved < 0) {
            return done != 0 ? static_cast<int64_t>(done) : moved;
        }
        done += static_cast<uint64_t>(moved);
        if (static_cast<uint64_t>(moved) < part.bytes) {
            break;
        }
    }
    return static_cast<int64_t>(done);
}

int64_t SystemCalls::read(Arguments argument) {
    return transfer(argument[0], argument[1], argument[2], false);
}

int64_t SystemCalls::write(Arguments argument) {
    return transfer(argument[0], argument[1], argument[2], true);
}

int64_t SystemCalls::transfer_vector(Arguments argument, bool out) {
    constexpr uint64_t kMostPieces = 1024;
    struct {
        uint64_t address;
        uint64_t length;
    } piece{};
    if (argument[2] > kMostPieces) {
        return kInvalid;
    }
    int64_t done = 0;
    for (uint64_t i = 0; i < argument[2]; ++i) {
        if (!memory_.copy_in(&piece, argument[1] + i * sizeof piece, sizeof piece)) {
            return kBadAddress;
        }
        if (piece.length == 0) {
            continue;
        }
        const int64_t moved = transfer(argument[0], piece.address, piece.length, out);
        if (moved < 0) {
            return done != 0 ? done : moved;
        }
        done += moved;
        if (static_cast<uint64_t>(moved) < piece.length) {
            break;
        }
    }
    return done;
}

int64_t SystemCalls::read_vector(Arguments argument) {
    return transfer_vector(argument, false);
}

int64_t SystemCalls::write_vector(Arguments argument) {
    return transfer_vector(argument, true);
}

int64_t SystemCalls::status(Arguments argument) {
    FileStatus status = status_of(kCharacterDevice, 0);
    if (argument[0] >= kFirstHostFile) {
        const int64_t size = size_of(argument[0]);
        if (size < 0) {
            return size;
        }
        status = status_of(kRegularFile, size);
    }
    return memory_.copy_out(argument[1], &status, sizeof status)
               ? 0
               : static_cast<int64_t>(kBadAddress);
}

/// With an empty path it is about the open file.
int64_t SystemCalls::status_at(Arguments argument) {
    constexpr uint64_t kReadOnly = 0;
    char path[256];
    if (!memory_.copy_text_in(path, sizeof path, argument[1])) {
        return kNameTooLong;
    }
    if (path[0] == '\0') {
        const uint64_t of_file[] = {argument[0], argument[2]};
        return status(of_file);
    }
    const uint64_t to_open[] = {argument[0], argument[1], kReadOnly};
    const int64_t file = open_at(to_open);
    if (file < 0) {
        return file;
    }
    const uint64_t of_file[] = {static_cast<uint64_t>(file), argument[2]};
    const int64_t result = status(of_file);
    host_close(static_cast<uint64_t>(file));
    return result;
}

int64_t SystemCalls::status_of_path(Arguments argument) {
    const uint64_t at_here[] = {0, argument[0], argument[1]};
    return status_at(at_here);
}

int64_t SystemCalls::control(Arguments argument) {
    constexpr uint64_t kGetDescriptorFlags = 1, kSetDescriptorFlags = 2, kGetFlags = 3;
    constexpr int64_t kReadWrite = 2;
    switch (argument[1]) {
    case kGetDescriptorFlags:
    case kSetDescriptorFlags:
        return 0;
    case kGetFlags:
        return kReadWrite;
    default:
        return kInvalid;
    }
}

int64_t SystemCalls::no_terminal(Arguments /*argument*/) {
    return kNotTerminal;
}

int64_t SystemCalls::current_directory(Arguments argument) {
    constexpr char kRoot[] = "/";
    if (argument[1] < sizeof kRoot) {
        return kRange;
    }
    return memory_.copy_out(argument[0], kRoot, sizeof kRoot) ? static_cast<int64_t>(sizeof kRoot)
                                                              : static_cast<int64_t>(kBadAddress);
}

} // namespace pes::proxy
