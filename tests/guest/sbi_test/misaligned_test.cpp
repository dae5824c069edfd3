// SPDX-License-Identifier: Apache-2.0
// Misaligned loads and stores: right values in every form of the instruction, and the program's own
// page faults where half of the access is not its own. A machine that does them in hardware gives
// the same.
#include "firmware/boot/csr.h"
#include "platform.h"
#include "tests/guest/sbi_test/check.h"

namespace pes::test {

namespace {

constexpr unsigned kSize = 32;
constexpr unsigned kOdd = 3; ///< misaligned for every size
alignas(16) unsigned char bytes[kSize];

using Access = uint64_t (*)(unsigned char* address, uint64_t value);

/// One instruction on an address in a5 and data in a4 or fa4; `after` brings the data out.
#define PES_ACCESS(name, instruction, after)                                                       \
    uint64_t name(unsigned char* address, uint64_t value) {                                        \
        uint64_t result;                                                                           \
        asm volatile("mv a5, %1\nmv a4, %2\nfmv.d.x fa4, %2\nmv t0, sp\n" instruction              \
                     "\nmv sp, t0\n" after                                                         \
                     : "=r"(result)                                                                \
                     : "r"(address), "r"(value)                                                    \
                     : "a4", "a5", "t0", "fa4", "memory");                                         \
        return result;                                                                             \
    }
#define PES_INTEGER(name, instruction) PES_ACCESS(name, instruction, "mv %0, a4")
#define PES_FLOAT(name, instruction) PES_ACCESS(name, instruction, "fmv.x.d %0, fa4")

PES_INTEGER(do_lh, "lh a4, 0(a5)")
PES_INTEGER(do_lhu, "lhu a4, 0(a5)")
PES_INTEGER(do_lw, ".option push\n.option norvc\nlw a4, 0(a5)\n.option pop")
PES_INTEGER(do_lwu, "lwu a4, 0(a5)")
PES_INTEGER(do_ld, ".option push\n.option norvc\nld a4, 0(a5)\n.option pop")
PES_FLOAT(do_flw, "flw fa4, 0(a5)")
PES_FLOAT(do_fld, ".option push\n.option norvc\nfld fa4, 0(a5)\n.option pop")
PES_INTEGER(do_c_lw, "c.lw a4, 0(a5)")
PES_INTEGER(do_c_ld, "c.ld a4, 0(a5)")
PES_FLOAT(do_c_fld, "c.fld fa4, 0(a5)")
PES_INTEGER(do_c_lwsp, "mv sp, a5\nc.lwsp a4, 0(sp)")
PES_INTEGER(do_c_ldsp, "mv sp, a5\nc.ldsp a4, 0(sp)")
PES_FLOAT(do_c_fldsp, "mv sp, a5\nc.fldsp fa4, 0(sp)")
PES_INTEGER(do_sh, "sh a4, 0(a5)")
PES_INTEGER(do_sw, ".option push\n.option norvc\nsw a4, 0(a5)\n.option pop")
PES_INTEGER(do_sd, ".option push\n.option norvc\nsd a4, 0(a5)\n.option pop")
PES_INTEGER(do_sd_zero, ".option push\n.option norvc\nsd zero, 0(a5)\n.option pop")
PES_FLOAT(do_fsw, "fsw fa4, 0(a5)")
PES_FLOAT(do_fsd, ".option push\n.option norvc\nfsd fa4, 0(a5)\n.option pop")
PES_INTEGER(do_c_sw, "c.sw a4, 0(a5)")
PES_INTEGER(do_c_sd, "c.sd a4, 0(a5)")
PES_FLOAT(do_c_fsd, "c.fsd fa4, 0(a5)")
PES_INTEGER(do_c_swsp, "mv sp, a5\nc.swsp a4, 0(sp)")
PES_INTEGER(do_c_sdsp, "mv sp, a5\nc.sdsp a4, 0(sp)")
PES_FLOAT(do_c_fsdsp, "mv sp, a5\nc.fsdsp fa4, 0(sp)")

enum class Extension : uint8_t { Sign, Zero, Boxed };

struct Load {
    const char* name;
    Access access;
    unsigned size;
    Extension extension;
};

struct Store {
    const char* name;
    Access access;
    unsigned size;
};

void fill() {
    for (unsigned i = 0; i < kSize; ++i) {
        bytes[i] = static_cast<unsigned char>(0x81 + i); // negative in every size
    }
}

/// What the bytes at kOdd mean, by the definition of little-endian.
uint64_t expected_load(unsigned size, Extension extension) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) {
        value |= uint64_t{bytes[kOdd + i]} << 8 * i;
    }
    if (size < 8 && extension != Extension::Zero) {
        value |= ~uint64_t{0} << 8 * size; // the sign is 1, and so is a NaN box
    }
    return value;
}

