# SPDX-License-Identifier: Apache-2.0
# Every external package. Required ones stop the configuration with their Debian package's name;
# an optional tool that is missing disables named targets with one line.

find_package(Threads REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)

# {fmt} 9 instantiates its formatter in every source; scripts/include/fmt/format.h takes it from the
# library, if the library exports it.
include(CheckCXXSourceCompiles)
set(PES_FMT_INCLUDE ${PROJECT_SOURCE_DIR}/scripts/include)
set(CMAKE_REQUIRED_INCLUDES ${PES_FMT_INCLUDE})
set(CMAKE_REQUIRED_LIBRARIES spdlog::spdlog)
set(CMAKE_REQUIRED_FLAGS -std=c++20)
check_cxx_source_compiles("
#include <spdlog/fmt/fmt.h>
#include <iterator>
#include <string>
int main(int argc, char**) {
    std::string text;
    fmt::format_to(std::back_inserter(text), \"{}\", argc);
    return text.empty();
}" PES_FMT_HAS_FORMATTER)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(PES_FMT_HAS_FORMATTER)
  target_include_directories(spdlog::spdlog SYSTEM BEFORE INTERFACE ${PES_FMT_INCLUDE})
  target_include_directories(fmt::fmt SYSTEM BEFORE INTERFACE ${PES_FMT_INCLUDE})
endif()

function(pes_find_library target header library package)
  string(TOUPPER ${library} key)
  find_path(PES_${key}_INCLUDE ${header})
  find_library(PES_${key}_LIBRARY ${library})
  if(NOT PES_${key}_INCLUDE OR NOT PES_${key}_LIBRARY)
    message(FATAL_ERROR "${library} not found: install Debian's ${package}")
  endif()
  mark_as_advanced(PES_${key}_INCLUDE PES_${key}_LIBRARY)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${PES_${key}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${PES_${key}_LIBRARY})
endfunction()

pes_find_library(pes::systemc systemc systemc libsystemc-dev)
target_link_libraries(pes::systemc INTERFACE Threads::Threads)
# SystemC ties its link symbols to the language level it was built with; Debian's is C++17.
target_compile_definitions(pes::systemc INTERFACE SC_CPLUSPLUS=201703L)
pes_find_library(pes::elf gelf.h elf libelf-dev)
pes_find_library(pes::fdt libfdt.h fdt libfdt-dev)
pes_find_library(pes::dw elfutils/libdw.h dw libdw-dev)
pes_find_library(pes::zlib zlib.h z zlib1g-dev)
pes_find_library(pes::zstd zstd.h zstd libzstd-dev)
pes_find_library(pes::sqlite sqlite3.h sqlite3 libsqlite3-dev)

# LLVM's disassembler of RISC-V instructions. The static component libraries: the shared library
# has all targets and takes longer to load than pes-decode to run. The files themselves and not the
# targets of LLVM's CMake package, which ask for libraries of components that are not used.
find_program(PES_LLVM_19_CONFIG llvm-config-19)
if(NOT PES_LLVM_19_CONFIG)
  message(FATAL_ERROR "llvm-config-19 not found: install Debian's llvm-19-dev")
endif()
set(PES_LLVM_COMPONENTS RISCVDisassembler RISCVDesc RISCVInfo MCDisassembler)
execute_process(COMMAND ${PES_LLVM_19_CONFIG} --includedir
  OUTPUT_VARIABLE llvm_include OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PES_LLVM_19_CONFIG} --link-static --libfiles ${PES_LLVM_COMPONENTS}
  OUTPUT_VARIABLE llvm_libraries OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_libraries)
if(NOT EXISTS ${llvm_include}/llvm/MC/MCDisassembler/MCDisassembler.h)
  message(FATAL_ERROR "LLVM 19's libraries not found: install Debian's llvm-19-dev")
endif()
mark_as_advanced(PES_LLVM_19_CONFIG)
# Each file is a target that depends on the next one, so that what they need comes behind all of them.
set(llvm_needs pes::zlib pes::zstd Threads::Threads ${CMAKE_DL_LIBS})
list(REVERSE llvm_libraries)
foreach(file ${llvm_libraries})
  get_filename_component(name ${file} NAME_WE)
  add_library(pes::${name} STATIC IMPORTED GLOBAL)
  set_target_properties(pes::${name} PROPERTIES IMPORTED_LOCATION ${file})
  target_link_libraries(pes::${name} INTERFACE ${llvm_needs})
  set(llvm_needs pes::${name})
endforeach()
add_library(pes::llvm_riscv INTERFACE IMPORTED GLOBAL)
target_include_directories(pes::llvm_riscv SYSTEM INTERFACE ${llvm_include})
target_link_libraries(pes::llvm_riscv INTERFACE ${llvm_needs})

find_package(asmjit QUIET)
find_package(GTest QUIET)
find_package(benchmark QUIET)
find_package(rapidcheck QUIET)
find_program(PES_RISCV_CXX riscv64-unknown-elf-g++)
find_program(PES_QEMU qemu-system-riscv64)
find_path(PES_OPENSBI fw_jump.elf PATHS /usr/lib/riscv64-linux-gnu/opensbi/generic)
set(PES_TESTS ${BUILD_TESTING})
if(PES_TESTS AND NOT GTest_FOUND)
  set(PES_TESTS OFF)
  message(STATUS "GoogleTest missing (libgtest-dev libgmock-dev): tests are not built")
endif()
if(PES_TESTS AND NOT benchmark_FOUND)
  message(STATUS "Google Benchmark missing (libbenchmark-dev): micro-benchmarks are not built")
endif()
if(NOT PES_RISCV_CXX)
  message(STATUS "riscv64-unknown-elf-g++ missing (gcc-riscv64-unknown-elf): "
                 "firmware, e2e tests and the demo are not built")
endif()
if(PES_TESTS AND NOT PES_QEMU)
  message(STATUS "qemu-system-riscv64 missing (qemu-system-misc): differential tests and the "
                 "ratio in the bench target are not built")
endif()
if(PES_TESTS AND NOT PES_OPENSBI)
  message(STATUS "OpenSBI missing (opensbi): the tests that boot it are not run")
endif()

find_program(PES_MKDOCS mkdocs) # the documents as a site
