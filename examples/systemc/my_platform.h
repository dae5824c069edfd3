// SPDX-License-Identifier: Apache-2.0
// A platform of one's own: router, memory, console and exit device are plain TLM-2.0; the hart with
// its counters, the CLINT and the PLIC are those of pes-vp.
#pragma once

#include "my_parts.h"

#include <pes-vp/clint.h>
#include <pes-vp/hart.h>
#include <pes-vp/plic.h>

struct Platform : sc_core::sc_module {
    Platform(const sc_core::sc_module_name& name, const pes::kit::Settings& settings)
        : sc_module(name), hart("hart", settings), clint("clint", settings), plic("plic", settings),
          router("router"), memory("memory", 0x1000'0000), console("console", 2 * settings.cycle()),
          finisher("finisher", [this] { hart.stop(); }) {
        hart.bus.bind(router.from);
        router.map(0x8000'0000, 0x1000'0000, memory.socket);
        router.map(0x0010'0000, 0x1000, finisher.socket);
        router.map(0x0200'0000, 0xC'0000, clint.socket);
        router.map(0x0C00'0000, 0x400'0000, plic.socket);
        router.map(0x1000'0000, 0x1000, console.socket);
        hart.use(clint);
        clint.mti[0].bind(mti), hart.mti.bind(mti);
        clint.msi[0].bind(msi), hart.msi.bind(msi);
        plic.mei[0].bind(mei), hart.mei.bind(mei);
        plic.sei[0].bind(sei), hart.sei.bind(sei);
        hart.threshold.bind(threshold), plic.sources[7].bind(threshold);
        hart.buffer_full.bind(buffer_full), plic.sources[8].bind(buffer_full);
    }

    pes::kit::Hart hart;
    pes::kit::Clint clint;
    pes::kit::Plic plic;
    Router router;
    Memory memory;
    Console console;
    Finisher finisher;
    sc_core::sc_signal<bool> mti{"mti"}, msi{"msi"}, mei{"mei"}, sei{"sei"};
    sc_core::sc_signal<bool> threshold{"threshold_wire"}, buffer_full{"buffer_full_wire"};
};
