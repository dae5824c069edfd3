# SPDX-License-Identifier: Apache-2.0
# One translation unit out of Verilator's output, whose file names are not known beforehand; the
# compiler then sees the whole model at once.
file(GLOB parts RELATIVE ${DIRECTORY} ${DIRECTORY}/*.cpp)
list(SORT parts)
set(text "")
foreach(part ${parts})
  string(APPEND text "#include \"${part}\"\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
