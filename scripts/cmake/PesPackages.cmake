# SPDX-License-Identifier: Apache-2.0
# The target `packages`, or `cpack` in the folder of a complete build, makes Debian packages: pes-vp;
# pes-vp-systemc-dev with modules for SystemC; libpes-hpm-dev, the counters as a library; pes-vp-dev with the SDK for guests, and pes-vp-doc, for every
# architecture.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
if(PES_MKDOCS)
  file(GLOB pages CONFIGURE_DEPENDS docs/*.md docs/images/* *.md)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/site/index.html
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/site.sh ${CMAKE_BINARY_DIR}/site
    DEPENDS ${pages} scripts/site.sh COMMENT "Documents as a site" VERBATIM)
  add_custom_target(site ALL DEPENDS ${CMAKE_BINARY_DIR}/site/index.html)
  pes_packaged(site)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/site/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html COMPONENT doc)
else()
  message(STATUS "mkdocs not found: the documents are not made into a site")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The pes-vp developers")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON) # what is written at installation knows where it will be
set(CPACK_COMPONENTS_ALL program hpm dev systemc doc)
if(PES_SANITIZE OR PES_COVERAGE)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL systemc)
endif()
if(NOT PES_RISCV_CXX)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL dev)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
" A CVA6-class hart with its performance counters, sampling interrupts and
 trace, cycle by cycle, for firmware, kernels and Linux programs.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pes-vp)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "cpio, binutils, xz-utils") # of exec --prepare
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "pes-vp-doc, gcc-riscv64-unknown-elf, gdb-multiarch, gtkwave, linux-perf")

set(CPACK_COMPONENT_DEV_DESCRIPTION " Start-up, C library's calls and linker script for programs on its hart.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME pes-vp-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "pes-vp, pkg-config")

set(CPACK_COMPONENT_HPM_DESCRIPTION
" The counters of pes-vp as a reference model for testbenches: C header, DPI
 declarations, shared and static library.")
set(CPACK_DEBIAN_HPM_PACKAGE_NAME libpes-hpm-dev)
set(CPACK_DEBIAN_HPM_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HPM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HPM_PACKAGE_SUGGESTS "pes-vp-doc, verilator, pkg-config")

set(CPACK_COMPONENT_SYSTEMC_DESCRIPTION
" Its hart with performance counters, interrupt controllers and trace as modules
 with TLM-2.0 sockets, for SystemC platforms of one's own.")
set(CPACK_DEBIAN_SYSTEMC_PACKAGE_NAME pes-vp-systemc-dev)
set(CPACK_DEBIAN_SYSTEMC_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SYSTEMC_PACKAGE_DEPENDS "libsystemc-dev (>= 2.3.4), libsystemc-dev (<< 2.3.5), libspdlog-dev, libfmt-dev, libtomlplusplus-dev, libelf-dev, zlib1g-dev, libzstd-dev${PES_KIT_DEPENDS}")
set(CPACK_DEBIAN_SYSTEMC_PACKAGE_RECOMMENDS "g++, cmake, pes-vp")

set(CPACK_COMPONENT_DOC_DESCRIPTION " Documentation.")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME pes-vp-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
include(CPack)
get_property(packaged GLOBAL PROPERTY PES_PACKAGED)
add_custom_target(packages COMMAND ${CMAKE_CPACK_COMMAND} DEPENDS ${packaged} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
                  COMMENT "Debian packages" VERBATIM)
