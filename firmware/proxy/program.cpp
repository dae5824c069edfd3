// SPDX-License-Identifier: Apache-2.0
#include "firmware/proxy/program.h"

#include "platform.h"

namespace pes::proxy {

namespace {

struct ElfHeader {
    uint8_t identity[16];
    uint16_t type;
    uint16_t machine;
    uint32_t version;
    uint64_t entry;
    uint64_t program_headers;
    uint64_t section_headers;
    uint32_t flags;
    uint16_t header_size;
    uint16_t program_header_size;
    uint16_t program_header_count;
    uint16_t section_header_size;
    uint16_t section_header_count;
    uint16_t names;
};
static_assert(sizeof(ElfHeader) == 64);

struct ProgramHeader {
    uint32_t type;
    uint32_t flags;
    uint64_t offset;
    uint64_t address;
    uint64_t physical;
    uint64_t file_size;
    uint64_t memory_size;
    uint64_t alignment;
};
static_assert(sizeof(ProgramHeader) == 56);

constexpr uint16_t kExecutable = 2, kShared = 3, kRiscv = 243;
constexpr uint32_t kLoad = 1, kInterpreter = 3;
constexpr uint32_t kExecute = 1, kWrite = 2;
constexpr uint64_t kSharedBase = 0x10000;       ///< of a position-independent program
constexpr uint64_t kProgramEnd = PES_DRAM_BASE; ///< from here on the kernel has its map

Access access_of(uint32_t flags) {
    switch (flags & (kExecute | kWrite)) {
    case 0:
        return Access::UserRead;
    case kExecute:
        return Access::UserReadExecute;
    case kWrite:
        return Access::UserReadWrite;
    default:
        return Access::UserAll;
    }
}

bool is_program(const ElfHeader& header, uint64_t size) {
    constexpr uint8_t kStart[] = {0x7F, 'E', 'L', 'F', 2, 1}; // 64 bits, little endian
    for (unsigned i = 0; i < sizeof kStart; ++i) {
        if (header.identity[i] != kStart[i]) {
            return false;
        }
    }
    return header.machine == kRiscv && (header.type == kExecutable || header.type == kShared) &&
           header.program_header_size == sizeof(ProgramHeader) && header.program_headers <= size &&
           uint64_t{header.program_header_count} * sizeof(ProgramHeader) <=
               size - header.program_headers;
}

/// Two segments may share a page: then the program may do there what either allows.
bool reserve(UserMemory& memory, uint64_t start, uint64_t end, Access access, uint64_t& mapped_to,
             Access& last) {
    if (start < mapped_to) {
        last = static_cast<Access>(static_cast<uint64_t>(last) | static_cast<uint64_t>(access));
        const uint64_t shared = mapped_to - kPageSize;
        if (start < shared || !memory.remove(shared, mapped_to) ||
            !memory.add(shared, mapped_to, last)) {
            return false;
        }
        start = mapped_to;
    }
    if (start < end) {
        mapped_to = end;
        last = access;
        return memory.add(start, end, access);
    }
    return true;
}

} // namespace

namespace {

/// The segments of a file that is_program().
class Segments {
  public:
    Segments(const uint8_t* file, uint64_t size, const ElfHeader& header)
        : file_(file), size_(size), header_(header),
          base_(header.type == kShared ? kSharedBase : 0) {}

    /// Calls with each segment to load, as it lies in the program. Null, or what is wrong.
    template <typename Do>
    const char* for_each(Do&& act) const {
        for (unsigned i = 0; i < header_.program_header_count; ++i) {
            ProgramHeader segment;
            __builtin_memcpy(&segment, file_ + header_.program_headers + i * sizeof segment,
                             sizeof segment);
            if (segment.type == kInterpreter) {
                return "it wants a dynamic loader; link it with -static, or run it by pes-vp exec";
            }
            if (segment.type != kLoad || segment.memory_size == 0) {
                continue;
            }
            if (segment.offset > size_ || segment.file_size > size_ - segment.offset ||
                segment.file_size > segment.memory_size || segment.address >= kProgramEnd - base_ ||
                segment.memory_size > kProgramEnd - base_ - segment.address) {
                return "a segment is not in the file, or outside the first 2 GiB";
            }
            segment.address += base_;
            if (const char* const wrong = act(segment)) {
                return wrong;
            }
        }
        return nullptr;
    }

