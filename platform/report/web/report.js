// SPDX-License-Identifier: Apache-2.0
// The report page. Everything shown follows from the data of the run and three things that the reader chooses: a span
// of the timeline, a function, and how the graph is drawn.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { element, make, count, percent, ink, axis_style, legend_value, fixed_legend, sort_by_keyboard } = page_parts;
  const pairs = (list) => {
    const result = [];
    for (let i = 0; i < list.length; i += 2) result.push([list[i], list[i + 1]]);
    return result;
  };
  const sum = (list) => pairs(list).reduce((total, [, value]) => total + value, 0);
  const value_of = (list, index) => (pairs(list).find(([at]) => at === index) || [0, 0])[1];
  const event_index = (name) => data.events.indexOf(name);

  // Ordered by lightness too, with stripes for every second one, so that it reads without colour.
  const COLOURS = { base: "#dfe6ec", l1i_miss: "#f6c667", itlb: "#e5a93d", l1d_miss: "#f08a5d", dtlb: "#d9663b",
    mispredict: "#b8de6f", dependency: "#8fd3e8", unit: "#5fb3d4", store_buffer: "#c9a0dc", flush: "#a6c48a",
    interrupt: "#f3a6c0", device: "#b9b09f", idle: "#f2f2f2" };
  const STRIPED = new Set(["l1d_miss", "unit", "dtlb", "flush", "idle"]);
  const fill_of = (reason) => {
    const colour = COLOURS[reason] || "#cccccc";
    return STRIPED.has(reason)
      ? `repeating-linear-gradient(45deg, transparent 0 5px, rgba(0,0,0,.2) 5px 7px), ${colour}` : colour;
  };
  const label_of = (reason) => reason.replace(/_/g, " ");

  const all_cycles = data.functions.reduce((total, f) => total + sum(f.cycles), 0);
  data.functions.forEach((f, number) => {
    f.number = number;
    f.all_cycles = sum(f.cycles);
    f.file = f.line >= 0 ? data.files[data.lines[f.line][0]] : "";
  });

  // --- Samples of the span ------------------------------------------------------------------------
  const FIELDS = 5; // cycle, function, instruction, mode, hart
  let span = null;
  let chosen = { total: 0, functions: [], rows: new Map(), stacks: new Map() };
  const each_chosen = (visit) => {
    for (let i = 0; i < data.samples.length; i += FIELDS) {
      if (!span || (data.samples[i] >= span[0] && data.samples[i] < span[1])) visit(i);
    }
  };
  const choose_samples = () => {
    const functions = new Array(data.functions.length).fill(0);
    const rows = new Map();
    const stacks = new Map();
    let total = 0;
    each_chosen((i) => {
      const [f, row] = [data.samples[i + 1], data.samples[i + 2]];
      total++;
      functions[f]++;
      const stack = data.calls.of_samples[i / FIELDS];
      if (stack !== undefined) stacks.set(stack, (stacks.get(stack) || 0) + 1);
      if (row >= 0) rows.set(f * 65536 + row, (rows.get(f * 65536 + row) || 0) + 1);
    });
    chosen = { total, functions, rows, stacks };
  };

  // --- Head ---------------------------------------------------------------------------------------
  const stack_bar = (shares, whole, small) => {
    const bar = make("div", { className: small ? "bar small" : "bar" });
    for (const [reason, cycles] of shares) {
      const share = cycles / whole;
      if (share < 0.002) continue;
      const part = make("span", { title: `${label_of(reason)}: ${count(cycles)} cycles, ${percent(cycles, whole)}` });
      part.style.cssText = `flex: ${share} 1 0; background: ${fill_of(reason)}`;
      if (!small && share > 0.04) part.textContent = `${label_of(reason)} ${percent(cycles, whole)}`;
      bar.append(part);
    }
    return bar;
  };
  const write_head = () => {
    document.title = `${data.title} - pes-vp`;
    element("title").textContent = data.title;
    element("command").textContent = data.command;
    const facts = [["cycles", count(data.cycles)], ...(data.instructions ? [["instructions", count(data.instructions)]] : []),
      ...(data.instructions ? [["IPC", (data.instructions / data.cycles).toFixed(3)]] : []),
      ...(data.clock_hz ? [[`at ${data.clock_hz / 1e6} MHz`, ((1e3 * data.cycles) / data.clock_hz).toPrecision(4) + " ms"]] : []),
      [data.sampling, `${count(data.samples.length / FIELDS)} samples`]];
    for (const setting of data.settings) facts.push(["setting", setting]);
    for (const [name, value] of facts) {
      element("facts").append(make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value })));
    }
    const stack = Object.entries(data.stack);
    if (stack.length > 0) element("stack").append(stack_bar(stack, data.cycles, false));
    element("stack").setAttribute("aria-label", "Cycle stack: " +
      stack.map(([reason, cycles]) => `${label_of(reason)} ${percent(cycles, data.cycles)}`).join(", "));
    for (const [reason, cycles] of stack) {
      const swatch = make("i");
      swatch.style.background = fill_of(reason);
      element("legend").append(make("li", {}, swatch, `${label_of(reason)} ${percent(cycles, data.cycles)}`));
    }
  };

  // --- Metrics ------------------------------------------------------------------------------------
  const CLASS_COLOURS = { retiring: "#dfe6ec", "bad speculation": "#b8de6f", "frontend bound": "#f6c667", "backend bound": "#8fd3e8" };
  /// Parts of a class have its colour, every second one with stripes.
  const class_bar = (parts) => {
    const bar = make("div", { className: "bar", role: "img" });
    for (const [name, share, owner, striped] of parts) {
      if (share < 0.002) continue;
      const part = make("span", { title: `${owner === name ? "" : owner + ": "}${name}: ${percent(share, 1)} of the slots`,
        textContent: share > 0.04 ? `${name} ${percent(share, 1)}` : "" });
      const stripes = striped ? "repeating-linear-gradient(45deg, transparent 0 5px, rgba(0,0,0,.2) 5px 7px), " : "";
      part.style.cssText = `flex: ${share} 1 0; background: ${stripes}${CLASS_COLOURS[owner]}`;
      bar.append(part);
    }
    bar.setAttribute("aria-label", parts.map(([name, share]) => `${name} ${percent(share, 1)}`).join(", "));
    return bar;
  };
  const write_metrics = () => {
    element("metrics").hidden = data.metrics.length === 0;
    const whole = data.top_down.map((c) => [c.name, c.share, c.name, false]);
    const parts = data.top_down.flatMap((c) => (c.parts.length === 0 ? [[c.name, c.share, c.name, false]]
      : c.parts.map((part, index) => [part.name, part.share, c.name, index % 2 === 1])));
    if (whole.length > 0) {
      element("top-down").append(make("span", { textContent: "top-down" }), class_bar(whole),
        make("span", { textContent: "parts" }), class_bar(parts));
    }
    for (const [name, value, meaning] of data.metrics) {
      element("metric-values").append(make("div", { title: meaning }, make("dt", { textContent: name }), make("dd", { textContent: value })));
    }
  };

  // --- Timeline -----------------------------------------------------------------------------------
  let charts = [];
  const from_zero = (_, __, most) => [0, most > 0 ? most * 1.05 : 1];
  const per_thousand = (counts, instructions) => counts.map((n, i) => (instructions[i] ? (1000 * n) / instructions[i] : 0));
  const samples_by_interval = (timeline, length, hart, mode) => {
    const counts = new Array(length).fill(0);
    for (let i = 0; i < data.samples.length; i += FIELDS) {
      if (data.samples[i + 4] !== hart || (mode !== undefined && data.samples[i + 3] !== mode)) continue;
      const interval = Math.floor((data.samples[i] - timeline.from) / timeline.interval);
      if (interval >= 0 && interval < length) counts[interval]++;
    }
    return counts;
  };
  /// For a report from files: intervals that hold samples only.
  const samples_alone = (hart) => {
    let end = 0;
    for (let i = 0; i < data.samples.length; i += FIELDS) {
      if (data.samples[i + 4] === hart) end = Math.max(end, data.samples[i]);
    }
    const interval = Math.max(1, Math.ceil((end + 1) / 400));
    return end === 0 ? undefined : { from: 0, interval, counts: data.timeline_events, length: Math.ceil((end + 1) / interval) };
  };
  const draw_timeline = () => {
    const hart = Number(element("hart").value || 0);
    const timeline = data.timelines[hart] || samples_alone(hart);
    element("charts").replaceChildren();
    charts = [];
    if (!timeline || (!timeline.length && (timeline.counts.length === 0 || timeline.counts[0].length === 0))) {
      element("charts").append(make("p", { className: "hint", textContent: "The run is too short for intervals." }));
      return;
    }
    const counts = (name) => timeline.counts[data.timeline_events.indexOf(name)] || [];
    const instructions = counts("instret");
    const x = Array.from({ length: timeline.length || instructions.length }, (_, i) => timeline.from + (i + 0.5) * timeline.interval);
    const of_cycles = (list) => list.map((n) => (100 * n) / timeline.interval);
    const samples = samples_by_interval(timeline, x.length, hart);
    const share_of_mode = (mode) => samples_by_interval(timeline, x.length, hart, mode)
      .map((n, i) => (samples[i] ? (100 * n) / samples[i] : 0));
    const known = [
      ["IPC", [["IPC", instructions.map((n) => n / timeline.interval), "--accent", []]]],
      ["per 1000 instr.", [["L1D misses", per_thousand(counts("l1d-miss"), instructions), "--accent", []],
        ["L1I misses", per_thousand(counts("l1i-miss"), instructions), "--text", [6, 4]],
        ["mispredicts", per_thousand(counts("branch-mispredict"), instructions), "--hot-solid", [2, 3]]]],
      ["% of cycles", [["stalled", of_cycles(counts("pipeline-stall")), "--accent", []],
        ["samples in M mode, %", share_of_mode(3), "--text", [6, 4]],
        ["samples in U mode, %", share_of_mode(0), "--hot-solid", [2, 3]]]],
      ["samples", [["samples", samples, "--text", []]]],
    ];
    const modes = ["% of samples", [known[2][1][1], known[2][1][2]]];
    const rows = timeline.length ? [modes, known[3]] : known;
    const run = [timeline.from, timeline.from + x.length * timeline.interval];
    rows.forEach(([label, series], index) => charts.push(draw_chart(label, x, run, series, index === rows.length - 1)));
  };
  /// A cycle is at the same place in each: only the last one has an axis of cycles, but all have its margins.
  const MARGINS = [8, 36, 4, 0];
  const draw_chart = (label, x, run, series, last) => {
    const axis = axis_style();
    const options = {
      width: element("charts").clientWidth, height: last ? 120 : 95, padding: MARGINS, legend: { live: true },
      cursor: { sync: { key: "run" }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false, range: run }, y: { range: from_zero } },
      axes: [{ ...axis, show: last, size: 32, space: 90, values: (_, ticks) => ticks.map((t) => count(t)) },
        { ...axis, size: 60, label, labelSize: 16, labelFont: "11px system-ui" }],
      series: [{ label: "cycle", value: legend_value(count) },
        ...series.map(([name, , colour, dash]) => ({ label: name, dash, width: 1.5, points: { show: false },
          stroke: colour === "--hot-solid" ? `rgb(${ink("--hot")})` : ink(colour),
          value: fixed_legend }))],
      hooks: { setSelect: [(chart) => {
        if (chart.select.width > 2) {
          select([chart.posToVal(chart.select.left, "x"), chart.posToVal(chart.select.left + chart.select.width, "x")]);
        }
      }] },
    };
    return new uPlot(options, [x, ...series.map(([, values]) => values)], element("charts"));
  };
  const show_selection = () => {
    for (const chart of charts) {
      const left = span ? chart.valToPos(span[0], "x") : 0;
      chart.setSelect({ left, top: 0, width: span ? chart.valToPos(span[1], "x") - left : 0, height: chart.over.clientHeight }, false);
    }
    element("clear").hidden = !span;
    element("span").textContent = span
      ? `Cycles ${count(span[0])} to ${count(span[1])}: ${count(chosen.total)} samples.` : "";
  };
  const select = (wanted) => {
    span = wanted;
    choose_samples();
    show_selection();
    if (span && element("weight").value === "cycles") element("weight").value = "samples";
    draw_graph();
    fill_table();
    show_code();
  };

  // --- Flame graph: from the program down to the line ------------------------------------------------
  let graph = null;
  const frames = frames_of(data);
  const graph_data = () => {
    const over_time = element("shape").value === "time";
    const source = element("weight").value;
    if (source === "calls") return over_time ? frames.of_samples_over_time(each_chosen) : frames.of_stacks(chosen.stacks);
    if (source === "trace") return frames.of_trace(span, over_time);
    const by_samples = element("weight").value === "samples";
    const root = { name: "all", children: [] };
    const programs = new Map();
    for (const f of data.functions) {
      const weight = by_samples ? chosen.functions[f.number] : f.all_cycles;
      if (!weight) continue;
      const program = child(programs, root, f.program ? f.program.split("/").pop() : "(unknown)");
      const file = child(program.named, program, f.file ? f.file.split("/").slice(-2).join("/") : "(no file)");
      const node = { name: f.name, value: 0, children: [], number: f.number };
      file.children.push(node);
      add_lines(node, f, by_samples, weight);
    }
    return total(root);
  };
  const child = (named, parent, name) => {
    if (!named.has(name)) {
      const node = { name, children: [], named: new Map() };
      named.set(name, node);
      parent.children.push(node);
    }
    return named.get(name);
  };
  const add_lines = (node, f, by_samples, weight) => {
    const lines = new Map();
    (f.code || []).forEach((row, index) => {
      const part = by_samples ? chosen.rows.get(f.number * 65536 + index) || 0 : sum(row[6]);
      if (part && row[2] >= 0) lines.set(row[2], (lines.get(row[2]) || 0) + part);
    });
    for (const [line, part] of lines) {
      const [file, number, text] = data.lines[line];
      node.children.push({ name: `${data.files[file].split("/").pop()}:${number}  ${text}`, value: part, children: [],
        number: f.number });
    }
    node.value = weight;
  };
  const total = (node) => {
    if (node.value === undefined) node.value = node.children.reduce((all, inner) => all + total(inner).value, 0);
    delete node.named;
    return node;
  };
  const by_calls = () => element("weight").value === "calls" || element("weight").value === "trace";
  const unit_of = () => (element("weight").value === "cycles" || element("weight").value === "trace" ? "cycles" : "samples");
  const draw_graph = () => {
    const timed = by_calls();
    element("shape").querySelector('[value="time"]').disabled = !timed;
    if (!timed && element("shape").value === "time") element("shape").value = "flame";
    const weights = graph_data();
    const unit = unit_of();
    const width = element("flame").clientWidth;
    element("flame").replaceChildren();
    if (!weights.value) {
      element("flame").append(make("p", { className: "hint", textContent: "No sample in this span." }));
      return;
    }
    graph = flamegraph().width(width).cellHeight(19).minFrameSize(1).transitionDuration(0).selfValue(false)
      .inverted(element("shape").value === "icicle")
      .label((d) => d.data.name && `${d.data.name}: ${count(d.value)} ${unit}, ${percent(d.value, weights.value)}`)
      .setDetailsElement(element("details"))
      .setSearchHandler((results, sum, whole) => {
        const unit = span && element("weight").value !== "cycles" ? `${unit_of()} in the span` : unit_of();
        element("found").textContent = words_of_search(results, sum, whole, unit, by_calls(), percent);
      })
      .setColorMapper((d) => !d.data.name ? "transparent" : d.highlight ? "#e78bff" : colour_of(d.data.name, d.depth))
      .onClick((d) => { if (d.data.number !== undefined) show_function(d.data.number); });
    d3.select("#flame").datum(weights).call(graph);
    search_graph();
  };
  const colour_of = (name, depth) => {
    let hash = 7;
    for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
    return `hsl(${[210, 150, 35, 48][Math.min(depth, 4) % 4] + (hash % 18)}, 62%, ${72 + (hash % 12)}%)`;
  };
  const search_graph = () => {
    const term = element("search").value;
    element("found").textContent = "";
    if (!graph) return;
    if (term) graph.search(term); else graph.clear();
  };

  // --- Table ------------------------------------------------------------------------------------------
  let table = null;
  let current = 0;
  /// The largest loss: `base` is the time that the instructions take in any case.
  const main_reason = (f) => {
    const losses = pairs(f.cycles).filter(([reason]) => data.reasons[reason] !== "base");
    const best = losses.reduce((most, pair) => (pair[1] > most[1] ? pair : most), [0, 0]);
    return best[1] ? `${label_of(data.reasons[best[0]])} ${percent(best[1], f.all_cycles, 0)}` : "";
  };
  const rate = (f, name) => {
    const events = event_index(name) < 0 ? 0 : value_of(f.events, event_index(name));
    return f.retired ? (1000 * events) / f.retired : 0;
  };
  const table_rows = () => data.functions.map((f) => ({ id: f.number, name: f.name, file: f.file.split("/").slice(-2).join("/"),
    cycles: f.all_cycles, samples: chosen.functions[f.number], ipc: f.all_cycles ? f.retired / f.all_cycles : 0,
    l1d: rate(f, "l1d-miss"), l1i: rate(f, "l1i-miss"), mispredicts: rate(f, "branch-mispredict"), reason: main_reason(f) }));
  const make_table = () => {
    const share = (whole) => (cell) => (whole() ? percent(cell.getValue(), whole(), 2) : "");
    const fixed = (digits) => (cell) => (cell.getValue() ? cell.getValue().toFixed(digits) : "");
    const number = (title, field, formatter, tooltip) => ({ title, field, formatter, hozAlign: "right", sorter: "number",
      headerTooltip: tooltip, minWidth: 82, widthGrow: 1, headerSortStartingDir: "desc" });
    table = new Tabulator("#table", {
      data: table_rows(), index: "id", height: Math.min(420, 70 + 28 * data.functions.length), layout: "fitColumns",
      selectableRows: 1, initialSort: [{ column: all_cycles ? "cycles" : "samples", dir: "desc" }],
      columns: [
        { title: "Function", field: "name", minWidth: 130, widthGrow: 4, headerFilter: "input", formatter: "plaintext" },
        { title: "File", field: "file", minWidth: 75, widthGrow: 2, headerFilter: "input", formatter: "plaintext" },
        number("Cycles", "cycles", share(() => all_cycles), "Exact share of the run's cycles"),
        number("Samples", "samples", share(() => chosen.total), "Share of the samples in the span"),
        number("IPC", "ipc", fixed(3), "Instructions for each cycle charged to the function"),
        number("L1D miss", "l1d", fixed(2), "L1D misses per 1000 instructions"),
        number("L1I miss", "l1i", fixed(2), "L1I misses per 1000 instructions"),
        number("Mispred.", "mispredicts", fixed(2), "Mispredicted branches per 1000 instructions"),
        { title: "Main reason", field: "reason", minWidth: 120, widthGrow: 2, formatter: "plaintext" },
      ],
    });
    sort_by_keyboard(table);
    table.on("rowClick", (_, row) => show_function(row.getData().id));
    table.on("tableBuilt", () => table.selectRow(current));
  };
  const fill_table = () => table.replaceData(table_rows()).then(() => table.selectRow(current));
  const step = (by) => {
    const rows = table.getRows("active").map((row) => row.getData().id);
    const next = rows[rows.indexOf(current) + by];
    if (next !== undefined) show_function(next);
  };

  // --- Code ---------------------------------------------------------------------------------------------
  const show_function = (number) => {
    current = number;
    if (table) {
      table.deselectRow();
      table.selectRow(number);
      table.scrollToRow(number, "nearest", false).catch(() => {});
    }
    show_code();
  };
  const HEIGHT = 18;
  /// Lanes of jumps, the shortest nearest to the code.
  const arrows_of = (code) => {
    const at = new Map(code.map((row, index) => [row[0], index]));
    const jumps = code.map((row, from) => ({ from, to: row[3] === null ? undefined : at.get(row[3]) }))
      .filter((jump) => jump.to !== undefined)
      .map((jump) => ({ ...jump, low: Math.min(jump.from, jump.to), high: Math.max(jump.from, jump.to) }))
      .sort((a, b) => a.high - a.low - (b.high - b.low));
    const lanes = [];
    for (const jump of jumps) {
      let lane = lanes.findIndex((taken) => taken.every((other) => other.high < jump.low || other.low > jump.high));
      if (lane < 0) lane = lanes.push([]) - 1;
      lanes[lane].push(jump);
      jump.lane = lane;
    }
    return { jumps: jumps.filter((jump) => jump.lane < 8), lanes: Math.min(lanes.length, 8) };
  };
  const arrow_cell = (index, arrows) => {
    const width = 8 * arrows.lanes + 10;
    const middle = HEIGHT / 2;
    const paths = [];
    for (const jump of arrows.jumps) {
      const x = width - 8 - 8 * jump.lane;
      if (index < jump.low || index > jump.high) continue;
      const top = index === jump.low ? middle : 0;
      const bottom = index === jump.high ? middle : HEIGHT;
      paths.push(`<path d="M${x} ${top}V${bottom}"/>`);
      if (index === jump.from || index === jump.to) paths.push(`<path d="M${x} ${middle}H${width}"/>`);
      if (index === jump.to) paths.push(`<path class="head" d="M${width} ${middle}l-5 -3v6z"/>`);
    }
    const cell = make("td", { className: "arrows" });
    cell.style.minWidth = `${width}px`;
    cell.innerHTML = `<svg width="${width}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${paths.join("")}</svg>`;
    return cell;
  };
  const events_text = (row) => pairs(row[7]).filter(([index]) => SHOWN_EVENTS.has(data.events[index]))
    .map(([index, n]) => `${data.events[index]} ${count(n)}`).join(", ");
  const SHOWN_EVENTS = new Set(["l1d-miss", "l1i-miss", "itlb-miss", "dtlb-miss", "branch-mispredict", "exception"]);
  const heat = (cell, share) => {
    if (share > 0.0005) cell.style.background = `rgba(var(--hot), ${Math.min(0.75, 0.05 + 2.5 * share)})`;
    return cell;
  };
  const pipeline = pipeline_of(data, { element, make, count }, (f, row) => (f.code && row >= 0 ? sum(f.code[row][6]) : 0));
  /// Shows the pipeline around a sample of the instruction, if the page has one.
  const window_button = (f, row, index) => {
    const number = pipeline.window_of(f.number, index);
    return number < 0 ? "" : make("button", { type: "button", className: "window", textContent: "pipeline",
      title: `The pipeline around a sample of ${row[1]}`, onclick: () => pipeline.choose(number) });
  };
  const instruction_row = (f, row, index, arrows) => {
    const [pc, text, , target] = row;
    const cycles = sum(row[6]);
    const samples = chosen.rows.get(f.number * 65536 + index) || 0;
    const shares = pairs(row[6]).map(([reason, n]) => [data.reasons[reason], n]);
    const code = make("td", { className: "address", textContent: text });
    if (target !== null) {
      const short = target.replace(/^0x0*/, "0x");
      const place = text.indexOf(short);
      if (place >= 0) {
        const link = make("a", { href: "#pc-" + target, textContent: short });
        code.replaceChildren(text.slice(0, place), link, text.slice(place + short.length));
      }
    }
    return make("tr", { id: "pc-" + pc },
      heat(make("td", { className: "number", textContent: samples ? percent(samples, chosen.total, 2) : "" }), samples / chosen.total),
      heat(make("td", { className: "number", textContent: cycles ? percent(cycles, all_cycles, 2) : "" }), cycles / all_cycles),
      make("td", {}, cycles ? stack_bar(shares, cycles, true) : ""), arrow_cell(index, arrows),
      make("td", { className: "address", textContent: pc.replace(/^0x0*/, "") }), code, make("td", {}, events_text(row), " ", window_button(f, row, index)));
  };
  /// The instruction with most samples of the span, or most cycles of the run, or samples where those are not known; -1: neither has any.
  const hottest_row = (f) => {
    const weights = f.code.map((row, index) => {
      if (span) return chosen.rows.get(f.number * 65536 + index) || 0;
      return f.all_cycles ? sum(row[6]) : row[4];
    });
    const most = Math.max(...weights);
    return most > 0 ? weights.indexOf(most) : -1;
  };
  const scroll_to_hottest = (f) => {
    const number = hottest_row(f);
    element("listing").scrollTop = 0;
    if (number < 0) return;
    const line = document.getElementById("pc-" + f.code[number][0]);
    line.className = "here";
    line.title = `The most ${span || !f.all_cycles ? "samples" : "cycles"} of the function`;
    element("listing").scrollTop = line.offsetTop - element("listing").clientHeight / 3;
  };
  const show_code = () => {
    const f = data.functions[current];
    element("listing").replaceChildren();
    if (!f || !f.code) {
      element("code-hint").textContent = f ? `${f.name}: its code is not in this report.` : "No code.";
      return;
    }
    element("code-head").textContent = `Code of ${f.name}`;
    element("code-hint").textContent = `${f.file ? f.file + ", " : ""}${percent(f.all_cycles, all_cycles, 2)} of all cycles, ` +
      `${count(chosen.functions[f.number])} of ${count(chosen.total)} samples` + (span ? " in the span" : "");
    const body = make("tbody");
    const arrows = arrows_of(f.code);
    let line = -1;
    f.code.forEach((row, index) => {
      if (row[2] !== line && row[2] >= 0) {
        const [file, number, text] = data.lines[row[2]];
        const cell = make("td", { colSpan: 7 }, `${data.files[file].split("/").pop()}:${number}  `, make("b", { textContent: text }));
        body.append(make("tr", { className: "source" }, cell));
      }
      line = row[2];
      body.append(instruction_row(f, row, index, arrows));
    });
    const head = make("tr", {}, ...["samples", "cycles", "why", "", "address", "instruction", "events"]
      .map((name) => make("th", { textContent: name, scope: "col" })));
    element("listing").append(make("table", {}, make("thead", {}, head), body));
    scroll_to_hottest(f);
  };

  // --- Two runs side by side -------------------------------------------------------------------------
  const differences = (by) => (by === "line" ? data.baseline.lines : data.baseline.functions)
    .map(([name, file, before, now]) => ({ name, file: file.split("/").slice(-2).join("/"), before, after: now, change: now - before }));
  const draw_difference = () => {
    if (!data.baseline) return;
    const old = data.baseline;
    element("difference").hidden = false;
    element("difference-head").textContent = `Compared with ${old.title}`;
    const change = data.cycles - old.cycles;
    element("difference-hint").textContent = `${count(old.cycles)} cycles before, ${count(data.cycles)} now: ` +
      `${change > 0 ? "+" : ""}${count(change)}, ${old.speed}. ` +
      `IPC ${(old.instructions / old.cycles).toFixed(3)} before, ${(data.instructions / data.cycles).toFixed(3)} now. (${old.command})`;
    const longest = Math.max(old.cycles, data.cycles);
    const bar_of = (run) => {
      const bar = stack_bar(Object.entries(run.stack), run.cycles, false);
      bar.style.width = `${(100 * run.cycles) / longest}%`;
      return bar;
    };
    element("stacks").replaceChildren(make("span", { textContent: "before" }), bar_of(old), make("span", { textContent: "now" }), bar_of(data));
    const number = (title, field, formatter) => ({ title, field, formatter, hozAlign: "right", sorter: "number", minWidth: 122, widthGrow: 1 });
    const signed = (cell) => {
      const value = cell.getValue();
      cell.getElement().className += value > 0 ? " worse" : value < 0 ? " better" : "";
      cell.getElement().style.setProperty("--strength", Math.min(0.7, (4 * Math.abs(value)) / longest));
      return (value > 0 ? "+" : "") + count(value);
    };
    const rows = differences(element("difference-by").value);
    sort_by_keyboard(new Tabulator("#difference-table", { data: rows, layout: "fitColumns", height: Math.min(340, 70 + 28 * rows.length),
      columns: [{ title: "What", field: "name", formatter: "plaintext", headerFilter: "input", widthGrow: 3, minWidth: 180 },
        { title: "File", field: "file", formatter: "plaintext", headerFilter: "input", minWidth: 110 },
        number("Before", "before", (cell) => count(cell.getValue())), number("Now", "after", (cell) => count(cell.getValue())),
        number("Change, cycles", "change", signed)] }));
  };

  // --- The quality of the samples -----------------------------------------------------------------------
  const draw_quality = () => {
    element("sampling").hidden = data.errors.length === 0;
    const share = (value) => (100 * value).toFixed(2) + " %";
    element("errors").replaceChildren(...data.errors.map((e) => make("li", { textContent:
      `By ${e.by}, ${share(e.error)} of the samples are in other rows than the events; a perfect sampler would have ` +
      `${share(e.chance)} on average, at most ${share(e.chance_95)} in 95 of 100 runs.` })));
    element("skid").replaceChildren();
    if (data.skids.length === 0) return;
    const lowest = Math.min(0, data.skids[0][0]);
    const highest = Math.min(data.skids[data.skids.length - 1][0], lowest + 60);
    const x = Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
    const samples = x.map(() => 0);
    let all = 0;
    for (const [skid, n] of data.skids) {
      samples[Math.min(skid, highest) - lowest] += n;
      all += n;
    }
    const axis = axis_style();
    new uPlot({ width: element("skid").clientWidth, height: 190, cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false, range: [lowest - 1, highest + 1] }, y: { range: from_zero } },
      axes: [{ ...axis, incrs: [1, 2, 5, 10, 20, 50], label: "instructions between the cause and the sampled instruction", labelSize: 18, labelFont: "12px system-ui" },
        { ...axis, size: 60, label: "% of samples", labelSize: 16, labelFont: "11px system-ui" }],
      series: [{ label: "skid", value: legend_value(count) }, { label: "% of samples", fill: ink("--accent"), stroke: ink("--accent"), width: 0,
        points: { show: false }, paths: uPlot.paths.bars({ size: [0.7, 40] }), value: fixed_legend }] },
    [x, samples.map((n) => (100 * n) / all)], element("skid"));
  };

  const focus = focus_keeper();
  const show_whole_run = () => {
    if (document.activeElement !== document.body && document.activeElement !== element("clear")) focus.keep();
    select(null);
    focus.give_back();
  };

  // --- Wiring -------------------------------------------------------------------------------------------
  const start = () => {
    write_head();
    write_metrics();
    data.timelines.forEach((_, hart) => element("hart").append(make("option", { value: hart, textContent: hart })));
    element("hart-choice").hidden = data.timelines.length < 2;
    if (all_cycles === 0) element("weight").querySelector('[value="cycles"]').remove();
    if (data.calls.stacks.length > 0) {
      element("weight").prepend(make("option", { value: "calls", textContent: "samples, by calls" }));
      element("weight").value = "calls";
    }
    if (data.traced.slices.length > 0) element("weight").append(make("option", { value: "trace", textContent: "cycles, by calls of the trace" }));
    choose_samples();
    draw_timeline();
    draw_graph();
    make_table();
    show_code();
    pipeline.start();
    draw_quality();
    draw_difference();
    element("difference-by").addEventListener("change", draw_difference);
    element("hart").addEventListener("change", () => { draw_timeline(); show_selection(); });
    element("clear").addEventListener("click", show_whole_run);
    element("charts").addEventListener("mousedown", () => { if (!span) focus.keep(); }, true);
    element("weight").addEventListener("change", draw_graph);
    element("shape").addEventListener("change", draw_graph);
    element("search").addEventListener("input", search_graph);
    element("reset").addEventListener("click", () => graph && graph.resetZoom());
    window.addEventListener("resize", () => { draw_timeline(); show_selection(); draw_graph(); draw_quality(); });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { draw_timeline(); show_selection(); draw_quality(); });
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "Escape" && span) show_whole_run();
      else if (event.key === "Escape" && event.target === element("search")) focus.give_back();
      else if (typing) return;
      else if (event.key === "/") { event.preventDefault(); focus.keep(); element("search").focus(); }
      else if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
    });
  };
  start();
})();
