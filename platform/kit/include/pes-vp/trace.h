// SPDX-License-Identifier: Apache-2.0
// Trace of the kit's harts: encoder, funnel, and the receiver of what leaves the chip.
//
//   Hart <-> TraceEncoder --+-- SRAM (read by registers)        Hart <-> TraceEncoder -->
//   TraceFunnel --+-- SRAM
//                           +-- memory (socket `memory`) +-- memory
//                           +-- TraceSink (probe) +-- TraceSink
//                                                                                                      +-- TraceFunnel
//
// Registers are those of docs/trace-hardware.md, at the target sockets; with trace.registers =
// standard those of docs/trace-control.md, and the sinks are a RAM sink with a socket of its own.
// Software chooses the sink there; start() does it for a program that knows nothing of trace. An
// encoder observes its hart while it traces, and holds it while its FIFO is full and stalls are on.
// Keys trace.* of the settings.
#pragma once

#include <pes-vp/hart.h>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pes::kit {

/// What `pes-vp run --trace-program` calls none, events, btm, htm and htm-plain.
enum class TraceProgram : std::uint8_t { None, Events, Branches, History, PlainHistory };

/// Outside of the chip: receives the bytes of the probes that are connected to it.
class TraceSink : public sc_core::sc_module {
  public:
    TraceSink(const sc_core::sc_module_name& name, const Settings& settings);
    ~TraceSink() override;

    /// Before the simulation: gives each piece away instead of keeping it.
    void receive(std::function<void(std::span<const std::uint8_t>)> receiver);
    /// All bytes so far, unless there is a receiver.
    const std::vector<std::uint8_t>& bytes() const;
    /// What `pes-decode trace FILE` reads from FILE.toml, at the end. `programs`: absolute paths of
    /// the ELF files that the harts run.
    std::string description(const std::vector<std::string>& programs = {}) const;

  private:
    struct Parts;
    friend class TraceEncoder;
    friend class TraceFunnel;

    std::unique_ptr<Parts> parts_;
};

class TraceFunnel : public sc_core::sc_module {
  public:
    /// The last one, whose timestamps are those of all.
    TraceFunnel(const sc_core::sc_module_name& name, const Settings& settings);
    /// One whose messages may go on to `next`.
    TraceFunnel(const sc_core::sc_module_name& name, const Settings& settings, TraceFunnel& next);
    ~TraceFunnel() override;

    tlm_utils::simple_target_socket_optional<TraceFunnel> socket;    ///< registers, from 0 on
    tlm_utils::simple_target_socket_optional<TraceFunnel> ram_sink;  ///< the same of its RAM sink
    tlm_utils::simple_initiator_socket_optional<TraceFunnel> memory; ///< unbound: refuses bursts

    /// At elaboration, at most once.
    void connect(TraceSink& probe);
    /// Messages that came while it was off.
    std::uint64_t dropped() const;

  private:
    struct Parts;
    friend class TraceEncoder;

    void start_of_simulation() override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    void sink_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned sink_transport_dbg(tlm::tlm_generic_payload& payload);

    std::unique_ptr<Parts> parts_;
};

class TraceEncoder : public sc_core::sc_module {
  public:
    /// With sinks of its own.
    TraceEncoder(const sc_core::sc_module_name& name, const Settings& settings, Hart& hart);
    /// Whose messages go to `funnel`. The modules must outlive the simulation.
    TraceEncoder(const sc_core::sc_module_name& name, const Settings& settings, Hart& hart,
                 TraceFunnel& funnel);
    ~TraceEncoder() override;

    tlm_utils::simple_target_socket_optional<TraceEncoder> socket;    ///< registers, from 0 on
    tlm_utils::simple_target_socket_optional<TraceEncoder> ram_sink;  ///< the same of its RAM sink
    tlm_utils::simple_initiator_socket_optional<TraceEncoder> memory; ///< unbound: refuses bursts

    /// At elaboration, at most once, without a funnel.
    void connect(TraceSink& probe);
    /// Before the simulation: traces from the first instruction to the end, through the probe, its
    /// own or that of the last funnel; a full FIFO holds the hart. Starts the funnels on the way.
    void start(TraceProgram program = TraceProgram::History);

    std::uint64_t messages() const; ///< sent so far
    std::uint64_t lost() const;     ///< messages that its FIFO had no room for

  private:
    struct Parts;

    void start_of_simulation() override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    void sink_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned sink_transport_dbg(tlm::tlm_generic_payload& payload);

    std::unique_ptr<Parts> parts_;
};

} // namespace pes::kit
