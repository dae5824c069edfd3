// SPDX-License-Identifier: Apache-2.0
// The optional extensions of a hart. One that is absent leaves no trace: neither a CSR nor a bit.
// The keys: platform/config/setting_table.cpp.
#pragma once

namespace pes {

struct Extensions {
    bool sstc = false;      ///< stimecmp
    bool smcsrind = false;  ///< with Sscsrind: registers behind miselect and siselect
    bool smcdeleg = false;  ///< with Ssccfg: counters that S-mode configures; needs smcsrind
    bool smstateen = false; ///< with Ssstateen: state that is closed to lower modes
};

} // namespace pes
