// SPDX-License-Identifier: Apache-2.0
#include <pes-vp/trace.h>

#include "hw/interface/trace/crc32.h"
#include "platform/kit/bus_port.h"
#include "platform/kit/errors.h"
#include "platform/kit/hart_parts.h"
#include "platform/kit/trace_group.h"
#include "platform/kit/traced_hart.h"

#include <algorithm>
#include <optional>

namespace pes::kit {

// --- Common
// ---------------------------------------------------------------------------------------

void TraceGroup::hart_ended(Cycle at) {
    end_ = std::max(end_, at);
    if (++ended_ < harts_.size()) {
        return;
    }
    for (trace::TraceEncoderModule* encoder : encoders_) {
        encoder->bring_up_to(end_);
    }
    drain(end_); // the last messages of a trace need room: nobody can be held any more
    if (started_) {
        for (trace::TraceEncoderModule* encoder : encoders_) {
            stop_encoder(encoder->encoder().registers(), end_);
        }
    }
    drain(end_);
}

void TraceGroup::drain(Cycle at) {
    for (trace::TraceEncoderModule* encoder : encoders_) {
        encoder->sink().drain(at);
    }
    for (trace::TraceFunnelModule* funnel : funnels_) {
        funnel->sink().drain(at);
    }
}

namespace {

/// The sockets of a block, inside the module that has those for others.
template <typename Block, typename Outside>
struct Sockets {
    Sockets(Block& block, Outside& memory) : port("memory_port", memory) {
        registers.bind(block.socket());
        block.bus().bind(port.inside);
        if (block.ram_sink() != nullptr) {
            ram_sink.emplace("to_ram_sink");
            ram_sink->bind(block.ram_sink()->socket());
        }
    }
    /// Without a RAM sink there is no register.
    void sink_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        if (ram_sink) {
            (*ram_sink)->b_transport(payload, delay);
        } else {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
    }
    unsigned sink_transport_dbg(tlm::tlm_generic_payload& payload) {
        return ram_sink ? (*ram_sink)->transport_dbg(payload) : 0;
    }
    tlm_utils::simple_initiator_socket<Sockets> registers{"to_registers"};
    std::optional<tlm_utils::simple_initiator_socket<Sockets>> ram_sink;
    BusPort<Outside> port;
};

} // namespace

// --- Sink ---------------------------------------------------------------------------------------

struct TraceSink::Parts {
    explicit Parts(Settings all) : settings(std::move(all)) {}
    void send(std::span<const std::uint8_t> piece) {
        count += piece.size();
        crc32.add(piece.data(), piece.size());
        if (receiver) {
            receiver(piece);
        } else {
            bytes.insert(bytes.end(), piece.begin(), piece.end());
        }
    }
    std::function<void(std::span<const std::uint8_t>)> writer() {
        return [this](std::span<const std::uint8_t> piece) { send(piece); };
    }

    const Settings settings;
    std::function<void(std::span<const std::uint8_t>)> receiver{};
    std::vector<std::uint8_t> bytes{};
    std::uint64_t count = 0;
    trace::Crc32 crc32{};
    std::shared_ptr<const TraceGroup> group{}; ///< whose messages come here
};

TraceSink::TraceSink(const sc_core::sc_module_name& name, const Settings& settings)
    : sc_core::sc_module(name), parts_(std::make_unique<Parts>(settings)) {}

TraceSink::~TraceSink() = default;

void TraceSink::receive(std::function<void(std::span<const std::uint8_t>)> receiver) {
    parts_->receiver = std::move(receiver);
}

const std::vector<std::uint8_t>& TraceSink::bytes() const {
    return parts_->bytes;
}

std::string TraceSink::description(const std::vector<std::string>& programs) const {
    TraceReport report;
    report.probe_bytes = parts_->count;
    report.probe_crc32 = parts_->crc32.value();
    if (parts_->group) {
        report.encoders = parts_->group->counts();
    }
    return trace_description(parts_->settings.internal(), programs, report);
}

// --- Funnel -------------------------------------------------------------------------------------

struct TraceFunnel::Parts {
    using Module = trace::TraceFunnelModule;

