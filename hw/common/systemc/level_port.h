// SPDX-License-Identifier: Apache-2.0
// Level wires between SystemC modules: a LevelOut port drives one wire; a LevelWire channel carries
// it to line `line` of the receiver's LevelSink.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/level.h"

#include <systemc>
#include <vector>

namespace pes {

class LevelInterface : public virtual sc_core::sc_interface {
  public:
    /// The wire has `level` from cycle `at` on; see LevelSink.
    virtual void set_level(bool level, Cycle at) = 0;
};

/// May stay unbound: an interrupt without a receiver.
using LevelOut = sc_core::sc_port<LevelInterface, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

/// A block's level outputs as ports: line n drives port n.
class LevelOutputs : public LevelSink {
  public:
    explicit LevelOutputs(LevelOut& port) : ports_{&port} {}
    explicit LevelOutputs(sc_core::sc_vector<LevelOut>& ports) {
        for (LevelOut& port : ports) {
            ports_.push_back(&port);
        }
    }
    void set_level(unsigned line, bool level, Cycle at) override {
        LevelOut& port = *ports_[line];
        if (port.size() != 0) {
            port->set_level(level, at);
        }
    }

  private:
    std::vector<LevelOut*> ports_;
};

class LevelWire : public sc_core::sc_object, public LevelInterface {
  public:
    LevelWire(const char* name, LevelSink& sink, unsigned line)
        : sc_core::sc_object(name), sink_(sink), line_(line) {}
    void set_level(bool level, Cycle at) override {
        rises_ += level && !level_ ? 1 : 0;
        level_ = level;
        sink_.set_level(line_, level, at);
    }
    std::uint64_t rises() const { return rises_; } ///< how often the level became true
    void state(Archive& archive) { archive(level_, rises_); }

  private:
    LevelSink& sink_;
    unsigned line_;
    bool level_ = false;
    std::uint64_t rises_ = 0;
};

} // namespace pes
