// SPDX-License-Identifier: Apache-2.0
// The report for people: one HTML file with its tables and charts (web/), drawn from data as JSON.
#pragma once

#include "platform/report/page_text.h"
#include "tb/lab/results.h"

#include <string>

namespace pes::lab {

/// The page around the data; empty in a build without the libraries of pages.
const PageText& lab_page_text();

/// `title`: of the page. Fractions, null where there is none.
std::string lab_page_data(const Results& results, const std::string& title);

} // namespace pes::lab