void check_loads() {
    constexpr Load kLoads[] = {
        {"misaligned lh", do_lh, 2, Extension::Sign},
        {"misaligned lhu", do_lhu, 2, Extension::Zero},
        {"misaligned lw", do_lw, 4, Extension::Sign},
        {"misaligned lwu", do_lwu, 4, Extension::Zero},
        {"misaligned ld", do_ld, 8, Extension::Zero},
        {"misaligned flw", do_flw, 4, Extension::Boxed},
        {"misaligned fld", do_fld, 8, Extension::Boxed},
        {"misaligned c.lw", do_c_lw, 4, Extension::Sign},
        {"misaligned c.ld", do_c_ld, 8, Extension::Zero},
        {"misaligned c.fld", do_c_fld, 8, Extension::Boxed},
        {"misaligned c.lwsp", do_c_lwsp, 4, Extension::Sign},
        {"misaligned c.ldsp", do_c_ldsp, 8, Extension::Zero},
        {"misaligned c.fldsp", do_c_fldsp, 8, Extension::Boxed},
    };
    fill();
    for (const Load& load : kLoads) {
        expect_value(load.name, load.access(bytes + kOdd, 0),
                     expected_load(load.size, load.extension));
    }
}

void check_stores() {
    constexpr uint64_t kValue = 0x0123'4567'89AB'CDEF;
    constexpr Store kStores[] = {
        {"misaligned sh", do_sh, 2},           {"misaligned sw", do_sw, 4},
        {"misaligned sd", do_sd, 8},           {"misaligned fsw", do_fsw, 4},
        {"misaligned fsd", do_fsd, 8},         {"misaligned c.sw", do_c_sw, 4},
        {"misaligned c.sd", do_c_sd, 8},       {"misaligned c.fsd", do_c_fsd, 8},
        {"misaligned c.swsp", do_c_swsp, 4},   {"misaligned c.sdsp", do_c_sdsp, 8},
        {"misaligned c.fsdsp", do_c_fsdsp, 8},
    };
    for (const Store& store : kStores) {
        fill();
        store.access(bytes + kOdd, kValue);
        bool right = true;
        for (unsigned i = 0; i < kSize; ++i) {
            const bool written = i >= kOdd && i < kOdd + store.size;
            right = right && bytes[i] == static_cast<unsigned char>(
                                             written ? kValue >> 8 * (i - kOdd) : 0x81 + i);
        }
        expect_value(store.name, right, 1);
    }
    fill();
    do_sd_zero(bytes + kOdd, kValue);
    expect_value("misaligned sd of x0", expected_load(8, Extension::Zero), 0);
}

constexpr uint64_t kValid = 1;
constexpr uint64_t kReadWrite = 6;
constexpr uint64_t kExecute = 8;
constexpr uint64_t kUser = 0x10;
constexpr uint64_t kAccessedDirty = 0xC0;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kWindow = 0xC000'0000; ///< virtual; root entry 3
alignas(kPage) uint64_t root_table[512], middle_table[512], leaf_table[512];
alignas(kPage) unsigned char page[kPage];

uint64_t entry(const void* target, uint64_t flags) {
    return reinterpret_cast<uint64_t>(target) >> 2 | kValid | flags;
}

/// The window: a page, one that is not there, a page of user space.
void translate() {
    constexpr uint64_t kGiB = 0x4000'0000;
    constexpr uint64_t kSv39 = uint64_t{8} << 60;
    const uint64_t all = kReadWrite | kAccessedDirty;
    root_table[PES_DRAM_BASE / kGiB] = (PES_DRAM_BASE / kGiB * kGiB) >> 2 | kValid | all | kExecute;
    root_table[kWindow / kGiB] = entry(middle_table, 0);
    middle_table[0] = entry(leaf_table, 0);
    leaf_table[0] = entry(page, all);
    leaf_table[2] = entry(page, all | kUser);
    asm volatile("sfence.vma" ::: "memory");
    write_csr<csr::kSatp>(kSv39 | reinterpret_cast<uint64_t>(root_table) >> 12);
}

void expect_fault(const char* what, Access access, uint64_t address, uint64_t cause,
                  uint64_t faulting) {
    last_trap = ~uint64_t{0};
    access(reinterpret_cast<unsigned char*>(address), 0);
    expect_value(what, last_trap, cause);
    expect_value(what, last_trap_value, faulting);
}

void check_faults() {
    constexpr uint64_t kLoadPageFault = 13;
    constexpr uint64_t kStorePageFault = 15;
    constexpr uint64_t kEnd = kWindow + kPage;
    constexpr uint64_t kUserPage = kWindow + 2 * kPage;
    translate();
    for (unsigned i = 0; i < 8; ++i) {
        page[1 + i] = static_cast<unsigned char>(i);
    }
    expect_value("misaligned ld through a translation",
                 do_ld(reinterpret_cast<unsigned char*>(kWindow + 1), 0), 0x0706'0504'0302'0100);
    expect_fault("misaligned ld into a missing page", do_ld, kEnd - 3, kLoadPageFault, kEnd);
    expect_fault("misaligned sd into a missing page", do_sd, kEnd - 3, kStorePageFault, kEnd);
    expect_fault("misaligned lw of user space", do_lw, kUserPage + 1, kLoadPageFault,
                 kUserPage + 1);
    set_csr<csr::kSstatus>(kStatusSum);
    expect_value("misaligned ld of user space with SUM",
                 do_ld(reinterpret_cast<unsigned char*>(kUserPage + 1), 0), 0x0706'0504'0302'0100);
    clear_csr<csr::kSstatus>(kStatusSum);
    write_csr<csr::kSatp>(0);
    asm volatile("sfence.vma" ::: "memory");
}

} // namespace

void check_misaligned() {
    check_loads();
    check_stores();
    check_faults();
}

} // namespace pes::test
