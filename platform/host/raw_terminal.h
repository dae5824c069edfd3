// SPDX-License-Identifier: Apache-2.0
// A terminal whose keys come one by one, without an echo and without signals. It is put back as it
// was, also when a signal ends the process.
#pragma once

namespace pes {

class RawTerminal {
  public:
    /// There may be one at a time.
    explicit RawTerminal(int descriptor);
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;
    ~RawTerminal() { put_back(); }

    /// For signal handlers too. Does nothing if there is none.
    static void put_back();
};

} // namespace pes
