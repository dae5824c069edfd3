// SPDX-License-Identifier: Apache-2.0
// In a build without GTKWave's library, which comes with Verilator.
#include "platform/host/user_error.h"
#include "platform/soc/waves/wave_format.h"

namespace pes {

std::unique_ptr<WaveFormat> make_fst_format(OutputFile& /*file*/) {
    throw UserError("this pes-vp was built without Verilator, whose library writes FST; expected "
                    "a name for the waveform that does not end in .fst");
}

} // namespace pes
