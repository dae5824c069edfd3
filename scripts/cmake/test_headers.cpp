// SPDX-License-Identifier: Apache-2.0
// The only source of pes_test_headers, the target that owns the tests' precompiled header.
