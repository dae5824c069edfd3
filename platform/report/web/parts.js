// SPDX-License-Identifier: Apache-2.0
// What the pages share: elements, numbers as text, and the looks of charts and tables.
"use strict";
const page_parts = (() => {
  const element = (id) => document.getElementById(id);
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const count = (value) => Math.round(value).toLocaleString("en-US");
  const percent = (part, whole, digits = 1) => (whole ? (100 * part) / whole : 0).toFixed(digits) + " %";
  const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis_style = () => ({ stroke: ink("--faint"), grid: { stroke: ink("--line"), width: 1 }, ticks: { stroke: ink("--line") } });
  // A legend has a colon only with a value behind it.
  const legend_value = (text) => (_, value) => (value == null ? "" : `: ${text(value)}`);
  const fixed_legend = legend_value((value) => value.toFixed(2));
  // The heads of a table's columns sort it by keyboard too: Enter, or the space bar, as a click does.
  const sort_by_keyboard = (table) => table.on("tableBuilt", () => {
    for (const column of table.getColumns().filter((one) => one.getDefinition().headerSort !== false)) {
      const title = column.getElement().querySelector(".tabulator-col-title-holder");
      title.tabIndex = 0;
      title.addEventListener("keydown", (event) => {
        if (event.target !== title || (event.key !== "Enter" && event.key !== " ")) return;
        event.preventDefault();
        title.click();
      });
    }
  });
  return { element, make, count, percent, ink, axis_style, legend_value, fixed_legend, sort_by_keyboard };
})();
