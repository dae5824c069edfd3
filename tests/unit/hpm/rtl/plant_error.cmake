# SPDX-License-Identifier: Apache-2.0
# Copies INPUT to OUTPUT with FROM replaced by TO. FROM must occur exactly once: a mutant whose
# place in the RTL has gone fails the build.
file(READ ${INPUT} text)
string(FIND "${text}" "${FROM}" first)
string(FIND "${text}" "${FROM}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "${INPUT} does not contain exactly once: ${FROM}")
endif()
string(REPLACE "${FROM}" "${TO}" text "${text}")
file(WRITE ${OUTPUT} "${text}")
