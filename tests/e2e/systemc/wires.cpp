// SPDX-License-Identifier: Apache-2.0
// Who drives the timer interrupt. Usage: wires PROGRAM KIND:
//   clint    the CLINT, through ports of modules around it
//   edge     a process of the test, at the beginning of cycle 60 000
//   before   the same, half a cycle earlier: the edge of 60 000 is the first to see it
//   waits    the CLINT, and the console waits in its transport call instead of adding to the delay
//   outside  nobody, so that nothing is left to do, and then sc_main
#include "my_platform.h"

#include <iostream>
#include <memory>
#include <string>

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

/// A device that takes its time in kernel time, as TLM-2.0 allows to loosely timed targets.
struct Waiting : sc_core::sc_module {
    explicit Waiting(const sc_core::sc_module_name& name) : sc_module(name) {
        from.register_b_transport(this, &Waiting::b_transport);
    }
    tlm_utils::simple_target_socket<Waiting> from{"from"};
    tlm_utils::simple_initiator_socket<Waiting> to{"to"};
    bool waits = false;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        to->b_transport(payload, delay);
        if (waits) {
            wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        }
    }
};

/// Passes an interrupt through ports of a module around it.
struct Parent : sc_core::sc_module {
    Parent(const sc_core::sc_module_name& name, const pes::kit::Settings& settings)
        : sc_module(name), clint("clint", settings) {
        clint.mti[0].bind(out);
    }
    pes::kit::Clint clint;
    sc_core::sc_out<bool> out{"out"};
};

/// As Platform, with the timer interrupt from elsewhere.
struct Board : sc_core::sc_module {
    Board(const sc_core::sc_module_name& name, const pes::kit::Settings& settings,
          const std::string& kind)
        : sc_module(name), hart("hart", settings), parent("parent", settings),
          console("console", 2 * settings.cycle()), finisher("finisher", [this] { hart.stop(); }) {
        hart.bus.bind(router.from);
        router.map(0x8000'0000, 0x1000'0000, memory.socket);
        router.map(0x0010'0000, 0x1000, finisher.socket);
        router.map(0x0200'0000, 0xC'0000, parent.clint.socket);
        router.map(0x1000'0000, 0x1000, waiting.from);
        waiting.to.bind(console.socket);
        waiting.waits = kind == "waits";
        hart.use(parent.clint);
        const bool own = kind == "clint" || kind == "waits";
        parent.out.bind(own ? mti : nowhere);
        hart.mti.bind(in), in.bind(mti), hart.msi.bind(quiet), hart.mei.bind(quiet),
            hart.sei.bind(quiet);
    }

    pes::kit::Hart hart;
    Parent parent;
    Router router{"router"};
    Waiting waiting{"waiting"};
    sc_core::sc_in<bool> in{"in"};
    Memory memory{"memory", 0x1000'0000};
    Console console;
    Finisher finisher;
    sc_core::sc_signal<bool> mti{"mti"}, quiet{"quiet"}, nowhere{"nowhere"};
};

int sc_main(int, char** arguments) {
    const std::string kind = arguments[2];
    const pes::kit::Settings settings;
    Board board("board", settings, kind);
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
    std::cerr << "cycles " << board.hart.cycles() << '\n';
    return 0;
}
