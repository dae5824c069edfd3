# SPDX-License-Identifier: Apache-2.0
# RTL in the build. Without Verilator, PES_VERILATOR is false and nothing here may be called.
#
#   pes_verilate(name TOP module SOURCES file.sv... [PARAMETERS NAME=value...]
#                [PACKAGE package.sv] [ARGUMENTS_FILE options.f])
#     A library with the Verilated model as class V<name>, header V<name>.h. Tracing is compiled in;
#     saving too, unless an arguments file decides. Read in this order: the package, what the options
#     name, the sources.
#
#   pes_verilate_source(name ...), pes_add_verilated_group(name MODELS name...)
#     The same in two steps: many models become one library of few sources, because most of the time
#     to compile a small model goes into the headers.
#
# Models are optimised by PES_VERILATED_OPTIMISE, which a folder may set.
#
#   pes_add_lint_test(name TOP module SOURCES file.sv... [PARAMETERS NAME=value...])
#     verilator --lint-only -Wall finds nothing.

set(PES_VERILATED_OPTIMISE -O1)
set(PES_VERILATED_FLAGS -w $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)

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
  if(EXISTS ${runtime}/gtkwave/fstapi.c)
    set(PES_FST_DIRECTORY ${runtime}/gtkwave) # GTKWave's library for FST files
  endif()
  add_library(pes_verilated STATIC
    ${runtime}/verilated.cpp ${runtime}/verilated_cov.cpp ${runtime}/verilated_save.cpp
    ${runtime}/verilated_threads.cpp
    ${runtime}/verilated_vcd_c.cpp)
  target_include_directories(pes_verilated SYSTEM PUBLIC ${runtime} ${runtime}/vltstd)
  target_compile_features(pes_verilated PUBLIC cxx_std_20)
  target_compile_definitions(pes_verilated PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=0
                             VM_TRACE_VCD=1)
  target_compile_options(pes_verilated PRIVATE ${PES_VERILATED_FLAGS} ${PES_COMPILE_QUICKLY})
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

# The directory and the source of a model.
macro(_pes_name_verilated name)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.verilated)
  set(all ${directory}/V${name}__all.cpp)
endmacro()

function(pes_verilate_source name)
  cmake_parse_arguments(ARG "" "TOP;PACKAGE;ARGUMENTS_FILE" "SOURCES;PARAMETERS" ${ARGN})
  set(more --savable)
  if(ARG_ARGUMENTS_FILE)
    set(more -f ${ARG_ARGUMENTS_FILE})
  endif()
  _pes_verilator_parameters(parameters ${ARG_PARAMETERS})
  _pes_name_verilated(${name})
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
endfunction()

function(_pes_add_verilated_library name)
  target_compile_options(${name} PRIVATE ${PES_VERILATED_FLAGS} ${PES_VERILATED_OPTIMISE})
  target_link_libraries(${name} PUBLIC pes_verilated)
endfunction()

function(pes_verilate name)
  pes_verilate_source(${name} ${ARGN})
  _pes_name_verilated(${name})
  add_library(${name} STATIC ${all})
  target_include_directories(${name} SYSTEM PUBLIC ${directory})
  _pes_add_verilated_library(${name})
endfunction()

function(pes_add_verilated_group name)
  cmake_parse_arguments(ARG "" "" "MODELS" ${ARGN})
  add_library(${name} STATIC)
  _pes_add_verilated_library(${name})
  set(batch 12) # models in a source
  list(LENGTH ARG_MODELS count)
  math(EXPR last "${count} - 1")
  foreach(first RANGE 0 ${last} ${batch})
    list(SUBLIST ARG_MODELS ${first} ${batch} models)
    set(text "")
    set(sources)
    foreach(model ${models})
      _pes_name_verilated(${model})
      string(APPEND text "#define trace_init ${model}_trace_init // a static function of each\n"
                         "#include \"${all}\"\n#undef trace_init\n")
      list(APPEND sources ${all})
      target_include_directories(${name} SYSTEM PUBLIC ${directory})
    endforeach()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_${first}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
    set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${sources}")
    target_sources(${name} PRIVATE ${source})
  endforeach()
endfunction()

function(pes_add_lint_test name)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMETERS" ${ARGN})
  _pes_verilator_parameters(parameters ${ARG_PARAMETERS})
  add_test(NAME ${name} COMMAND ${PES_VERILATOR} --lint-only -Wall ${parameters}
           --top-module ${ARG_TOP} ${ARG_SOURCES})
  set_tests_properties(${name} PROPERTIES LABELS rtl TIMEOUT 60)
endfunction()
