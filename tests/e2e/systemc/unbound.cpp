// SPDX-License-Identifier: Apache-2.0
// A platform with something missing, and the sentence about it. Usage: unbound WHAT
#include <pes-vp/clint.h>
#include <pes-vp/hart.h>
#include <pes-vp/plic.h>

#include "my_parts.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

/// An initiator that accesses nothing, for a router that nobody else is bound to.
struct Nobody : sc_core::sc_module {
    explicit Nobody(const sc_core::sc_module_name& name) : sc_module(name) {}
    tlm_utils::simple_initiator_socket<Nobody> socket{"socket"};
};

int sc_main(int, char** arguments) {
    const std::string what = arguments[1];
    try {
        const pes::kit::Settings settings(what == "setting"
                                              ? std::vector<std::string>{"counters.widht=3"}
                                              : std::vector<std::string>());
        pes::kit::Hart hart("cpu", settings, what == "index" ? 1 : 0);
        pes::kit::Clint clint("clint", settings);
        Router router("router");
        Memory memory("memory", 0x100);
        sc_core::sc_signal<bool> wires[4];
        std::optional<Nobody> nobody;
        if (what != "bus") {
            hart.bus.bind(router.from);
        } else {
            nobody.emplace("nobody").socket.bind(router.from);
        }
        router.map(0x8000'0000, 0x100, memory.socket);
        if (what != "socket") {
            router.map(0x0200'0000, 0xC'0000, clint.socket);
        }
        hart.mei.bind(wires[0]);
        hart.sei.bind(wires[1]);
        if (what != "mti") {
            hart.mti.bind(wires[2]);
        }
        hart.msi.bind(wires[3]);
        if (what != "timer") {
            hart.use(clint);
        }
        if (what == "elf" || what == "memory") {
            hart.load(arguments[2]);
        }
        if (what == "csr") {
            hart.csr(0x5C0);
        }
        sc_core::sc_start(settings.cycle());
    } catch (const pes::kit::Error& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
    return 0;
}
