// SPDX-License-Identifier: Apache-2.0
// What had the focus before the reader chose a span or went to the search, so that Esc gives it back.
"use strict";
const focus_keeper = () => {
  let kept = null;
  /// An element of the code is drawn anew with the code: its row and its kind name the new one.
  const keep = () => {
    const node = document.activeElement;
    const row = node.closest("tr[id]");
    kept = { node, again: () => row && node !== row && document.getElementById(row.id)?.querySelector(node.tagName) };
  };
  const give_back = () => {
    if (!kept) return;
    const node = kept.node.isConnected ? kept.node : kept.again();
    kept = null;
    if (node && node !== document.body) node.focus({ preventScroll: true });
    else document.activeElement.blur();
  };
  return { keep, give_back };
};
