# SPDX-License-Identifier: Apache-2.0
# Programs for the modelled hart, cross-compiled by custom commands so that one build tree holds
# both the host's and the guest's objects. Without the cross compiler every function here does
# nothing (PesDependencies says so once).
#
#   pes_add_firmware(name SOURCES a.cpp b.S c.c ... [LAYERS layer...] [INCLUDE_DIRS dir...]
#                    [FLAGS flag...] [DEFS NAME=value...] [FOR source...] [LINKER_SCRIPT file.ld.S])
#     ${PES_FIRMWARE_DIR}/name.elf, target `name`. The linker script is preprocessed with the
#     platform header; the default is firmware/boot/bare.ld.S. FOR: the sources that FLAGS and DEFS
#     apply to, by default all. A source with the same flags is compiled once for all programs, and
#     a linker script is preprocessed once.
#
#   pes_add_firmware_layer(name KEEP symbol... SOURCES ... [INCLUDE_DIRS] [FLAGS] [DEFS])
#     ${PES_FIRMWARE_DIR}/name.layer.o: the sources linked into one relocatable object that shows
#     only the KEEP symbols, so that each privilege level owns its copy of the support library.
#
#   pes_add_user_program(name SOURCES ... [FLAGS] [DEFS])
#     A U-mode program with the machine and supervisor layers under it, in one ELF.
#
# Programs include the platform header as "platform.h" and everything else from the repository root.

set(PES_FIRMWARE_DIR ${CMAKE_BINARY_DIR}/firmware)
set(PES_FIRMWARE_SOURCE_DIR ${PROJECT_SOURCE_DIR}/firmware)
set(PES_PLATFORM_HEADER_DIR ${CMAKE_BINARY_DIR}/generated)
set(PES_FIRMWARE_TARGET_FLAGS -march=rv64imafdc_zicsr_zifencei -mabi=lp64d -mcmodel=medany)
set(PES_FIRMWARE_COMPILE_FLAGS ${PES_FIRMWARE_TARGET_FLAGS} -ffreestanding -O2 -g -Wall -Wextra
    -fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables -fno-unwind-tables
    # Debug paths are relative to the source tree (where the compiler runs), so the same sources
    # give the same ELF anywhere.
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -Wa,--debug-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(PES_WERROR)
  list(APPEND PES_FIRMWARE_COMPILE_FLAGS -Werror)
endif()
set(PES_FIRMWARE_CXX_FLAGS -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics)

# The linker comes with the compiler, under the same prefix; so does objcopy.
if(PES_RISCV_CXX)
  string(REGEX REPLACE "g\\+\\+[^/]*$" "" _pes_riscv_prefix ${PES_RISCV_CXX})
  set(PES_RISCV_OBJCOPY ${_pes_riscv_prefix}objcopy)
  set(PES_RISCV_OBJDUMP ${_pes_riscv_prefix}objdump)
endif()

# One custom command an object, if no other program has it; sets <out> to the list of objects.
function(_pes_firmware_objects out)
  cmake_parse_arguments(ARG "" "" "SOURCES;INCLUDE_DIRS;FLAGS;DEFS;FOR" ${ARGN})
  set(includes -I${PROJECT_SOURCE_DIR} -I${PES_PLATFORM_HEADER_DIR})
  foreach(dir ${ARG_INCLUDE_DIRS})
    get_filename_component(dir ${dir} ABSOLUTE)
    list(APPEND includes -I${dir})
  endforeach()
  list(TRANSFORM ARG_DEFS PREPEND -D)
  set(special)
  foreach(source ${ARG_FOR})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND special ${source})
  endforeach()
  set(objects)
  foreach(source ${ARG_SOURCES})
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" flat ${path})
    set(flags ${ARG_DEFS} ${ARG_FLAGS})
    if(special AND NOT source IN_LIST special)
      set(flags)
    endif()
    set(directory ${PES_FIRMWARE_DIR}/objects)
    if(flags OR ARG_INCLUDE_DIRS)
      string(MD5 variant "${includes};${flags}")
      string(SUBSTRING ${variant} 0 8 variant)
      string(APPEND directory /${variant})
    endif()
    set(object ${directory}/${flat}.o)
    list(APPEND objects ${object})
    get_property(known GLOBAL PROPERTY PES_FIRMWARE_OBJECTS)
    if(object IN_LIST known)
      continue()
    endif()
    set_property(GLOBAL APPEND PROPERTY PES_FIRMWARE_OBJECTS ${object})
    file(MAKE_DIRECTORY ${directory})
    get_filename_component(extension ${source} LAST_EXT)
    if(extension STREQUAL ".cpp")
      set(language ${PES_FIRMWARE_CXX_FLAGS})
    elseif(extension STREQUAL ".c")
      set(language -x c -std=gnu17)
    else()
      set(language -x assembler-with-cpp)
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${PES_RISCV_CXX} ${PES_FIRMWARE_COMPILE_FLAGS} ${language} ${includes} ${flags}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} pes_platform_header
      DEPFILE ${object}.d
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMENT "Firmware object ${flat}.o"
      COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# The linker script made of a template; one custom command a template.
