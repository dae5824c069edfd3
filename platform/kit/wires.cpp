// SPDX-License-Identifier: Apache-2.0
#include "platform/kit/wires.h"

#include "hw/common/systemc/notify_at.h"

namespace pes::kit {

SignalDriver::SignalDriver(const sc_core::sc_module_name& name, const ClockDomain& clock,
                           InterruptOut& port)
    : sc_core::sc_module(name), clock_(clock), port_(port) {
    SC_HAS_PROCESS(SignalDriver);
    SC_METHOD(drive);
    sensitive << wake_;
    dont_initialize();
}

void SignalDriver::set_level(bool level, Cycle at) {
    if (port_.size() == 0) {
        return;
    }
    while (!changes_.empty() && changes_.back().at >= at) {
        changes_.pop_back();
    }
    changes_.push_back({at, level});
    notify_at(wake_, clock_, changes_.front().at);
}

void SignalDriver::drive() {
    while (!changes_.empty() && changes_.front().at <= clock_.now()) {
        port_->write(changes_.front().level);
        changes_.pop_front();
    }
    if (!changes_.empty()) {
        notify_at(wake_, clock_, changes_.front().at);
    }
}

SignalReader::SignalReader(const sc_core::sc_module_name& name, const ClockDomain& clock,
                           InterruptIn& port, LevelSink& sink, unsigned line)
    : sc_core::sc_module(name), clock_(clock), port_(port), sink_(sink), line_(line) {
    SC_HAS_PROCESS(SignalReader);
    SC_METHOD(changed);
    sensitive << port;
}

/// Runs once before the first cycle, too: a wire may be high from the start.
void SignalReader::changed() {
    if (port_.size() == 0 || port_->read() == level_) {
        return;
    }
    level_ = !level_;
    const Cycle begun = clock_.now();
    const bool on_edge = clock_.time_of(begun) == sc_core::sc_time_stamp();
    sink_.set_level(line_, level_, on_edge ? begun : begun + 1);
}

} // namespace pes::kit
