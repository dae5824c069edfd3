// SPDX-License-Identifier: Apache-2.0
// The model of a device on the bus, as the platform sees it. A model is a plain class; DeviceModule
// (hw/common/systemc/device_module.h) is the SystemC shell of all of them. What a device says of
// itself before it is built is a DeviceDescription (description.h).
#pragma once

#include "hw/common/level.h"
#include "hw/common/register_block.h"
#include "hw/common/wave.h"
#include "hw/interface/types.h"

#include <string_view>

namespace pes {

class Device {
  public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    virtual RegisterBlock& registers() = 0;

    /// Receives the output lines; line n is row n of DeviceDescription::lines(). A change carries
    /// its own cycle, which may lie ahead of or behind the call.
    virtual void connect(LevelSink& /*lines*/) {}

    /// Brings every output up to and including cycle `now`.
    virtual void advance(Cycle /*now*/) {}
    /// The next cycle to advance() to, if no access and no input comes before it; kNever if there
    /// is none. An output may change in this cycle, never before it.
    virtual Cycle next_change() const { return kNever; }

    /// Offers the device's signals to a waveform, before the run; `scope` is also the name of the
    /// group.
    virtual void attach_wave(WaveSink& /*wave*/, std::string_view /*scope*/) {}

    /// The interrupt controller: the line of this source has `level` from cycle `at` on.
    virtual void set_source(unsigned /*source*/, bool /*level*/, Cycle /*at*/) {}
    /// The machine timer: mtime in cycle `at`.
    virtual std::uint64_t mtime(Cycle /*at*/) const { return 0; }
    /// The machine timer: `hart` has written its CSR stimecmp (Sstc) in cycle `at`.
    virtual void set_stimecmp(unsigned /*hart*/, std::uint64_t /*value*/, Cycle /*at*/) {}
};

} // namespace pes