function(_pes_firmware_linker_script out template)
  file(RELATIVE_PATH flat ${PROJECT_SOURCE_DIR} ${template})
  string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" flat ${flat})
  set(script ${PES_FIRMWARE_DIR}/objects/${flat}.ld)
  set(${out} ${script} PARENT_SCOPE)
  get_property(known GLOBAL PROPERTY PES_FIRMWARE_OBJECTS)
  if(script IN_LIST known)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY PES_FIRMWARE_OBJECTS ${script})
  add_custom_command(
    OUTPUT ${script}
    COMMAND ${PES_RISCV_CXX} -E -P -x assembler-with-cpp -I${PES_PLATFORM_HEADER_DIR}
            -I${PROJECT_SOURCE_DIR} -MD -MF ${script}.d -MT ${script} ${template} -o ${script}
    DEPENDS ${template} pes_platform_header
    DEPFILE ${script}.d
    COMMENT "Firmware linker script ${flat}"
    VERBATIM)
endfunction()

function(pes_add_firmware_layer name)
  if(NOT PES_RISCV_CXX)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "KEEP;SOURCES;INCLUDE_DIRS;FLAGS;DEFS;FOR" ${ARGN})
  _pes_firmware_objects(objects SOURCES ${ARG_SOURCES} INCLUDE_DIRS ${ARG_INCLUDE_DIRS}
                        FLAGS ${ARG_FLAGS} DEFS ${ARG_DEFS} FOR ${ARG_FOR})
  set(layer ${PES_FIRMWARE_DIR}/${name}.layer.o)
  set(joined ${PES_FIRMWARE_DIR}/objects/${name}.joined.o)
  list(TRANSFORM ARG_KEEP PREPEND --keep-global-symbol=)
  add_custom_command(
    OUTPUT ${layer}
    COMMAND ${PES_RISCV_CXX} ${PES_FIRMWARE_TARGET_FLAGS} -r -nostdlib
            -Wl,--force-group-allocation ${objects} -lgcc -o ${joined}
    COMMAND ${PES_RISCV_OBJCOPY} ${ARG_KEEP} ${joined} ${layer}
    DEPENDS ${objects}
    COMMENT "Firmware layer ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${layer})
endfunction()

function(pes_add_firmware name)
  if(NOT PES_RISCV_CXX)
    return()
  endif()
  cmake_parse_arguments(ARG "" "LINKER_SCRIPT" "SOURCES;LAYERS;INCLUDE_DIRS;FLAGS;DEFS;FOR" ${ARGN})
  if(NOT ARG_LINKER_SCRIPT)
    set(ARG_LINKER_SCRIPT ${PES_FIRMWARE_SOURCE_DIR}/boot/bare.ld.S)
  endif()
  get_filename_component(template ${ARG_LINKER_SCRIPT} ABSOLUTE)
  _pes_firmware_objects(objects SOURCES ${ARG_SOURCES} INCLUDE_DIRS ${ARG_INCLUDE_DIRS}
                        FLAGS ${ARG_FLAGS} DEFS ${ARG_DEFS} FOR ${ARG_FOR})
  set(layers)
  foreach(layer ${ARG_LAYERS})
    list(APPEND layers ${PES_FIRMWARE_DIR}/${layer}.layer.o)
  endforeach()

  _pes_firmware_linker_script(script ${template})
  set(elf ${PES_FIRMWARE_DIR}/${name}.elf)
  add_custom_command(
    OUTPUT ${elf}
    COMMAND ${PES_RISCV_CXX} ${PES_FIRMWARE_TARGET_FLAGS} -nostdlib -static
            -Wl,--build-id=none -Wl,--no-warn-rwx-segments -T ${script} ${layers} ${objects} -lgcc
            -o ${elf}
    DEPENDS ${layers} ${objects} ${script} ${ARG_LAYERS}
    COMMENT "Firmware ${name}.elf"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${elf})
  set_property(GLOBAL APPEND PROPERTY PES_PROGRAMS ${name})
endfunction()

function(pes_add_user_program name)
  if(NOT PES_RISCV_CXX)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;FLAGS;DEFS" ${ARGN})
  set(runtime ${PES_FIRMWARE_SOURCE_DIR}/apps/runtime)
  pes_add_firmware_layer(${name}.user KEEP user_start
    SOURCES ${ARG_SOURCES} ${runtime}/start.S ${PES_FIRMWARE_SOURCE_DIR}/lib/memory.cpp
    FLAGS ${ARG_FLAGS} DEFS ${ARG_DEFS} FOR ${ARG_SOURCES})
  pes_add_firmware(${name} LAYERS pes.machine pes.supervisor ${name}.user
    LINKER_SCRIPT ${PES_FIRMWARE_SOURCE_DIR}/boot/layered.ld.S)
endfunction()
