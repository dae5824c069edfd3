// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pes::perf {

/// As the published functions return it.
enum class Status : int { Ok = 0, Error = 1 };

} // namespace pes::perf