    Parts(TraceFunnel& owner, const Settings& settings, TraceFunnel* last)
        : config(settings),
          group(last == nullptr ? std::make_shared<TraceGroup>() : last->parts_->group), next(last),
          clock(settings.internal().clock_hz),
          module("funnel", funnel_config(settings.internal(), owner.name(), last == nullptr),
                 sink_config(settings.internal(),
                             last == nullptr ? TraceRoute::OwnSinks : TraceRoute::OwnSinksOrFunnel),
                 {.clock = clock,
                  .notice = group->notice(),
                  .kernel_changed = [this] { group->kernel_changed(); },
                  .probe = &relay,
                  .master = master(),
                  .latency = settings.internal().trace.latency}),
          sockets(module, owner.memory) {
        group->add(module);
        if (next != nullptr) {
            module.sink().set_funnel(next->parts_->module.funnel().add_input(module.funnel()));
        }
    }
    const trace::TimestampUnit* master() const {
        const TraceFunnel* last = next;
        while (last != nullptr && last->parts_->next != nullptr) {
            last = last->parts_->next;
        }
        return last == nullptr ? nullptr : &last->parts_->module.funnel().timestamps();
    }

    const Settings config;
    const std::shared_ptr<TraceGroup> group;
    TraceFunnel* const next;
    const ClockDomain clock;
    ProbeRelay relay;
    Module module;
    Sockets<Module, decltype(TraceFunnel::memory)> sockets;
    bool starts = false;
};

TraceFunnel::TraceFunnel(const sc_core::sc_module_name& name, const Settings& settings)
    : sc_core::sc_module(name), socket("socket"), ram_sink("ram_sink"), memory("memory"),
      parts_(std::make_unique<Parts>(*this, settings, nullptr)) {
    socket.register_b_transport(this, &TraceFunnel::b_transport);
    socket.register_transport_dbg(this, &TraceFunnel::transport_dbg);
    ram_sink.register_b_transport(this, &TraceFunnel::sink_b_transport);
    ram_sink.register_transport_dbg(this, &TraceFunnel::sink_transport_dbg);
}

TraceFunnel::TraceFunnel(const sc_core::sc_module_name& name, const Settings& settings,
                         TraceFunnel& next)
    : sc_core::sc_module(name), socket("socket"), ram_sink("ram_sink"), memory("memory"),
      parts_(std::make_unique<Parts>(*this, settings, &next)) {
    socket.register_b_transport(this, &TraceFunnel::b_transport);
    socket.register_transport_dbg(this, &TraceFunnel::transport_dbg);
    ram_sink.register_b_transport(this, &TraceFunnel::sink_b_transport);
    ram_sink.register_transport_dbg(this, &TraceFunnel::sink_transport_dbg);
}

TraceFunnel::~TraceFunnel() = default;

void TraceFunnel::connect(TraceSink& probe) {
    parts_->relay.to = probe.parts_->writer();
    probe.parts_->group = parts_->group;
}

std::uint64_t TraceFunnel::dropped() const {
    return parts_->module.funnel().dropped();
}

void TraceFunnel::start_of_simulation() {
    if (parts_->starts) {
        start_funnel(parts_->config.internal().trace, parts_->module.funnel().registers(),
                     parts_->module.ram_sink_registers(), parts_->next == nullptr);
    }
}

void TraceFunnel::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->sockets.registers->b_transport(payload, delay);
}

unsigned TraceFunnel::transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->sockets.registers->transport_dbg(payload);
}

void TraceFunnel::sink_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->sockets.sink_b_transport(payload, delay);
}

unsigned TraceFunnel::sink_transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->sockets.sink_transport_dbg(payload);
}

// --- Encoder ------------------------------------------------------------------------------------

struct TraceEncoder::Parts {
    using Module = trace::TraceEncoderModule;

