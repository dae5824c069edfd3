// SPDX-License-Identifier: Apache-2.0
// The only source of pes_headers and pes_test_headers, the targets that own the precompiled
// headers.
