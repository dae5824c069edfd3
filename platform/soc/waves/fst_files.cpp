// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/fst_files.h"

#include <cerrno>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

namespace pes {
namespace {

FstFiles* open_files = nullptr;

void note_error() {
    if (open_files != nullptr) {
        open_files->note(errno != 0 ? errno : EIO);
    }
}

std::FILE* noted(std::FILE* file) {
    if (file == nullptr) {
        note_error();
    }
    return file;
}

} // namespace

FstFiles::FstFiles() {
    if (open_files != nullptr) {
        throw std::logic_error("two FST files are written at the same time");
    }
    open_files = this;
}

FstFiles::~FstFiles() {
    open_files = nullptr;
}

/// A long recording may be larger than memory, so this is on the disk.
std::FILE* FstFiles::open_result() {
    std::FILE* const file = noted(std::tmpfile());
    if (file != nullptr) {
        result_.emplace(::dup(::fileno(file)));
    }
    return file;
}

} // namespace pes

extern "C" {

/// In memory: the library maps these files, and a mapped file on a full disk ends the process.
std::FILE* pes_fst_tmpfile() {
    const int descriptor = ::memfd_create("fst", MFD_CLOEXEC);
    return pes::noted(descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b"));
}

/// By name it opens the result, the declarations (".hier"), and /proc/meminfo.
std::FILE* pes_fst_fopen(const char* name, const char* mode) {
    const std::string_view text = name;
    if (text == pes::FstFiles::kResult && pes::open_files != nullptr) {
        return pes::open_files->open_result();
    }
    return text.starts_with(pes::FstFiles::kResult) ? pes_fst_tmpfile() : std::fopen(name, mode);
}

std::size_t pes_fst_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
    errno = 0;
    const std::size_t written = std::fwrite(from, size, count, file);
    if (written != count && size != 0) {
        pes::note_error();
    }
    return written;
}

int pes_fst_fflush(std::FILE* file) {
    errno = 0;
    const int result = std::fflush(file);
    if (result != 0) {
        pes::note_error();
    }
    return result;
}

/// What failed outside of the functions above has left its mark in the stream.
int pes_fst_fclose(std::FILE* file) {
    errno = 0;
    const bool failed = std::ferror(file) != 0;
    const int result = std::fclose(file);
    if (failed || result != 0) {
        pes::note_error();
    }
    return result;
}

/// Of the declarations, which go into the result past its stream.
int pes_fst_gzclose(gzFile file) {
    errno = 0;
    const int result = gzclose(file);
    if (result != Z_OK) {
        pes::note_error();
    }
    return result;
}

/// Its files have no names.
int pes_fst_unlink(const char* /*name*/) {
    return 0;
}
}