    Parts(TraceEncoder& owner, const Settings& settings, Hart& hart, TraceFunnel* to)
        : config(settings),
          group(to == nullptr ? std::make_shared<TraceGroup>() : to->parts_->group), funnel(to),
          clock(settings.internal().clock_hz), link(hart.parts_->unit.module()),
          module(
              "encoder",
              encoder_config(settings.internal(), hart.parts_->index, owner.name(), to != nullptr),
              sink_config(settings.internal(),
                          to != nullptr ? TraceRoute::Funnel : TraceRoute::OwnSinks),
              {.clock = clock,
               .hart = link,
               .notice = group->notice(),
               .kernel_changed = [this] { group->kernel_changed(); },
               .probe = &relay,
               .master = master(),
               .latency = settings.internal().trace.latency}),
          sockets(module, owner.memory) {
        HartModule& traced = hart.parts_->unit.module();
        group->add(traced, module);
        for (unsigned line = 0; line < kBankLineCount; ++line) {
            traced.connect(static_cast<BankLine>(line), module.triggers());
        }
        if (funnel != nullptr) {
            module.sink().set_funnel(
                funnel->parts_->module.funnel().add_input(module.encoder().messages()));
        }
        hart.parts_->at_end.emplace_back([all = group](Cycle at) { all->hart_ended(at); });
    }
    ~Parts() { group->remove(module); }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    const trace::TimestampUnit* master() const {
        if (funnel == nullptr) {
            return nullptr;
        }
        const trace::TimestampUnit* const last = funnel->parts_->master();
        return last != nullptr ? last : &funnel->parts_->module.funnel().timestamps();
    }

    const Settings config;
    const std::shared_ptr<TraceGroup> group;
    TraceFunnel* const funnel;
    const ClockDomain clock;
    TracedHart link;
    ProbeRelay relay;
    Module module;
    Sockets<Module, decltype(TraceEncoder::memory)> sockets;
    std::optional<TraceSetup> setup{}; ///< of start()
};

TraceEncoder::TraceEncoder(const sc_core::sc_module_name& name, const Settings& settings,
                           Hart& hart)
    : sc_core::sc_module(name), socket("socket"), ram_sink("ram_sink"), memory("memory"),
      parts_(std::make_unique<Parts>(*this, settings, hart, nullptr)) {
    socket.register_b_transport(this, &TraceEncoder::b_transport);
    socket.register_transport_dbg(this, &TraceEncoder::transport_dbg);
    ram_sink.register_b_transport(this, &TraceEncoder::sink_b_transport);
    ram_sink.register_transport_dbg(this, &TraceEncoder::sink_transport_dbg);
}

TraceEncoder::TraceEncoder(const sc_core::sc_module_name& name, const Settings& settings,
                           Hart& hart, TraceFunnel& funnel)
    : sc_core::sc_module(name), socket("socket"), ram_sink("ram_sink"), memory("memory"),
      parts_(std::make_unique<Parts>(*this, settings, hart, &funnel)) {
    socket.register_b_transport(this, &TraceEncoder::b_transport);
    socket.register_transport_dbg(this, &TraceEncoder::transport_dbg);
    ram_sink.register_b_transport(this, &TraceEncoder::sink_b_transport);
    ram_sink.register_transport_dbg(this, &TraceEncoder::sink_transport_dbg);
}

TraceEncoder::~TraceEncoder() = default;

void TraceEncoder::connect(TraceSink& probe) {
    if (parts_->funnel != nullptr) {
        throw Error(std::string(name()) + " sends its messages to a funnel, expected a call of "
                                          "connect() of the last funnel");
    }
    parts_->relay.to = probe.parts_->writer();
    probe.parts_->group = parts_->group;
}

void TraceEncoder::start(TraceProgram program) {
    parts_->setup = TraceSetup{.program = static_cast<ProgramTrace>(program)};
    for (TraceFunnel* funnel = parts_->funnel; funnel != nullptr; funnel = funnel->parts_->next) {
        funnel->parts_->starts = true;
    }
}

void TraceEncoder::start_of_simulation() {
    if (parts_->setup) {
        start_encoder(parts_->config.internal().trace, parts_->module.encoder().registers(),
                      parts_->module.ram_sink_registers(), *parts_->setup,
                      parts_->funnel == nullptr);
        parts_->group->has_started();
    }
}

std::uint64_t TraceEncoder::messages() const {
    return parts_->module.encoder().counts().messages;
}

std::uint64_t TraceEncoder::lost() const {
    return parts_->module.encoder().counts().lost;
}

void TraceEncoder::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->sockets.registers->b_transport(payload, delay);
}

unsigned TraceEncoder::transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->sockets.registers->transport_dbg(payload);
}

void TraceEncoder::sink_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->sockets.sink_b_transport(payload, delay);
}

unsigned TraceEncoder::sink_transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->sockets.sink_transport_dbg(payload);
}

} // namespace pes::kit
