# SPDX-License-Identifier: Apache-2.0
# cmake -DOBJDUMP=... -DOBJECT=... -P check_no_float.cmake
# Fails if the object touches a floating-point register: the trap entries do not save them. The
# program's own values, between the symbols of boot/float_registers.S, are the exception.
execute_process(COMMAND ${OBJDUMP} -d ${OBJECT} OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${OBJDUMP} cannot read ${OBJECT}")
endif()
string(REGEX REPLACE "<float_registers_begin>:.*<float_registers_end>:" "" text "${text}")
string(REGEX MATCH "[^\n]*\t(c\\.)?f(l|s|ld|sd|lw|sw|add|sub|mul|div|sqrt|cvt|mv|sgnj|madd|msub|nmadd|nmsub|eq|lt|le|class|min|max|abs|neg)[a-z.]*\t[^\n]*f(t|s|a)[0-9]+[^\n]*"
       found "${text}")
if(found)
  message(FATAL_ERROR "floating-point instruction in ${OBJECT}: ${found}")
endif()
