# SPDX-License-Identifier: Apache-2.0
# RTL in the build. Without Verilator, PES_VERILATOR is false and nothing here may be called.
#
#   pes_verilate(name TOP module SOURCES file.sv... [PARAMETERS NAME=value...] [OPTIMISE -O1]
#                [PACKAGE package.sv] [ARGUMENTS_FILE options.f])
#     A library with the Verilated model as class V<name>, header V<name>.h. Tracing is compiled in;
#     saving too, unless an arguments file decides. Read in this order: the package, what the options
#     name, the sources.
#
#   pes_add_lint_test(name TOP module SOURCES file.sv... [PARAMETERS NAME=value...])
#     verilator --lint-only -Wall finds nothing.

find_program(PES_VERILATOR verilator)
set(PES_VERILATOR_MINIMUM 5.006)
if(PES_VERILATOR)
  execute_process(COMMAND ${PES_VERILATOR} --version OUTPUT_VARIABLE version ERROR_QUIET)
  string(REGEX MATCH "[0-9]+[.][0-9]+" version "${version}")
  if(NOT version VERSION_GREATER_EQUAL PES_VERILATOR_MINIMUM)
    set(PES_VERILATOR FALSE) # says so below
  endif()
endif()
if(PES_VERILATOR)
  execute_process(COMMAND ${PES_VERILATOR} --getenv VERILATOR_ROOT
                  OUTPUT_VARIABLE pes_verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(runtime ${pes_verilator_root}/include)
  add_library(pes_verilated STATIC
    ${runtime}/verilated.cpp ${runtime}/verilated_cov.cpp ${runtime}/verilated_save.cpp
    ${runtime}/verilated_threads.cpp
    ${runtime}/verilated_vcd_c.cpp)
  target_include_directories(pes_verilated SYSTEM PUBLIC ${runtime} ${runtime}/vltstd)
  target_compile_features(pes_verilated PUBLIC cxx_std_20)
  target_compile_definitions(pes_verilated PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=0
                             VM_TRACE_VCD=1)
  target_compile_options(pes_verilated PRIVATE -w)
  # Without optimisation Clang calls __atomic_is_lock_free, which its run-time library does not have.
  target_link_libraries(pes_verilated PUBLIC Threads::Threads
                        $<$<CXX_COMPILER_ID:Clang>:atomic>)
else()
  message(STATUS "Verilator ${PES_VERILATOR_MINIMUM} or later missing (verilator): no RTL counters, "
                 "--counters rtl and lockstep are refused")
endif()

# -GNAME=value for each parameter.
function(_pes_verilator_parameters out)
  set(arguments ${ARGN})
  list(TRANSFORM arguments PREPEND -G)
  set(${out} ${arguments} PARENT_SCOPE)
endfunction()

function(pes_verilate name)
  cmake_parse_arguments(ARG "" "TOP;OPTIMISE;PACKAGE;ARGUMENTS_FILE" "SOURCES;PARAMETERS" ${ARGN})
  set(more --savable)
  if(ARG_ARGUMENTS_FILE)
    set(more -f ${ARG_ARGUMENTS_FILE})
  endif()
  if(NOT ARG_OPTIMISE)
    set(ARG_OPTIMISE -O3)
  endif()
  _pes_verilator_parameters(parameters ${ARG_PARAMETERS})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.verilated)
  set(all ${directory}/V${name}__all.cpp)
  add_custom_command(
    OUTPUT ${all}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${PES_VERILATOR} --cc --trace -O3 --x-assign fast --x-initial fast --noassert
            -Wno-lint -Wno-style -Wno-fatal ${parameters} --top-module ${ARG_TOP} --prefix V${name} --Mdir ${directory}
            ${ARG_PACKAGE} ${more} ${ARG_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${directory} -DOUTPUT=${all}
            -P ${PROJECT_SOURCE_DIR}/scripts/cmake/join_verilated.cmake
    DEPENDS ${ARG_PACKAGE} ${ARG_SOURCES} ${ARG_ARGUMENTS_FILE} ${PROJECT_SOURCE_DIR}/scripts/cmake/join_verilated.cmake
    COMMENT "Verilating ${name}"
    VERBATIM)
  add_library(${name} STATIC ${all})
  target_include_directories(${name} SYSTEM PUBLIC ${directory})
  target_compile_options(${name} PRIVATE -w ${ARG_OPTIMISE})
  target_link_libraries(${name} PUBLIC pes_verilated)
endfunction()

function(pes_add_lint_test name)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMETERS" ${ARGN})
  _pes_verilator_parameters(parameters ${ARG_PARAMETERS})
  add_test(NAME ${name} COMMAND ${PES_VERILATOR} --lint-only -Wall ${parameters}
           --top-module ${ARG_TOP} ${ARG_SOURCES})
  set_tests_properties(${name} PROPERTIES LABELS rtl TIMEOUT 60)
endfunction()