  private:
    const uint8_t* file_;
    uint64_t size_;
    const ElfHeader& header_;
    uint64_t base_;
};

} // namespace

const char* load_program(UserMemory& memory, const uint8_t* file, uint64_t size, Program& program) {
    ElfHeader header;
    if (size < sizeof header) {
        return "it is no ELF file";
    }
    __builtin_memcpy(&header, file, sizeof header);
    if (!is_program(header, size)) {
        return "it is no ELF program for RV64";
    }
    const Segments segments(file, size, header);
    uint64_t mapped_to = 0;
    Access last = Access::UserRead;
    // Ranges first: what is copied into a page that two segments share must stay there.
    const char* wrong = segments.for_each([&](const ProgramHeader& segment) -> const char* {
        const uint64_t end = page_up(segment.address + segment.memory_size);
        program.heap = end > program.heap ? end : program.heap;
        return reserve(memory, segment.address & ~(kPageSize - 1), end, access_of(segment.flags),
                       mapped_to, last)
                   ? nullptr
                   : "its segments overlap";
    });
    if (wrong != nullptr) {
        return wrong;
    }
    wrong = segments.for_each([&](const ProgramHeader& segment) -> const char* {
        if (header.program_headers >= segment.offset &&
            header.program_headers < segment.offset + segment.file_size) {
            program.headers = segment.address + header.program_headers - segment.offset;
        }
        return memory.copy_out(segment.address, file + segment.offset, segment.file_size,
                               Intent::Read)
                   ? nullptr
                   : "it does not fit into main memory";
    });
    program.header_count = header.program_header_count;
    program.entry = (header.type == kShared ? kSharedBase : 0) + header.entry;
    asm volatile("fence.i" ::: "memory");
    return wrong == nullptr && program.heap == 0 ? "it has no segment to load" : wrong;
}

namespace {

/// Grows down, from the top of a stack.
class StackWriter {
  public:
    StackWriter(UserMemory& memory, uint64_t top) : memory_(memory), at_(top) {}

    uint64_t push(const void* bytes, uint64_t size) {
        at_ -= size;
        good_ = memory_.copy_out(at_, bytes, size) && good_;
        return at_;
    }
    void align() { at_ &= ~uint64_t{15}; }
    uint64_t at() const { return at_; }
    bool good() const { return good_; }

  private:
    UserMemory& memory_;
    uint64_t at_;
    bool good_ = true;
};

// Auxiliary vector: Linux's numbers.
enum Auxiliary : uint64_t {
    kEnd = 0,
    kHeaders = 3,
    kHeaderSize = 4,
    kHeaderCount = 5,
    kPageBytes = 6,
    kEntry = 9,
    kUserId = 11,
    kEffectiveUserId = 12,
    kGroupId = 13,
    kEffectiveGroupId = 14,
    kCapabilities = 16,
    kClockTicks = 17,
    kSecure = 23,
    kRandom = 25,
    kFileName = 31,
};

struct AuxiliaryEntry {
    uint64_t kind;
    uint64_t value;
};

constexpr uint64_t letter(char name) {
    return uint64_t{1} << (name - 'a');
}
constexpr uint64_t kHasLetters =
    letter('i') | letter('m') | letter('a') | letter('f') | letter('d') | letter('c');

constexpr unsigned kMostWords = 256;

/// Their addresses; 0: they are too many.
unsigned push_words(StackWriter& stack, const char* arguments, uint64_t* words) {
    constexpr char kName[] = "program";
    constexpr char kNul = '\0';
    unsigned count = 0;
    for (const char* word = arguments; *word != '\0';) {
        if (*word == ' ') {
            ++word;
            continue;
        }
        uint64_t length = 0;
        while (word[length] != '\0' && word[length] != ' ') {
            ++length;
        }
        if (count == kMostWords) {
            return 0;
        }
        stack.push(&kNul, 1);
        words[count++] = stack.push(word, length);
        word += length;
    }
    if (count == 0) {
        words[count++] = stack.push(kName, sizeof kName);
    }
    return count;
}

} // namespace

bool make_stack(UserMemory& memory, uint64_t top, uint64_t stack_bytes, const char* arguments,
                Program& program) {
    if (!memory.add(top - stack_bytes, top, Access::UserReadWrite)) {
        return false;
    }
    StackWriter stack(memory, top);
    uint64_t words[kMostWords + 2];
    const uint64_t count = push_words(stack, arguments, words);
    if (count == 0) {
        return false;
    }
    // The same in each run, as all of it is.
    constexpr uint64_t kSeed[] = {0x243F'6A88'85A3'08D3, 0x1319'8A2E'0370'7344};
    stack.align();
    const uint64_t seed = stack.push(kSeed, sizeof kSeed);
    const AuxiliaryEntry auxiliary[] = {{kHeaders, program.headers},
                                        {kHeaderSize, sizeof(ProgramHeader)},
                                        {kHeaderCount, program.header_count},
                                        {kPageBytes, kPageSize},
                                        {kEntry, program.entry},
                                        {kUserId, 0},
                                        {kEffectiveUserId, 0},
                                        {kGroupId, 0},
                                        {kEffectiveGroupId, 0},
                                        {kCapabilities, kHasLetters},
                                        {kClockTicks, 100},
                                        {kSecure, 0},
                                        {kRandom, seed},
                                        {kFileName, words[0]},
                                        {kEnd, 0}};
    words[count] = 0;     // end of the arguments
    words[count + 1] = 0; // and of the environment, which has nothing
    const uint64_t words_size = (count + 2) * sizeof words[0];
    if (((sizeof auxiliary + words_size + sizeof count) & 8) != 0) {
        constexpr uint64_t kNothing = 0; // the program finds the stack 16-byte aligned
        stack.push(&kNothing, sizeof kNothing);
    }
    stack.push(auxiliary, sizeof auxiliary);
    stack.push(words, words_size);
    program.stack = stack.push(&count, sizeof count);
    return stack.good();
}

} // namespace pes::proxy
