// SPDX-License-Identifier: Apache-2.0
// Who drives the timer interrupt. Usage: wires PROGRAM KIND:
//   clint    the CLINT
//   edge     a process of the test, at the beginning of cycle 60 000
//   before   the same, half a cycle earlier: the edge of 60 000 is the first to see it
//   outside  nobody, so that nothing is left to do, and then sc_main
#include "my_platform.h"

#include <iostream>
#include <memory>

struct Wire : sc_core::sc_module {
    Wire(const sc_core::sc_module_name& name, sc_core::sc_signal<bool>& wire,
         const sc_core::sc_time& at)
        : sc_module(name), wire_(wire), at_(at) {
        SC_HAS_PROCESS(Wire);
        SC_THREAD(drive);
    }

  private:
    void drive() {
        wait(at_);
        wire_.write(true);
    }

    sc_core::sc_signal<bool>& wire_;
    const sc_core::sc_time at_;
};

/// As Platform, with the timer interrupt from elsewhere.
struct Board : sc_core::sc_module {
    Board(const sc_core::sc_module_name& name, const pes::kit::Settings& settings, bool own)
        : sc_module(name), hart("hart", settings), clint("clint", settings),
          console("console", 2 * settings.cycle()), finisher("finisher", [this] { hart.stop(); }) {
        hart.bus.bind(router.from);
        router.map(0x8000'0000, 0x1000'0000, memory.socket);
        router.map(0x0010'0000, 0x1000, finisher.socket);
        router.map(0x0200'0000, 0xC'0000, clint.socket);
        router.map(0x1000'0000, 0x1000, console.socket);
        hart.use(clint);
        if (own) {
            clint.mti[0].bind(mti);
        }
        hart.mti.bind(mti), hart.msi.bind(quiet), hart.mei.bind(quiet), hart.sei.bind(quiet);
    }

    pes::kit::Hart hart;
    pes::kit::Clint clint;
    Router router{"router"};
    Memory memory{"memory", 0x1000'0000};
    Console console;
    Finisher finisher;
    sc_core::sc_signal<bool> mti{"mti"}, quiet{"quiet"};
};

int sc_main(int, char** arguments) {
    const std::string kind = arguments[2];
    const pes::kit::Settings settings;
    Board board("board", settings, kind == "clint");
    board.hart.load(arguments[1]);
    const sc_core::sc_time edge = settings.cycle() * 60'000;
    std::unique_ptr<Wire> wire;
    if (kind == "edge" || kind == "before") {
        wire = std::make_unique<Wire>("wire", board.mti,
                                      kind == "edge" ? edge : edge - settings.cycle() / 2);
    }
    sc_core::sc_start();
    if (kind == "outside") {
        if (board.hart.end() != pes::kit::Hart::End::Running || board.hart.traps() != 0) {
            std::cerr << "the hart has not waited\n";
            return 1;
        }
        board.mti.write(true);
        sc_core::sc_start();
    }
    if (board.hart.end() != pes::kit::Hart::End::Stopped || board.hart.traps() != 1) {
        std::cerr << "the hart has not gone on\n";
        return 1;
    }
    return 0;
}
