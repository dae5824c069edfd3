// SPDX-License-Identifier: Apache-2.0
// libpes_hpm for SystemVerilog: `include it in a package or a module, and link the simulation with
// -lpes_hpm. pes_hpm.h says what the functions do; docs/hpm-library.md has an example.

import "DPI-C" function chandle pes_hpm_create(input string settings);
import "DPI-C" function void pes_hpm_destroy(input chandle model);
import "DPI-C" function string pes_hpm_error(input chandle model);

import "DPI-C" function int pes_hpm_tick(input chandle model, input longint unsigned pulses,
                                         input int unsigned retired, input int unsigned privilege,
                                         input int unsigned debug);
import "DPI-C" function int pes_hpm_advance(input chandle model, input longint unsigned cycles);

import "DPI-C" function int pes_hpm_read(input chandle model, input int unsigned csr,
                                         output longint unsigned value);
import "DPI-C" function int pes_hpm_write(input chandle model, input int unsigned csr,
                                          input longint unsigned value);
import "DPI-C" function int pes_hpm_owns(input chandle model, input int unsigned csr);

import "DPI-C" function int unsigned pes_hpm_lines(input chandle model);
import "DPI-C" function int unsigned pes_hpm_reached(input chandle model);
import "DPI-C" function longint unsigned pes_hpm_cycles(input chandle model);

import "DPI-C" function int pes_hpm_pulse(input chandle model, input string event_name);
import "DPI-C" function longint pes_hpm_selector(input chandle model, input string event_name);
