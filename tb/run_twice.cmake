# SPDX-License-Identifier: Apache-2.0
# cmake -DSCENARIO=... -DPROGRAM=... -DOUTPUT=... -DCOUNTERS=tlm,... -DSETTINGS=key=value,...
#   -P run_twice.cmake -- [options of pes-scenario]
# Runs the scenario twice, the second time with each kind of counters: all must pass, and every file
# must be the same, byte for byte.

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

string(REPLACE "," ";" settings "${SETTINGS}")
foreach(setting ${settings})
  list(APPEND options --set ${setting})
endforeach()

string(REPLACE "," ";" kinds "${COUNTERS}")
foreach(turn first ${kinds})
  file(REMOVE_RECURSE ${OUTPUT}/${turn})
  set(counters)
  if(NOT turn STREQUAL "first")
    set(counters --set counters.model=${turn})
  endif()
  execute_process(
    COMMAND ${SCENARIO} --program ${PROGRAM} --output ${OUTPUT}/${turn}
            --svg ${OUTPUT}/${turn}/pes_scenario.svg ${options} ${counters}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pes-scenario ends with ${result}")
  endif()
endforeach()
foreach(kind ${kinds})
  foreach(extension vcd gtkw svg console)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT}/first/pes_scenario.${extension}
              ${OUTPUT}/${kind}/pes_scenario.${extension}
      RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "pes_scenario.${extension} differs from the first run with ${kind}")
    endif()
  endforeach()
endforeach()
