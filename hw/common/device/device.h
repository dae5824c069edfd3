// SPDX-License-Identifier: Apache-2.0
// The platform's interface to the model of a device on the bus. A model is a plain class;
// DeviceModule (hw/common/systemc/device_module.h) is the SystemC shell of every device. A device
// that is not built yet is described by a DeviceDescription (description.h).
#pragma once

#include "hw/common/archive.h"
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

    /// Sets the receiver of the output lines; line n is row n of DeviceDescription::lines(). A
    /// change carries its own cycle, which may be earlier or later than the call.
    virtual void connect(LevelSink& /*lines*/) {}

    /// Updates every output up to and including cycle `now`.
    virtual void advance(Cycle /*now*/) {}
    /// The next cycle in which an output may change if no access and no input comes before it;
    /// kNever if there is none. The platform calls advance() in this cycle.
    virtual Cycle next_change() const { return kNever; }

    /// Lists everything that later accesses and outputs depend on, without telling the receiver of
    /// the output lines (hw/common/archive.h). A device that does not cannot be part of a
    /// checkpoint.
    virtual void state(Archive& archive) { archive.refuse("this device does not list its state"); }

    /// Its state has been loaded and the run goes on in this cycle, with what the host has
    /// connected this time.
    virtual void resume(Cycle /*now*/) {}

    /// Offers the device's signals to a waveform before the run; `scope` also names the group of
    /// signals.
    virtual void attach_wave(WaveSink& /*wave*/, std::string_view /*scope*/) {}

    /// Interrupt controller only: the line of this source has `level` from cycle `at` on.
    virtual void set_source(unsigned /*source*/, bool /*level*/, Cycle /*at*/) {}
    /// Machine timer only: mtime in cycle `at`.
    virtual std::uint64_t mtime(Cycle /*at*/) const { return 0; }
    /// Console only: all of its input has been read, and no more will come.
    virtual bool input_ended() const { return false; }
    /// Machine timer only: `hart` has written its CSR stimecmp (Sstc) in cycle `at`.
    virtual void set_stimecmp(unsigned /*hart*/, std::uint64_t /*value*/, Cycle /*at*/) {}
};

} // namespace pes
