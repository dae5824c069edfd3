# SPDX-License-Identifier: Apache-2.0
# cmake -DSCENARIO=... -DPROGRAM=... -DOUTPUT=... -P run_twice.cmake -- [options of pes-scenario]
# Runs the scenario twice: both must pass, and every file must be the same, byte for byte.

set(options)
set(behind FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(behind)
    list(APPEND options ${CMAKE_ARGV${index}})
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(behind TRUE)
  endif()
endforeach()

foreach(turn first second)
  file(REMOVE_RECURSE ${OUTPUT}/${turn})
  execute_process(
    COMMAND ${SCENARIO} --program ${PROGRAM} --output ${OUTPUT}/${turn}
            --svg ${OUTPUT}/${turn}/pes_scenario.svg ${options}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pes-scenario ends with ${result}")
  endif()
endforeach()
foreach(extension vcd gtkw svg console)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT}/first/pes_scenario.${extension}
            ${OUTPUT}/second/pes_scenario.${extension}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pes_scenario.${extension} of two runs differs")
  endif()
endforeach()
