# SPDX-License-Identifier: Apache-2.0
# How a target of this project is made: warnings, standard and sanitizers hang on targets.

add_library(pes_options INTERFACE)
target_compile_features(pes_options INTERFACE cxx_std_20)
target_compile_options(pes_options INTERFACE -Wall -Wextra -Wpedantic
                       $<$<BOOL:${PES_WERROR}>:-Werror>
                       $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>) # what is unique in a process cannot be local in the kit
target_include_directories(pes_options INTERFACE ${PROJECT_SOURCE_DIR})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64") # every host since 2009: counting bits is one instruction
  target_compile_options(pes_options INTERFACE -march=x86-64-v2)
endif()
if(PES_SANITIZE)
  target_compile_options(pes_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(pes_options INTERFACE -fsanitize=address,undefined)
endif()
if(PES_COVERAGE)
  target_compile_options(pes_options INTERFACE --coverage)
  target_link_options(pes_options INTERFACE --coverage)
endif()

# The pipeline and its caller call each other for every instruction of the stepping path; pes-vp is linked with
# link-time optimisation across them (a twentieth fewer host instructions there). The objects contain machine code as well; everything else
# is linked from that, in a tenth of the time.
function(pes_optimise_at_link_time)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT PES_SANITIZE)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -flto=auto -ffat-lto-objects)
    endforeach()
  endif()
endfunction()

# What runs for every instruction. With PES_PROFILE it is compiled with a profile of itself, about a tenth faster;
# scripts/build.sh takes both steps of that.
function(pes_optimise_by_profile)
  if(PES_PROFILE STREQUAL "generate")
    set(options -fprofile-generate -Wno-stringop-overflow) # false among its counts
  elseif(PES_PROFILE STREQUAL "use")
    set(options -fprofile-use -Wno-missing-profile) # some code is not run in training
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${options})
  endforeach()
endfunction()
if(PES_PROFILE STREQUAL "generate")
  target_link_options(pes_options INTERFACE -fprofile-generate -Wno-stringop-overflow)
endif()

# ccache needs to know that the precompiled headers do not depend on date and time.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# Command lines, reports and tests run their code once: a short compilation matters more than fast code. The warnings
# that follow values through inlined code find faults in the standard library there that are none.
set(PES_COMPILE_QUICKLY $<$<CONFIG:Release>:-Og>
    "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>")

# The headers of the standard library and of {fmt} take longer to parse than most sources; they are precompiled once.
# What they define has to be defined the same in every source.
option(PES_JOIN "Precompile headers, and compile the sources of a target a few at a time" ON)
if(NOT PES_JOIN)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
target_compile_definitions(pes_options INTERFACE
                           $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_COMPILE_DEFINITIONS>)
set(PES_HEADERS
            <algorithm> <array> <bit> <charconv> <cstdint> <cstring> <deque> <filesystem> <fstream> <functional>
            <iterator> <limits> <map> <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view>
            <unordered_map> <utility> <variant> <vector> <spdlog/fmt/fmt.h>)
add_library(pes_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/scripts/cmake/headers.cpp)
target_link_libraries(pes_headers PRIVATE pes_options spdlog::spdlog)
target_precompile_headers(pes_headers PRIVATE ${PES_HEADERS})

# pes_join(name [BATCH number]): sources are compiled that many at a time as one, so that they share what takes longest:
# the headers and templates that they use. So names of anonymous namespaces are unique in a target.
function(pes_join name)
  cmake_parse_arguments(ARG "" "BATCH" "" ${ARGN})
  if(NOT ARG_BATCH)
    set(ARG_BATCH 12)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${PES_JOIN} UNITY_BUILD_BATCH_SIZE ${ARG_BATCH})
  if(PES_JOIN) # a warning for headers, which is what the sources then are
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# pes_add_library(name [QUICKLY] [OBJECTS] [BATCH number] SOURCES a.cpp... LIBS target...)
# LIBS are public. QUICKLY: compiled for a short compilation. OBJECTS: no archive, but a part of other libraries.
function(pes_add_library name)
  cmake_parse_arguments(ARG "QUICKLY;OBJECTS" "BATCH" "SOURCES;LIBS" ${ARGN})
  set(type STATIC)
  if(ARG_OBJECTS)
    set(type OBJECT)
  endif()
  add_library(${name} ${type} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC pes_options ${ARG_LIBS})
  target_precompile_headers(${name} REUSE_FROM pes_headers)
  pes_join(${name} BATCH ${ARG_BATCH})
  if(ARG_QUICKLY)
    target_compile_options(${name} PRIVATE ${PES_COMPILE_QUICKLY})
  endif()
  if(PES_STRICT_CONVERSIONS) # set by rooms that are clean
    target_compile_options(${name} PRIVATE -Wconversion -Wno-sign-conversion -Wshadow)
  endif()
endfunction()

# pes_add_device(name library): the platform has the device; `describe_name()` in the library makes
# its description (hw/common/device/description.h). Devices keep the order of these calls.
function(pes_add_device name library)
  set_property(GLOBAL APPEND PROPERTY PES_DEVICES ${name})
  set_property(GLOBAL APPEND PROPERTY PES_DEVICE_LIBRARIES ${library})
endfunction()

