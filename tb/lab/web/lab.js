// SPDX-License-Identifier: Apache-2.0
// The page of pes-lab: tables and charts of its data, which are fractions where the page has percent.
"use strict";
(() => {
  const { element, make, count, sort_by_keyboard } = page_parts;
  const { xy, bars, mark_of, colour_of, short } = lab_charts;
  const data = JSON.parse(element("data").textContent);
  const LONGEST_SKID = 40; // all beyond it are one bar
  const MOST_ROWS = 60; // of a table that is shown, and printed, as a whole
  const in_percent = (part) => (part === null ? null : 100 * part);
  const style_of = (method) => data.methods.indexOf(method); // the same in all charts
  const section = (id) => ({ box: element(id).querySelector(".charts"), by: element(id).querySelector(".by"),
    legend: element(id).querySelector(".methods") });

  // --- Tables ---------------------------------------------------------------------------------------------------------
  const known = (digits) => (cell) => (cell.getValue() === null ? "-" : digits === 0 ? count(cell.getValue()) : cell.getValue().toFixed(digits));
  const missing_last = (a, b, _, __, ___, direction) => {
    if (a === null || b === null) return (a === b ? 0 : a === null ? 1 : -1) * (direction === "desc" ? -1 : 1);
    return a - b;
  };
  const number = (title, field, digits, tooltip) => ({ title, field, formatter: known(digits), hozAlign: "right", headerHozAlign: "right",
    sorter: missing_last, headerSortStartingDir: "desc", headerWordWrap: true, minWidth: 92, headerTooltip: tooltip || true });
  const word = (title, field) => ({ title, field, formatter: "plaintext", headerFilter: "input", minWidth: 120 });
  const table = (id, rows, columns) => sort_by_keyboard(new Tabulator(`#${id}`, { data: rows, columns, layout: "fitColumns",
    ...(rows.length > MOST_ROWS && { height: 700 }) }));

  const write_errors = () => {
    element("errors-head").textContent = "Error in percent" + (data.rate ? `, about ${count(data.rate)} samples` : "");
    const rows = data.errors.map((row) => ({ ...row, statistical: in_percent(row.statistical), bound: in_percent(row.bound),
      overhead: in_percent(row.overhead), ...Object.fromEntries(data.groupings.flatMap((by, at) =>
        [[by, in_percent(row.profile[at])], [`${by}-systematic`, in_percent(row.systematic[at])]])) }));
    const of_groupings = data.groupings.map((by) => ({ title: by, columns: [
      number("error", by, 1, `Profile error by ${by}`), number("systematic", `${by}-systematic`, 1, `Systematic error by ${by}`)] }));
    table("errors-table", rows, [word("Method", "method"), word("Event", "event"), ...of_groupings,
      number("Statistical, address", "statistical", 1, "What a perfect sampler is wrong by, by address"),
      number("95 % bound", "bound", 1, "95 % of perfect samplers are below, by address"),
      number("Overhead", "overhead", 1, "Percent of the cycles"), number("Lost", "lost", 0, "Samples that were lost")]);
  };
  const write_costs = () => {
    element("costs").hidden = data.costs.length === 0;
    if (data.costs.length === 0) return;
    table("costs-table", data.costs, [word("Delivery", "delivery"), number("Cycles a sample", "cycles", 0), number("Samples", "samples", 0),
      number("Lost", "lost", 0), number("Cycles with sampling", "sampling", 0), number("Without", "plain", 0)]);
  };
  const write_skids = () => {
    element("skids").hidden = data.skids.length === 0;
    if (data.skids.length === 0) return;
    const parts = ["at_cause", "line", "block", "function"];
    const rows = data.skids.map((skid) => ({ ...skid, ...Object.fromEntries(parts.map((part) => [part, in_percent(skid[part])])) }));
    table("skids-table", rows, [word("Program", "program"), word("Event", "event"), number("Samples", "samples", 0),
      number("At the cause, %", "at_cause", 1), number("Other line, %", "line", 1), number("Other block, %", "block", 1),
      number("Other function, %", "function", 1)]);
  };
  const write_programs = () => {
    table("programs-table", data.runs, [word("Program", "program"), word("Settings", "settings"), number("Cycles", "cycles", 0),
      number("Instructions", "instructions", 0)]);
    element("too-few").append(...Object.entries(data.too_few).map(([event, programs]) =>
      make("li", { textContent: `Too few events of ${event}: ${programs.join(", ")}.` })));
  };

  // --- Charts ---------------------------------------------------------------------------------------------------------
  const write_legend = (list, methods) => list.replaceChildren(...methods.map((method) => {
    const mark = make("b", { textContent: mark_of(style_of(method)) });
    mark.style.color = colour_of(style_of(method));
    return make("li", {}, mark, method);
  }));
  const error_words = (value) => `error ${short(value)} %`;
  // A chart of each event: of `rows`, those of a method are its points.
  const draw_events = ({ box, by, legend }, rows, axes, point_of, lines) => {
    const groupings = by.value.split(",").map(Number);
    const drawn = new Set();
    box.replaceChildren();
    for (const [event, grouping] of data.events.flatMap((name) => groupings.map((at) => [name, at]))) {
      const series = data.methods.map((method) => ({ name: method, style: style_of(method), points: rows
        .filter((row) => row.method === method && row.event === event && row.profile[grouping] !== null && point_of(row) !== null)
        .map((row) => [point_of(row), 100 * row.profile[grouping]]).sort((a, b) => a[0] - b[0]) })).filter((one) => one.points.length > 0);
      series.forEach((one) => drawn.add(one.name));
      if (series.length > 0) {
        xy(box, `${event} by ${data.groupings[grouping]}`, { ...axes, y: "profile error, %", y_words: error_words }, series, lines);
      }
    }
    write_legend(legend, data.methods.filter((method) => drawn.has(method)));
  };
  const draw_pareto = () => draw_events(section("pareto"), data.errors, { x: "overhead, % of cycles", x_words: (x) => `overhead ${short(x)} %` },
    (row) => in_percent(row.overhead), false);
  const draw_rates = () => draw_events(section("rates"), data.rates, { x: "period", x_words: (x) => `period ${short(x)}` }, (row) => row.period, true);
  const draw_costs = () => {
    const { box } = section("costs");
    box.replaceChildren();
    if (data.costs.length === 0) return;
    bars(box, "Cost of a delivered sample", { x: "delivery", y: "cycles", x_words: (name) => name, y_words: (y) => `${count(y)} cycles` },
      data.costs.map((cost) => [cost.delivery, cost.cycles]));
  };
  const draw_skids = () => {
    const { box } = section("skids");
    box.replaceChildren();
    for (const skid of data.skids) {
      for (const unit of ["instructions", "cycles"]) {
        const samples = new Map(); // with those in between that no sample has
        const distances = skid[unit].map(([distance]) => Math.min(distance, LONGEST_SKID));
        for (let distance = Math.max(-LONGEST_SKID, distances[0]); distance <= distances[distances.length - 1]; ++distance) {
          samples.set(distance, 0);
        }
        for (const [distance, n] of skid[unit]) {
          const bar = Math.max(-LONGEST_SKID, Math.min(distance, LONGEST_SKID));
          samples.set(bar, (samples.get(bar) || 0) + n);
        }
        bars(box, `${skid.program}, ${skid.event}: skid in ${unit}`, { x: `${unit} from cause to interrupt`, y: "samples",
          x_words: (label) => `${label} ${unit}`, y_words: (y) => `${count(y)} samples` }, [...samples].map(([distance, n]) => [distance === LONGEST_SKID ? `${distance}+` : String(distance), n]));
      }
    }
  };
  const draw_charts = () => {
    draw_pareto();
    draw_rates();
    draw_costs();
    draw_skids();
  };

  // --- Wiring -----------------------------------------------------------------------------------------------------------
  const start = () => {
    document.title = data.title;
    element("title").textContent = data.title;
    element("size").textContent = `${count(data.points)} points of ${count(data.programs)} programs.`;
    element("rates").hidden = data.rates.length === 0;
    for (const [id, redraw] of [["pareto", draw_pareto], ["rates", draw_rates]]) {
      const finest = data.groupings.length - 1;
      section(id).by.append(make("option", { value: `0,${finest}`, textContent: `${data.groupings[0]} and ${data.groupings[finest]}` }),
        ...data.groupings.map((by, at) => make("option", { value: at, textContent: by })));
      section(id).by.addEventListener("change", redraw);
    }
    write_errors();
    write_costs();
    write_skids();
    write_programs();
    draw_charts();
    let width = document.body.clientWidth;
    window.addEventListener("resize", () => {
      if (document.body.clientWidth === width) return;
      width = document.body.clientWidth;
      draw_charts();
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_charts);
  };
  start();
})();
