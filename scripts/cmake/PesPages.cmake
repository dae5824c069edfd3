# SPDX-License-Identifier: Apache-2.0
# pes_embed_page: an HTML page with its libraries, as C++ text. The libraries come from npm
# (platform/report/web/package.json, scripts/setup.sh); without them the text is empty.
set(PES_WEB_DIR ${PROJECT_SOURCE_DIR}/platform/report/web)

# Writes the source SOURCE with the definition of FUNCTION, which HEADER declares. LIBRARIES and LIBRARY_STYLES are
# relative to the packages; TEMPLATE, STYLES and SCRIPTS are files.
function(pes_embed_page)
  cmake_parse_arguments(arg "" "SOURCE;FUNCTION;HEADER;TEMPLATE" "LIBRARY_STYLES;LIBRARIES;STYLES;SCRIPTS" ${ARGN})
  list(TRANSFORM arg_LIBRARY_STYLES PREPEND ${PES_WEB_DIR}/node_modules/)
  list(TRANSFORM arg_LIBRARIES PREPEND ${PES_WEB_DIR}/node_modules/)
  set(template ${arg_TEMPLATE})
  foreach(file ${arg_LIBRARY_STYLES} ${arg_LIBRARIES})
    if(NOT EXISTS ${file})
      get_filename_component(name ${arg_TEMPLATE} NAME)
      message(STATUS "npm packages of platform/report/web missing: no page ${name}")
      set(template)
      break()
    endif()
  endforeach()
  set(files)
  if(template)
    set(files ${template} ${arg_LIBRARY_STYLES} ${arg_STYLES} ${arg_LIBRARIES} ${arg_SCRIPTS})
  endif()
  set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/embed_page.cmake)
  add_custom_command(OUTPUT ${arg_SOURCE}
    COMMAND ${CMAKE_COMMAND} "-DTEMPLATE=${template}" "-DSTYLES=${arg_LIBRARY_STYLES};${arg_STYLES}"
            "-DLIBRARIES=${arg_LIBRARIES}" "-DSCRIPTS=${arg_SCRIPTS}" -DFUNCTION=${arg_FUNCTION}
            -DHEADER=${arg_HEADER} -DOUTPUT=${arg_SOURCE} -P ${script}
    DEPENDS ${script} ${files}
    COMMENT "Page of ${arg_FUNCTION}"
    VERBATIM)
endfunction()
