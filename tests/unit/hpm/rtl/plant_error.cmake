# SPDX-License-Identifier: Apache-2.0
# Copies INPUT to OUTPUT with FROM replaced by TO and, if given, ALSO_FROM by ALSO_TO. Each must occur
# exactly once: a mutant whose place in the RTL has gone fails the build.
file(READ ${INPUT} text)

macro(replace from to)
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${INPUT} does not contain exactly once: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
endmacro()

replace("${FROM}" "${TO}")
if(ALSO_FROM)
  replace("${ALSO_FROM}" "${ALSO_TO}")
endif()
file(WRITE ${OUTPUT} "${text}")
