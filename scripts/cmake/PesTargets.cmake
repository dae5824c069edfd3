# SPDX-License-Identifier: Apache-2.0
# How a target of this project is made: warnings, standard and sanitizers hang on targets.

add_library(pes_options INTERFACE)
target_compile_features(pes_options INTERFACE cxx_std_20)
target_compile_options(pes_options INTERFACE -Wall -Wextra -Wpedantic
                       $<$<BOOL:${PES_WERROR}>:-Werror>)
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

# The hart, its timing and its arithmetic call each other for every instruction; the command that
# people run is linked with link-time optimisation across them (about a tenth faster). The objects contain
# machine code as well; everything else is linked from that, in a tenth of the time. With PES_PROFILE the same code
# is compiled with a profile of itself, about another tenth; scripts/build.sh takes both steps of that.
function(pes_optimise_at_link_time)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     AND NOT PES_SANITIZE)
    set(options -flto=auto -ffat-lto-objects)
    if(PES_PROFILE STREQUAL "generate")
      list(APPEND options -fprofile-generate -Wno-stringop-overflow) # false among its counts
    elseif(PES_PROFILE STREQUAL "use")
      list(APPEND options -fprofile-use -Wno-missing-profile) # some code is not run in training
    endif()
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE ${options})
    endforeach()
  endif()
endfunction()
if(PES_PROFILE STREQUAL "generate")
  target_link_options(pes_options INTERFACE -fprofile-generate -Wno-stringop-overflow)
endif()

# ccache needs to know that the precompiled headers do not depend on date and time.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# Command lines and tests run their code once: a short compilation matters more than fast code.
set(PES_COMPILE_QUICKLY $<$<CONFIG:Release>:-O1>)
function(pes_compile_quickly)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS ${PES_COMPILE_QUICKLY})
endfunction()

# pes_add_library(name SOURCES a.cpp... LIBS target...)    LIBS are public.
function(pes_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC pes_options ${ARG_LIBS})
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

# pes_add_executable(name SOURCES a.cpp... LIBS target... [OPTIMISE_AT_LINK_TIME])
function(pes_add_executable name)
  cmake_parse_arguments(ARG "OPTIMISE_AT_LINK_TIME" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE pes_options ${ARG_LIBS})
  if(NOT ARG_OPTIMISE_AT_LINK_TIME)
    target_link_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-lto>)
  endif()
endfunction()

# Headers that most tests include, precompiled once for all of them.
add_library(pes_test_headers OBJECT EXCLUDE_FROM_ALL
            ${PROJECT_SOURCE_DIR}/scripts/cmake/test_headers.cpp)
target_link_libraries(pes_test_headers PRIVATE pes_options GTest::gtest_main GTest::gmock)
target_compile_options(pes_test_headers PRIVATE ${PES_COMPILE_QUICKLY})
target_precompile_headers(pes_test_headers PRIVATE
  <gmock/gmock.h> <gtest/gtest.h> <algorithm> <array> <cstdint> <filesystem> <fstream> <functional>
  <map> <memory> <optional> <span> <sstream> <string> <string_view> <vector>)

# Links GoogleTest with its main(), and compiles as a test.
function(pes_use_googletest name)
  target_link_libraries(${name} PRIVATE GTest::gtest_main GTest::gmock)
  target_compile_options(${name} PRIVATE ${PES_COMPILE_QUICKLY})
  target_precompile_headers(${name} REUSE_FROM pes_test_headers)
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

# pes_add_test(name LABELS unit SOURCES a_test.cpp... LIBS target... [TIMEOUT seconds] [DEFS A=b...])
# One executable with GoogleTest's main; one ctest entry. A SystemC process elaborates once, so a
# suite that elaborates modules is an executable of its own. A unit test that needs no TIMEOUT of its
# own has the label "quick" too.
function(pes_add_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;SOURCES;LIBS;DEFS" ${ARGN})
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
  pes_use_googletest(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
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
  install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${folder}/${program}.man RENAME ${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${folder}/${program}.bash RENAME ${program}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${folder}/${program}.zsh RENAME _${program}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endfunction()
