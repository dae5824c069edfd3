// SPDX-License-Identifier: Apache-2.0
// The program that uses the library: where it lies in memory.
#include "firmware/papi/library.h"

// Of firmware/boot/payload.ld.S. Weak: a program may bring another linker script.
extern "C" {
[[gnu::weak]] extern char __text_start[];
[[gnu::weak]] extern char __text_end[];
[[gnu::weak]] extern char __data_start[];
[[gnu::weak]] extern char __data_end[];
[[gnu::weak]] extern char __bss_start[];
[[gnu::weak]] extern char __bss_end[];
}

namespace pes::papi {

namespace {

PAPI_exe_info_t executable; // a payload has no file name: the names stay empty
const PAPI_shlib_info_t kNoLibraries{nullptr, 0};

} // namespace

const PAPI_exe_info_t* describe_executable() {
    if (__text_end == nullptr || __data_end == nullptr || __bss_end == nullptr) {
        return nullptr;
    }
    PAPI_address_map_t& map = executable.address_info;
    map.text_start = __text_start;
    map.text_end = __text_end;
    map.data_start = __data_start;
    map.data_end = __data_end;
    map.bss_start = __bss_start;
    map.bss_end = __bss_end;
    return &executable;
}

const PAPI_shlib_info_t* describe_shared_libraries() {
    return &kNoLibraries;
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" const PAPI_exe_info_t* PAPI_get_executable_info(void) {
    PAPI_option_t option;
    return PAPI_get_opt(PAPI_EXEINFO, &option) == PAPI_OK ? option.exe_info : nullptr;
}

extern "C" const PAPI_shlib_info_t* PAPI_get_shared_lib_info(void) {
    PAPI_option_t option;
    return PAPI_get_opt(PAPI_SHLIBINFO, &option) == PAPI_OK ? option.shlib_info : nullptr;
}

/// Nobody keeps account of a payload's memory.
extern "C" int PAPI_get_dmem_info(PAPI_dmem_info_t* dest) {
    return answer(dest == nullptr ? PAPI_EINVAL : PAPI_ECMP);
}
