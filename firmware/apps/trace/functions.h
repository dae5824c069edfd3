// SPDX-License-Identifier: Apache-2.0
// The instrumented part of the demonstration of function entry and exit.
#pragma once

namespace pes::demo {

/// Calls, in this order: once leaf(2), twice middle(n) with n = 1 and 2, fibonacci(4).
///   middle(n)     n times leaf(5)
///   leaf(n)       n floating-point additions, one after the other
///   fibonacci(n)  itself with n - 1, then n - 2, while n > 1
extern "C" unsigned call_tree();

} // namespace pes::demo
