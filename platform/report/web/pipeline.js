// SPDX-License-Identifier: Apache-2.0
// The pipeline around a sample: a row for each instruction, a column for each cycle, a letter for each stage.
"use strict";
const pipeline_of = (data, { element, make, count }, cycles_of) => {
  const FIELDS = 5; // of a row: pc, text, detail, flushed, end; then stages and their first cycles
  const STAGES = [["F", "fetch", "#f6c667"], ["Q", "in the fetch queue", "#f2f2f2"], ["Dc", "decode", "#dfe6ec"],
    ["Is", "waits for issue", "#8fd3e8"], ["X", "in its unit", "#a6c48a"], ["Xm", "accesses memory", "#f08a5d"],
    ["Wt", "waits for older instructions", "#c9a0dc"], ["Cm", "retires", "#b8de6f"]];
  const short = (pc) => pc.replace(/^0x0*/, "");
  const name_of = (view) => {
    const row = view.rows[view.sampled];
    const where = data.timelines.length > 1 ? `, hart ${view.hart}` : "";
    return `${data.functions[view.function].name}, ${short(row[0])}: ${row[1]}, cycle ${count(view.cycle)}${where}`;
  };
  const stages_of = (row) => {
    const stages = [];
    for (let i = FIELDS; i < row.length; i += 2) {
      stages.push({ name: row[i], from: row[i + 1], to: i + 3 < row.length ? row[i + 3] : row[4] });
    }
    return stages;
  };

  const cells = (view, row) => stages_of(row).map(({ name, from, to }) => {
    const [begin, end] = [Math.max(from, 0), Math.min(to, view.to - view.from)];
    if (begin >= end) return "";
    const [, meaning, colour] = STAGES.find((stage) => stage[0] === name);
    const cell = make("span", { className: "stage", textContent: name, title: `${meaning}, ${to - from} ` +
      `cycle${to - from === 1 ? "" : "s"} from ${count(view.from + from)} on` });
    cell.style.cssText = `grid-column: ${begin + 1} / ${end + 1}; background-color: ${colour}`;
    return cell;
  });
  const strip = (view, className, ...parts) => {
    const line = make("td", { className }, ...parts);
    line.style.setProperty("--trigger", view.cycle - view.from);
    line.style.gridTemplateColumns = `repeat(${view.to - view.from}, var(--cycle))`;
    return line;
  };
  const draw_row = (view, row, index) => {
    const why = row[2].replace(/^\w+ mode; /, "").replace(/^waits: |^no waits(; )?/, "");
    const line = make("tr", { className: (index === view.sampled ? "sampled" : "") + (row[3] ? " flushed" : "") },
      make("th", { scope: "row", title: row[2] }, `${index === view.sampled ? "\u25b6 " : ""}${short(row[0])}: ${row[1]}`),
      make("td", { className: "reason", textContent: why, title: row[2] }), strip(view, "cycles", ...cells(view, row)));
    if (index === view.sampled) line.setAttribute("aria-current", "true");
    return line;
  };
  const ruler = (view) => {
    const marks = [];
    for (let at = 0; at < view.to - view.from; ++at) {
      const cycle = view.from + at;
      if (cycle % 10 !== 0 && cycle !== view.cycle) continue;
      const mark = make("span", { className: cycle === view.cycle ? "trigger" : "",
        textContent: cycle === view.cycle ? "\u25bc" : count(cycle), title: cycle === view.cycle ? `sample in cycle ${count(cycle)}` : "" });
      mark.style.gridColumn = `${at + 1} / span ${cycle === view.cycle ? 1 : Math.min(9, view.to - view.from - at)}`;
      marks.push(mark);
    }
    return make("tr", {}, make("th", { scope: "col", textContent: "instruction" }),
      make("th", { scope: "col", className: "reason", textContent: "waits" }), strip(view, "cycles ruler", ...marks));
  };
  const draw = () => {
    const view = data.pipelines[Number(element("pipeline-sample").value)];
    element("pipeline-grid").replaceChildren(make("table", {}, make("thead", {}, ruler(view)),
      make("tbody", {}, ...view.rows.map((row, index) => draw_row(view, row, index)))));
    const grid = element("pipeline-grid");
    grid.scrollTop = grid.querySelector('tr[aria-current="true"]').offsetTop - grid.clientHeight / 2;
  };

  /// The first window of an instruction, as a number; -1: none.
  const window_of = (f, instruction) => data.pipelines.findIndex((view) => view.function === f && view.instruction === instruction);
  const choose = (number) => {
    element("pipeline-sample").value = number;
    draw();
    element("pipeline").scrollIntoView({ block: "nearest" });
  };
  /// The window whose sampled instruction has most cycles.
  const hottest = () => {
    const weights = data.pipelines.map((view) => cycles_of(data.functions[view.function], view.instruction));
    return weights.indexOf(Math.max(...weights));
  };
  const start = () => {
    element("pipeline").hidden = data.pipelines.length === 0;
    if (data.pipelines.length === 0) return;
    data.pipelines.forEach((view, number) =>
      element("pipeline-sample").append(make("option", { value: number, textContent: name_of(view) })));
    for (const [name, meaning, colour] of STAGES) {
      const letter = make("span", { className: "stage", textContent: name });
      letter.style.backgroundColor = colour;
      element("pipeline-legend").append(make("li", {}, letter, ` ${meaning}`));
    }
    element("pipeline-sample").addEventListener("change", draw);
    element("pipeline-sample").value = hottest();
    draw();
  };
  return { start, window_of, choose };
};
