// SPDX-License-Identifier: Apache-2.0
// Harts on one bus, with one CLINT and one PLIC. Usage: several_harts PROGRAM HARTS [KEY=VALUE...].
// The exit code is what the program writes to the test finisher.
#include "my_parts.h"

#include <pes-vp/clint.h>
#include <pes-vp/hart.h>
#include <pes-vp/plic.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// The finisher of the example, with the code that the program ends with.
struct Exit : sc_core::sc_module {
    explicit Exit(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_b_transport(this, &Exit::b_transport);
    }
    tlm_utils::simple_target_socket<Exit> socket{"socket"};
    std::function<void()> stop;
    int code = -1;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        std::uint32_t value = 0;
        std::memcpy(&value, payload.get_data_ptr(), sizeof value);
        code = static_cast<int>(value >> 16);
        stop();
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

int sc_main(int, char** arguments) {
    std::vector<std::string> keys{std::string("harts=") + arguments[2]};
    for (char** key = arguments + 3; *key != nullptr; ++key) {
        keys.emplace_back(*key);
    }
    const pes::kit::Settings settings(keys);
    const unsigned count = static_cast<unsigned>(std::stoul(arguments[2]));
    pes::kit::Clint clint("clint", settings);
    pes::kit::Plic plic("plic", settings);
    Router router("router");
    Memory memory("memory", 0x1000'0000);
    Exit exit("exit");
    sc_core::sc_vector<sc_core::sc_signal<bool>> wires("wires", 5 * count);
    std::vector<std::unique_ptr<pes::kit::Hart>> harts;
    router.map(0x8000'0000, 0x1000'0000, memory.socket);
    router.map(0x0010'0000, 0x1000, exit.socket);
    router.map(0x0200'0000, 0xC'0000, clint.socket);
    router.map(0x0C00'0000, 0x400'0000, plic.socket);
    for (unsigned index = 0; index < count; ++index) {
        harts.push_back(std::make_unique<pes::kit::Hart>(("hart" + std::to_string(index)).c_str(),
                                                         settings, index));
        pes::kit::Hart& hart = *harts.back();
        for (unsigned other = 0; other < index; ++other) {
            hart.share_bus(*harts[other]);
        }
        hart.bus.bind(router.from);
        hart.use(clint);
        const unsigned wire = 5 * index;
        clint.mti[index].bind(wires[wire]), hart.mti.bind(wires[wire]);
        clint.msi[index].bind(wires[wire + 1]), hart.msi.bind(wires[wire + 1]);
        plic.mei[index].bind(wires[wire + 2]), hart.mei.bind(wires[wire + 2]);
        plic.sei[index].bind(wires[wire + 3]), hart.sei.bind(wires[wire + 3]);
        hart.threshold.bind(wires[wire + 4]), plic.sources[7 + 2 * index].bind(wires[wire + 4]);
    }
    harts.front()->load(arguments[1]);
    for (unsigned index = 1; index < count; ++index) {
        harts[index]->start_at(harts.front()->pc());
    }
    exit.stop = [&harts] {
        for (const auto& hart : harts) {
            hart->stop();
        }
    };
    sc_core::sc_start();
    for (const auto& hart : harts) {
        std::fprintf(stderr, "%s: %llu cycles, %llu instructions\n", hart->name(),
                     static_cast<unsigned long long>(hart->cycles()),
                     static_cast<unsigned long long>(hart->instructions()));
    }
    return exit.code;
}
