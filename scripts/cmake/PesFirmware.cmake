# SPDX-License-Identifier: Apache-2.0
# pes_add_firmware(name SOURCES ... [FLAGS ...] [DEFS ...] [LINKER_SCRIPT file.ld.S])
# Cross-compiles a program for the modelled hart; the ELF is ${PES_FIRMWARE_DIR}/name.elf.
function(pes_add_firmware name)
  message(FATAL_ERROR "pes_add_firmware is defined by firmware/")
endfunction()
