# SPDX-License-Identifier: Apache-2.0
# pes_write_specs(FROM TO SDK): the compiler's specs files of both modes, in the folder TO, of a kit that lies in SDK.
function(pes_write_specs from to PES_SDK)
  set(PES_SDK_MODE machine)
  set(PES_SDK_DEFINITION "")
  set(PES_SDK_BASE "")
  set(PES_SDK_SUFFIX "")
  set(PES_SDK_LIBRARIES -lpes)
  configure_file(${from} ${to}/pes.specs @ONLY)
  set(PES_SDK_MODE supervisor)
  set(PES_SDK_DEFINITION " -DPES_SUPERVISOR")
  set(PES_SDK_BASE " --defsym=__memory_base=0x80200000") # where SBI firmware goes to
  set(PES_SDK_SUFFIX -supervisor)
  set(PES_SDK_LIBRARIES "-lpes-supervisor -lpapi")
  configure_file(${from} ${to}/pes-supervisor.specs @ONLY)
endfunction()
