// SPDX-License-Identifier: Apache-2.0
#include "platform/host/special_file.h"

#include "platform/host/end_request.h"
#include "platform/host/file_descriptor.h"
#include "platform/host/user_error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path, const std::string& why) {
    throw UserError(std::string(what) + " '" + path.string() + "': " + why);
}

std::string nobody(const char* does) {
    return std::string("nobody has opened this pipe for ") + does + " within " +
           std::to_string(kPatience.count()) + " seconds";
}

/// True as soon as `done` says so; false after kPatience, or if the run shall end.
template <typename Condition>
bool comes_true(Condition done) {
    constexpr std::chrono::milliseconds kInterval{5};
    const auto last = std::chrono::steady_clock::now() + kPatience;
    while (!done()) {
        if (std::chrono::steady_clock::now() >= last || end_requested() != EndRequest::None) {
            return false;
        }
        std::this_thread::sleep_for(kInterval);
    }
    return true;
}

/// Whether somebody has the pipe open for writing or has left something in it. Takes nothing out:
/// the copy of one byte goes into a pipe of our own.
bool has_writer(int pipe) {
    std::array<int, 2> copy{};
    if (::pipe2(copy.data(), O_CLOEXEC) != 0) {
        return true;
    }
    const FileDescriptor read_end(copy[0]);
    const FileDescriptor write_end(copy[1]);
    const ssize_t copied = ::tee(pipe, write_end.get(), 1, SPLICE_F_NONBLOCK);
    return copied != 0; // 0: empty and without a writer; -1 with EAGAIN: empty so far
}

/// What follows waits for data and for room, as usual.
void set_waiting(int descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFL);
    ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

/// `stream` owns `descriptor` from here on.
template <typename Stream>
void attach(Stream& stream, int descriptor, std::ios::openmode mode) {
    __gnu_cxx::stdio_filebuf<char> buffer(descriptor, mode | std::ios::binary);
    *stream.rdbuf() = static_cast<std::basic_filebuf<char>&&>(buffer);
}

} // namespace

void open_special(std::ifstream& stream, const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        fail("cannot open", path, std::strerror(errno));
    }
    if (fs::is_fifo(path) && !comes_true([=] { return has_writer(descriptor); })) {
        ::close(descriptor);
        fail("cannot read", path, nobody("writing"));
    }
    set_waiting(descriptor);
    attach(stream, descriptor, std::ios::in);
}

int open_special_output(const fs::path& path) {
    int descriptor = -1;
    const auto open = [&] {
        descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        return descriptor >= 0 || errno != ENXIO; // ENXIO: a pipe that nobody reads
    };
    const bool pipe = fs::is_fifo(path);
    if (pipe && !comes_true(open)) {
        fail("cannot write", path, nobody("reading"));
    }
    if (descriptor < 0 && (pipe || !open() || descriptor < 0)) {
        fail("cannot write", path, std::strerror(errno));
    }
    set_waiting(descriptor);
    return descriptor;
}

void open_special(std::ofstream& stream, const fs::path& path) {
    attach(stream, open_special_output(path), std::ios::out);
}

bool is_special(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void require_no_special(const char* what, const fs::path& path) {
    if (is_special(path)) {
        fail(what, path, "it is a pipe or a device, expected a regular file");
    }
}

} // namespace pes
