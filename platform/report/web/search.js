// SPDX-License-Identifier: Apache-2.0
// What a search in the graph has found, in words: how many functions, and what their frames add up to.
"use strict";
const words_of_search = (results, sum, whole, unit, by_calls, percent) => {
  const found = new Set();
  const is_function = ({ data, depth }) => data.number !== undefined || (by_calls && depth > 0 && !/^hart \d+$/.test(data.name));
  // A file or a program stands for the functions in it.
  const visit = (frame) => {
    if (!frame.data.name) return;
    if (is_function(frame)) found.add(frame.data.number ?? frame.data.name);
    else (frame.children || []).forEach(visit);
  };
  results.forEach(visit);
  if (found.size === 0) return "No function.";
  const calls = !by_calls ? "" : found.size === 1 ? " and what it calls" : " and what they call";
  return `${found.size} function${found.size === 1 ? "" : "s"}${calls}, ${percent(sum, whole)} of ${unit}`;
};