# pes_device_table(file name...): a C++ source that defines platform_devices() with these devices.
function(pes_device_table file)
  set(PES_DECLARATIONS "")
  set(PES_ROWS "")
  foreach(name IN LISTS ARGN)
    string(APPEND PES_DECLARATIONS "std::unique_ptr<DeviceDescription> describe_${name}();\n")
    string(APPEND PES_ROWS "    devices.push_back(describe_${name}());\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/platform/config/device_table.cpp.in ${file} @ONLY)
endfunction()

# pes_add_executable(name SOURCES a.cpp... LIBS target... [BATCH number] [OPTIMISED] [OPTIMISE_AT_LINK_TIME])
# Its own sources are compiled quickly, unless they are OPTIMISED.
function(pes_add_executable name)
  cmake_parse_arguments(ARG "OPTIMISED;OPTIMISE_AT_LINK_TIME" "BATCH" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(NOT ARG_OPTIMISED)
    target_compile_options(${name} PRIVATE ${PES_COMPILE_QUICKLY})
  endif()
  pes_join(${name} BATCH ${ARG_BATCH})
  target_precompile_headers(${name} REUSE_FROM pes_headers)
  target_link_libraries(${name} PRIVATE pes_options ${ARG_LIBS})
  if(NOT ARG_OPTIMISE_AT_LINK_TIME)
    target_link_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-lto>)
  endif()
endfunction()

# Links GoogleTest with its main(), whose headers are precompiled as well. Tests are not optimised, which is half of the
# time to compile them, unless they are OPTIMISED: those in which inline code of what they test runs for seconds.
function(pes_use_googletest name)
  cmake_parse_arguments(ARG "OPTIMISED" "" "" ${ARGN})
  if(NOT TARGET pes_test_headers)
    add_library(pes_test_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/scripts/cmake/headers.cpp)
    target_link_libraries(pes_test_headers PRIVATE pes_options spdlog::spdlog GTest::gtest_main GTest::gmock)
    target_precompile_headers(pes_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> ${PES_HEADERS})
    target_compile_options(pes_test_headers PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest_main GTest::gmock)
  if(ARG_OPTIMISED)
    target_precompile_headers(${name} REUSE_FROM pes_headers)
    target_compile_options(${name} PRIVATE
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>) # finds one in GoogleTest that is none
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
    target_precompile_headers(${name} REUSE_FROM pes_test_headers)
  endif()
endfunction()

# pes_add_platform(name DEVICES name... LIBS target...)
# pes-vp with these devices behind its own.
function(pes_add_platform name)
  cmake_parse_arguments(ARG "" "" "DEVICES;LIBS" ${ARGN})
  get_property(devices GLOBAL PROPERTY PES_DEVICES)
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${name}_devices.cpp)
  pes_device_table(${table} ${devices} ${ARG_DEVICES})
  pes_add_executable(${name} SOURCES ${table} ${PROJECT_SOURCE_DIR}/platform/cli/main.cpp
                     LIBS ${ARG_LIBS} pes_cli)
endfunction()

# pes_add_test(name LABELS unit SOURCES a_test.cpp... LIBS target... [TIMEOUT seconds] [DEFS A=b...] [OPTIMISED])
# One executable with GoogleTest's main; one ctest entry. A SystemC process elaborates once, so a
# suite that elaborates modules is an executable of its own. A unit test that needs no TIMEOUT of its
# own has the label "quick" too.
function(pes_add_test name)
  cmake_parse_arguments(ARG "OPTIMISED" "TIMEOUT" "LABELS;SOURCES;LIBS;DEFS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
    if("unit" IN_LIST ARG_LABELS)
      list(APPEND ARG_LABELS quick)
    endif()
  endif()
  if(PES_SANITIZE OR PES_COVERAGE) # what these add to the code takes several times as long
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}")
  endif()
  pes_add_executable(${name} SOURCES ${ARG_SOURCES} LIBS ${ARG_LIBS})
  target_compile_definitions(${name} PRIVATE ${ARG_DEFS})
  if(ARG_OPTIMISED)
    pes_use_googletest(${name} OPTIMISED)
  else()
    pes_use_googletest(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# pes_packaged(target...): what these make is installed. The target `packages` builds it first.
function(pes_packaged)
  set_property(GLOBAL APPEND PROPERTY PES_PACKAGED ${ARGN})
endfunction()

# pes_install_program(program): with its manual page and completions, which it writes itself out of its options.
function(pes_install_program program)
  set(folder ${CMAKE_BINARY_DIR}/generated/manual)
  file(MAKE_DIRECTORY ${folder})
  set(files)
  foreach(kind man bash zsh)
    set(file ${folder}/${program}.${kind})
    add_custom_command(OUTPUT ${file}
      COMMAND sh -c "$<TARGET_FILE:${program}> --generate ${kind} >${file}.new && mv ${file}.new ${file}"
      DEPENDS ${program} COMMENT "Manual of ${program}: ${kind}" VERBATIM)
    list(APPEND files ${file})
  endforeach()
  add_custom_target(pes_manual_${program} ALL DEPENDS ${files})
  pes_packaged(${program} pes_manual_${program})
  install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${folder}/${program}.man RENAME ${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${folder}/${program}.bash RENAME ${program}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${folder}/${program}.zsh RENAME _${program}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endfunction()
