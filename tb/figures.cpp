// SPDX-License-Identifier: Apache-2.0
#include "tb/figures.h"

#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "tb/sample_steps.h"

namespace pes {

std::vector<Figure> published_figures(unsigned index) {
    const CounterSignals names = signals_of(index);
    const FigureSignal counter{names.value, Radix::Decimal};
    const FigureSignal threshold{names.threshold, Radix::Decimal};
    const FigureSignal line{"hart0.hpm.perf_counter_irq_o", Radix::Binary};
    const FigureSignal inhibit{"hart0.hpm.mcountinhibit_q", Radix::Hexadecimal, index};
    const FigureSignal source{"plic.irq_sources_i", Radix::Hexadecimal, irq::kPesThresholdSource};
    const FigureSignal pending{"plic.ip", Radix::Hexadecimal, irq::kPesThresholdSource};
    const FigureSignal claim{"plic.claim", Radix::Hexadecimal, irq::kPesThresholdSource};
    const FigureSignal complete{"plic.complete", Radix::Hexadecimal, irq::kPesThresholdSource};
    const FigureSignal target{"plic.eip_targets_o", Radix::Hexadecimal, plic::kMachineContext};
    constexpr unsigned kMachineExternal = 11; // mip.MEIP
    const FigureSignal mip{"hart0.commit.mip_q", Radix::Hexadecimal, kMachineExternal};
    const FigureSignal trap{"hart0.commit.trap_valid", Radix::Binary};
    const FigureSignal mepc{"hart0.commit.mepc_q"};
    const FigureSignal valid{"hart0.commit.commit_valid(0)", Radix::Binary};
    const FigureSignal pc{"hart0.commit.commit_pc(0)"};
    const FigureSignal instruction{"hart0.commit.commit_instr(0)"};
    const FigureSignal address_input{"hart0.hpm.mmaped_addr_d"};
    const FigureSignal address{"hart0.hpm.mmaped_addr_q"};
    const FigureSignal offset{"hart0.hpm.mmaped_offset_q", Radix::Decimal};
    std::vector<FigureSignal> counting{threshold, counter, line};
    if (!names.selector.empty()) {
        counting.insert(counting.begin(), FigureSignal{names.selector, Radix::Decimal});
    }
    return {
        {"4.3", "counting up to the threshold", counting},
        {"4.4", "the request reaches the PLIC", {line, source, pending, target, mip, trap}},
        {"4.5", "claim by the handler", {trap, pc, inhibit, claim, pending, target}},
        {"4.6",
         "the sample is stored",
         {mepc, address_input, address, offset, valid, pc, instruction}},
        {"4.7",
         "counter reset, completion, resumption",
         {counter, line, complete, source, inhibit, pc}},
    };
}

} // namespace pes
