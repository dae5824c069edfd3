// SPDX-License-Identifier: Apache-2.0
// Usage: node report_page.mjs PLAYWRIGHT CHROMIUM PAGE TRUTH COMPARING_PAGE FILES_PAGE SAMPLES_PAGE CALLS_PAGE PICTURES
// The report of `pes-vp profile --report` as a reader uses it, in headless Chromium: what it shows is what the exact
// profile of the same run says, and every control does what it says. COMPARING_PAGE has PAGE as its baseline.
// FILES_PAGE is of the same run, from the files of its samples and truth; SAMPLES_PAGE of the samples alone.
// CALLS_PAGE has call stacks and the trace of a whole run.
// The directory PICTURES has the pipeline around some of the samples as windowN.kanata.
// Leaves pictures at three widths in the directory PICTURES.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [playwright, chromium_path, page_file, truth_file, comparing_file, files_file, samples_file, calls_file, pictures] =
  process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright));

let failures = 0;
const expect = (holds, what) => {
  if (!holds) {
    console.error(`report_page: ${what}`);
    failures++;
  }
};

// --- The exact profile: cycles by address ---------------------------------------------------------------------
const [head, ...lines] = fs.readFileSync(truth_file, "utf8").trim().split("\n").map((line) => line.split(","));
const column = (name) => head.indexOf(name);
const truth = new Map();
let all_cycles = 0;
for (const line of lines) {
  truth.set(line[column("pc")], (truth.get(line[column("pc")]) || 0) + Number(line[column("cycles")]));
  all_cycles += Number(line[column("cycles")]);
}

// Scrollbars take room, as they do in a window.
const browser = await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-dev-shm-usage"],
  ignoreDefaultArgs: ["--hide-scrollbars"] });
const messages = [];
const open = async (width, scheme, file = page_file) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await page.addInitScript(() => { // keeps the charts, whose scales are nowhere in the page
    let library;
    window.drawn_charts = [];
    const construct = (target, args) => { window.drawn_charts.push(new target(...args)); return window.drawn_charts.at(-1); };
    Object.defineProperty(window, "uPlot", { get: () => library, set: (one) => { library = new Proxy(one, { construct }); } });
  });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) messages.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(".tabulator-row");
  return page;
};
const page = await open(1400, "light");
const text = (selector) => page.locator(selector).innerText();
const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

// --- The data are those of the run ---------------------------------------------------------------------------------
const values = (pairs) => pairs.reduce((sum, value, index) => sum + (index % 2 ? value : 0), 0);
expect(data.cycles === all_cycles, `${data.cycles} cycles, the truth has ${all_cycles}`);
expect(values(Object.entries(data.stack).flat()) === all_cycles, "the cycle stack does not add up");
expect(Math.abs(data.functions.reduce((sum, f) => sum + values(f.cycles), 0) - all_cycles) < 1, "functions do not add up");
for (const f of data.functions) {
  for (const row of f.code || []) {
    const exact = truth.get(row[0]) || 0;
    expect(values(row[6]) === exact, `${row[0]}: ${values(row[6])} cycles, the truth has ${exact}`);
  }
}
const timeline = data.timelines[0];
const instructions = timeline.counts[data.timeline_events.indexOf("instret")];
const whole = instructions.length * timeline.interval;
expect(whole <= all_cycles && all_cycles - whole <= 2 * timeline.interval, `${instructions.length} intervals of ${timeline.interval}`);
const counted = instructions.reduce((sum, n) => sum + n, 0);
expect(counted <= data.instructions && data.instructions - counted <= 2 * timeline.interval,
  `intervals have ${counted} of ${data.instructions} instructions`);

// --- What is shown ----------------------------------------------------------------------------------------------------
expect((await text("#facts")).includes(all_cycles.toLocaleString("en-US")), "the head does not name the cycles");
expect((await page.locator("#stack .bar span").count()) >= 3, "the cycle stack has no parts");
// The metrics, by the formulas of docs/metrics.md from the exact profile.
const counted_events = (name) => lines.reduce((sum, line) => sum + Number(line[column(name)]), 0);
const metric = (name) => data.metrics.find((row) => row[0] === name)[1];
expect(metric("IPC") === (counted_events("count") / all_cycles).toFixed(3), `IPC is ${metric("IPC")}`);
const mpki = ((1000 * counted_events("l1d-miss")) / counted_events("count")).toFixed(2);
expect(metric("CACHE.L1D.RD.DATA.MPKI") === mpki, `L1D MPKI is ${metric("CACHE.L1D.RD.DATA.MPKI")}, not ${mpki}`);
const slots = data.top_down.reduce((sum, c) => sum + c.share, 0);
expect(data.top_down.length === 4 && Math.abs(slots - 1) < 1e-9, `top-down adds up to ${slots}`);
for (const c of data.top_down.filter((one) => one.parts.length > 0)) {
  expect(Math.abs(c.parts.reduce((sum, part) => sum + part.share, 0) - c.share) < 1e-9, `the parts of ${c.name} do not add up`);
}
expect((await page.locator("#top-down .bar").count()) === 2, "no bars of top-down");
expect((await page.locator("#metric-values div").count()) === data.metrics.length, "a metric is not shown");
expect((await page.locator("#charts .uplot").count()) === 4, "the timeline has not four charts");
expect((await page.locator("#flame g.frame").count()) > 10, "the flame graph has no frames");
const names = () => page.locator('.tabulator-row .tabulator-cell[tabulator-field="name"]').allInnerTexts();
const hottest = data.functions[0].name;
expect((await names())[0] === hottest, `the first row is not ${hottest}`);
expect((await text("#code-head")) === `Code of ${hottest}`, "the code is not that of the hottest function");
const rows = await page.locator("#listing tr:not(.source)").count();
expect(rows === data.functions[0].code.length + 1, `${rows} rows of code`);
expect((await page.locator("#listing svg path.head").count()) > 0, "no arrow of a jump");
expect(await page.locator("#difference").isHidden(), "a comparison without another run");
expect(data.skids.length === 1 && data.skids[0][0] === 0, `the exact method skids: ${data.skids}`);
expect((await page.locator("#errors li").count()) === 2, "no word on the error of the profile");

// --- Timelines, reasons, and where code and pipeline begin -------------------------------------------------------------
const timelines = () => page.evaluate(() => window.drawn_charts.filter((chart) => chart.root.closest("#charts")).map((chart) => {
  const box = chart.over.getBoundingClientRect();
  const place = (share) => box.left + chart.valToPos(share * chart.data[0].at(-1), "x");
  const selected = chart.over.querySelector(".u-select");
  const marked = selected.getBoundingClientRect();
  return { places: [box.left, box.right, place(0.1), place(0.9)], from: chart.scales.y.min, values: chart.data[0].length,
    marked: [marked.left, marked.right], border: parseFloat(getComputedStyle(selected).borderLeftWidth) };
}));
const same = (lists) => lists.every((list) => list.every((value, index) => Math.abs(value - lists[0][index]) < 0.5));
const drawn_timelines = await timelines();
expect(drawn_timelines.length === 4 && same(drawn_timelines.map((one) => one.places)), `a cycle is at different places: ${JSON.stringify(drawn_timelines)}`);
expect(drawn_timelines.every((one) => one.from === 0), `the timelines begin at ${drawn_timelines.map((one) => one.from)}`);
const legends = () => page.locator(".u-legend .u-series").evaluateAll((list) => list.map((one) =>
  [getComputedStyle(one.querySelector("th"), "::after").content, one.querySelector("th").innerText, one.querySelector(".u-value").innerText]));
const bare = (await legends()).filter(([after, name, value]) => value === "" && (/:/.test(after) || /:/.test(name)));
expect((await legends()).length > 8 && bare.length === 0, `legends have a colon and no value: ${bare.map((one) => one[1])}`);
await page.locator("#charts .u-over").first().hover();
expect((await legends()).filter(([, , value]) => /^: [\d,.]+$/.test(value)).length >= 8, `legends have no values: ${JSON.stringify(await legends())}`);
const losses = (f) => Object.fromEntries(f.cycles.flatMap((at, index) => (index % 2 ? [] : [[data.reasons[at].replace(/_/g, " "), f.cycles[index + 1]]])));
for (const [name, reason] of await page.locator("#table .tabulator-row").evaluateAll((list) => list.map((row) =>
  ["name", "reason"].map((field) => row.querySelector(`[tabulator-field="${field}"]`).innerText)))) {
  const of = data.functions.filter((f) => f.name === name).map(losses);
  const largest = of.map(({ base, ...others }) => Object.entries(others).reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0])[0]);
  expect(largest.some((one) => reason.replace(/ \d+ %$/, "") === one), `${name}: the main reason is ${reason}, not ${largest}`);
}
const most_cycles = data.functions[0].code.reduce((most, row) => (values(row[6]) > values(most[6]) ? row : most));
const seen_line = await page.evaluate((pc) => {
  const [line, around] = [document.getElementById("pc-" + pc), document.getElementById("listing")].map((one) => one.getBoundingClientRect());
  return line.top >= around.top && line.bottom <= around.bottom;
}, most_cycles[0]);
expect(seen_line && (await page.locator("#listing tr.here").getAttribute("id")) === "pc-" + most_cycles[0], "the code does not open at its hottest line");
const weight_of = (view) => (view.instruction < 0 ? 0 : values(data.functions[view.function].code[view.instruction][6]));
const first_view = data.pipelines[Number(await page.inputValue("#pipeline-sample"))];
expect(weight_of(first_view) === Math.max(...data.pipelines.map(weight_of)), "the pipeline does not open at the hottest instruction");

// --- The pipeline around samples ------------------------------------------------------------------------------------
// A log of --pipeline as rows of the page.
const rows_of_log = (file, from) => {
  let cycle = 0;
  const ops = [];
  for (const line of fs.readFileSync(file, "utf8").trim().split("\n").slice(1)) {
    const [command, id, ...rest] = line.split("\t");
    if (command === "C=") cycle = Number(id);
    else if (command === "C") cycle += Number(id);
    else if (command === "I") ops[id] = { stages: [] };
    else if (command === "L" && rest[0] === "0") ops[id].text = rest[1].split(/: (.*)/s).slice(0, 2);
    else if (command === "L") ops[id].detail = rest[1];
    else if (command === "S") ops[id].stages.push(rest[1], cycle - from);
    else if (command === "R") Object.assign(ops[id], { flushed: Number(rest[1]), end: cycle - from });
  }
  return ops.map((op) => [op.text[0], op.text[1], op.detail, op.flushed, op.end, ...op.stages]);
};
const address = (pc) => pc.replace(/^0x0*/, "0x");
expect(data.pipelines.length >= 20 && data.pipelines.length <= 40, `${data.pipelines.length} windows`);
for (const view of data.pipelines) {
  const sampled = view.rows[view.sampled];
  expect(view.from <= view.cycle && view.cycle < view.to, `window of ${view.cycle}: ${view.from} to ${view.to}`);
  expect(view.instruction < 0 || data.functions[view.function].code[view.instruction][0] === sampled[0], `window of ${view.cycle}: other instruction`);
}
const logs = fs.readdirSync(pictures).filter((name) => /^window\d+\.kanata$/.test(name)).map((name) => Number(name.match(/\d+/)[0]));
expect(logs.length >= 4, "no logs");
for (const number of logs) {
  const view = data.pipelines[number];
  const log = rows_of_log(`${pictures}/window${number}.kanata`, view.from).map((row) => JSON.stringify([address(row[0]), ...row.slice(1)]));
  const shown = view.rows.map((row) => JSON.stringify([address(row[0]), ...row.slice(1)]));
  expect(log.length === shown.length, `window ${number}: ${shown.length} rows, the log has ${log.length}`);
  shown.forEach((row, index) => expect(row === log[index], `window ${number}: ${row} is ${log[index]} in the log`));
}
const views = page.locator("#pipeline-sample option");
expect((await views.count()) === data.pipelines.length, "not every window can be chosen");
const last_view = data.pipelines[data.pipelines.length - 1];
await page.selectOption("#pipeline-sample", String(data.pipelines.length - 1));
expect((await page.locator("#pipeline-grid tbody tr").count()) === last_view.rows.length, "the grid has other rows");
const marked = await page.locator('#pipeline-grid tr[aria-current="true"] th').innerText();
const of_sample = last_view.rows[last_view.sampled];
expect(marked.includes(`${of_sample[0].replace(/^0x0*/, "")}: ${of_sample[1]}`), `marked is ${marked}`);
// Each stage lies under its cycles.
const first_cell = await page.locator('#pipeline-grid tr[aria-current="true"] .stage').first().evaluate((cell) =>
  ({ column: cell.style.gridColumn.replace(/\s/g, ""), text: cell.textContent }));
const stage_names = of_sample.slice(5).filter((_, index) => index % 2 === 0);
expect(stage_names.includes(first_cell.text), `stage ${first_cell.text}`);
const [begin, end] = first_cell.column.split("/").map(Number);
const at = of_sample.indexOf(first_cell.text, 5);
const until = at + 3 < of_sample.length ? of_sample[at + 3] : of_sample[4];
expect(begin === Math.max(of_sample[at + 1], 0) + 1 && end === until + 1, `stage ${first_cell.text} in columns ${first_cell.column}`);
const box_of = (selector) => page.locator(`#pipeline-grid ${selector}`).first().boundingBox();
const cells = await box_of('tr[aria-current="true"] .cycles');
const column_of = (box) => Math.round(((box.x - cells.x) / cells.width) * (last_view.to - last_view.from));
expect(column_of(await box_of('tr[aria-current="true"] .stage')) === begin - 1, "a stage is not under its cycle");
expect(column_of(await box_of(".ruler .trigger")) === last_view.cycle - last_view.from, "the mark of the sample is not in its cycle");
// By keyboard.
await page.locator("#pipeline-sample").focus();
await page.keyboard.press("Home");
expect((await page.inputValue("#pipeline-sample")) === "0" &&
  (await page.locator("#pipeline-grid tbody tr").count()) === data.pipelines[0].rows.length, "Home does not choose the first window");
// From the code.
const of_hottest = data.pipelines.findIndex((view) => view.function === 0 && view.instruction >= 0);
if (of_hottest >= 0) {
  await page.locator("#listing button.window").first().click();
  const chosen_view = data.pipelines[Number(await page.inputValue("#pipeline-sample"))];
  expect(chosen_view.function === 0, "the code chooses another window");
} else {
  expect(false, "no window of the hottest function");
}

// --- The controls ----------------------------------------------------------------------------------------------------
const second = (await names())[1];
// The click scrolls to the table, which may draw its rows anew under it: then it has hit nothing.
for (let click = 0; click < 4 && (await text("#code-head")) !== `Code of ${second}`; ++click) {
  await page.locator('.tabulator-row .tabulator-cell[tabulator-field="name"]').nth(1).click();
  await page.waitForFunction((head) => document.querySelector("#code-head").innerText === head, `Code of ${second}`, { timeout: 5000 })
    .catch(() => {});
}
expect((await text("#code-head")) === `Code of ${second}`, `a click on a row does not show its code: ${await text("#code-head")}, expected ${second}`);
await page.locator("#code-head").click();
await page.keyboard.press("k");
expect((await text("#code-head")) === `Code of ${hottest}`, "k does not go up");
await page.keyboard.press("j");
expect((await text("#code-head")) === `Code of ${second}`, "j does not go down");

const drawn = () => page.evaluate(() => d3.select("#flame").datum().value);
await page.locator('#table .tabulator-header-filter input').first().focus();
await page.locator("#title").scrollIntoViewIfNeeded();
const chart = await page.locator("#charts .u-over").first().boundingBox();
const samples = data.samples.length / 5;
await page.mouse.move(chart.x + 0.25 * chart.width, chart.y + 20);
await page.mouse.down();
await page.mouse.move(chart.x + 0.5 * chart.width, chart.y + 20, { steps: 5 });
await page.mouse.up();
const span = (await text("#span")).match(/Cycles ([\d,]+) to ([\d,]+): ([\d,]+) samples/);
expect(span !== null, `no span: ${await text("#span")}`);
if (span) {
  const [from, to, inside] = span.slice(1).map((number) => Number(number.replaceAll(",", "")));
  let right = 0;
  for (let i = 0; i < data.samples.length; i += 5) right += data.samples[i] >= from && data.samples[i] < to ? 1 : 0;
  expect(Math.abs(inside - right) <= 1 && inside < samples && inside > 0, `${inside} samples in the span, ${right} are`);
  expect((await text("#code-hint")).includes(`of ${inside.toLocaleString("en-US")} samples in the span`), "the code ignores the span");
  expect((await page.inputValue("#weight")) === "calls", "the graph does not show calls");
  expect((await drawn()) === inside, "the graph ignores the span");
}
const focused = () => page.evaluate(() => document.activeElement.closest("[tabulator-field]")?.getAttribute("tabulator-field") || document.activeElement.id);
const marks = await timelines();
expect(same(marks.slice(-4).map((one) => one.marked)) && marks.at(-1).marked[1] - marks.at(-1).marked[0] > 100, "the span is not the same in each timeline");
await page.keyboard.press("Escape");
const unmarked = (await timelines()).filter((one) => one.marked[1] > one.marked[0] || one.border > 0);
expect(unmarked.length === 0, `Escape leaves a mark: ${JSON.stringify(unmarked[0])}`);
expect((await focused()) === "name", `Escape gives the focus to ${await focused()}`);
expect((await text("#span")) === "" && (await page.locator("#clear").isHidden()), "Escape keeps the span");

await page.selectOption("#weight", "cycles");
const frame_height = async () => (await page.locator("#flame g.frame").first().boundingBox()).y;
const flame = await frame_height();
await page.selectOption("#shape", "icicle");
expect((await frame_height()) !== flame, "the icicle is the flame graph");
await page.keyboard.press("Escape");
await page.locator("#code-head").click();
await page.keyboard.press("/");
await page.keyboard.type(hottest.split("(")[0].split("::").pop());
expect((await page.locator('#flame rect[fill="#e78bff"], #flame rect[style*="231, 139, 255"]').count()) > 0, "the search marks nothing");
// It says what it has found: the functions of that name, and what they add up to.
const term = await page.inputValue("#search");
const of_search = data.functions.filter((f) => values(f.cycles) > 0 && f.name.includes(term));
const found = (await text("#found")).match(/^(\d+) functions?, ([\d.]+) % of cycles$/);
const found_share = (100 * of_search.reduce((all, f) => all + values(f.cycles), 0)) / all_cycles;
expect(found !== null && Number(found[1]) === of_search.length && Math.abs(Number(found[2]) - found_share) < 0.06,
  `the search says ${await text("#found")}, it is ${of_search.length} and ${found_share}`);
await page.fill("#search", "there is no such function");
expect((await text("#found")) === "No function.", `a search for nothing says ${await text("#found")}`);
await page.fill("#search", "");
expect((await text("#found")) === "", "no search says something");
await page.locator("#listing").focus();
await page.keyboard.press("/");
await page.keyboard.press("Escape");
expect((await focused()) === "listing", `Escape in the search gives the focus to ${await focused()}`);

const filter = page.locator(".tabulator-header-filter input").first();
await filter.pressSequentially(second.slice(0, 12));
await page.waitForTimeout(600);
expect((await names()).every((name) => name.includes(second.slice(0, 12))), "the filter lets others through");
await filter.press("Control+a");
await filter.press("Delete");
await page.waitForTimeout(600);
await page.locator('.tabulator-col[tabulator-field="ipc"]').click();
const ipc = (await page.locator('.tabulator-cell[tabulator-field="ipc"]').allInnerTexts()).map(Number);
expect(ipc.length > 1 && ipc.every((value, index) => index === 0 || ipc[index - 1] >= value), `IPC is not sorted: ${ipc}`);
await page.locator('.tabulator-col[tabulator-field="ipc"] .tabulator-col-title-holder').focus();
await page.keyboard.press("Enter");
const turned = (await page.locator('.tabulator-cell[tabulator-field="ipc"]').allInnerTexts()).map(Number);
expect(turned.every((value, index) => index === 0 || turned[index - 1] <= value), `IPC is not sorted by Enter: ${turned}`);
await page.close();

// --- Two runs ----------------------------------------------------------------------------------------------------------
const other = await open(1400, "light", comparing_file);
const compared = await other.evaluate(() => JSON.parse(document.getElementById("data").textContent));
expect((await other.locator("#difference-hint").innerText()).includes(
  `${all_cycles.toLocaleString("en-US")} cycles before`), "the comparison does not name the run before");
// Whichever is longer, its number stands in front: no "0.004 times as many".
const speed = (await other.locator("#difference-hint").innerText()).match(/([\d.]+) times (faster|slower)|as fast/);
expect(speed !== null, `no word on speed: ${await other.locator("#difference-hint").innerText()}`);
if (speed && speed[1]) {
  const ratio = compared.cycles / data.cycles;
  expect(Math.abs(Number(speed[1]) - Math.max(ratio, 1 / ratio)) < 0.01 && (speed[2] === "slower") === ratio > 1, `${speed[0]}: the ratio is ${ratio}`);
}
const shown = (field) => other.locator(`#difference-table .tabulator-cell[tabulator-field="${field}"]`).allInnerTexts();
const number = (word) => Number(word.replaceAll(",", "").replace("+", ""));
const cycles_of = (run, name) => run.functions.filter((f) => f.name === name).reduce((sum, f) => sum + values(f.cycles), 0);
const changed = await shown("name");
const changes = (await shown("change")).map(number);
changed.forEach((name, index) => {
  const change = cycles_of(compared, name) - cycles_of(data, name);
  expect(Math.abs(changes[index] - change) < 1, `${name}: a change of ${changes[index]} cycles, it is ${change}`);
});
expect(changed.length > 3 && changes.every((change, index) => !index || Math.abs(changes[index - 1]) >= Math.abs(change)),
  `the changes are not sorted: ${changes}`);
await other.selectOption("#difference-by", "line");
expect((await shown("name"))[0] !== changed[0], "the lines are the functions");
const skids = compared.skids.reduce((sum, [, n]) => sum + n, 0);
expect(skids > 1000 && compared.skids.every(([skid, n]) => skid > 0 || n < skids / 100), "samples at the interrupt have no skid");
expect((await other.locator("#skid canvas").count()) === 1, "no histogram of the skid");
await other.close();

// --- From files -----------------------------------------------------------------------------------------------------------
const data_of = (shown_page) => shown_page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
const from_files = await open(1400, "light", files_file);
const files = await data_of(from_files);
const facts_of = (run) => JSON.stringify(run.functions.map((f) => [f.name, f.begin, f.samples, f.retired, values(f.cycles),
  (f.code || []).map((row) => [row[0], row[1], row[4], row[5], values(row[6])])]));
expect(facts_of(files) === facts_of(data), "from files, the functions are others");
expect(JSON.stringify(files.samples) === JSON.stringify(data.samples), "from files, the samples are others");
expect(JSON.stringify(files.stack) === JSON.stringify(data.stack) && files.cycles === data.cycles, "from files, the cycles are others");
expect(data.metrics.every((row) => files.metrics.some((other) => other[0] === row[0] && other[1] === row[1])), "from files, the metrics are others");
expect(JSON.stringify(files.top_down) === JSON.stringify(data.top_down), "from files, top-down is another");
expect((await from_files.locator("#charts .uplot").count()) === 2, "from files, the timeline has not two charts");
await from_files.close();
const alone = await open(1400, "light", samples_file);
expect(await alone.locator("#metrics").isHidden(), "metrics of samples alone");
expect((await alone.inputValue("#weight")) === "samples", "samples alone are drawn as cycles");
expect((await alone.locator('.tabulator-row .tabulator-cell[tabulator-field="name"]').first().innerText()) ===
  [...data.functions].sort((a, b) => b.samples - a.samples)[0].name, "samples alone are not sorted by samples");
await alone.close();

// --- Calls over time, from samples and from a trace -------------------------------------------------------------------
const calls = await open(1400, "light", calls_file);
const of_calls = await data_of(calls);
const order = ["multiply_matrices", "checksum_block", "sort_numbers", "walk_list", "search_text"]; // as main calls them
const callees = () => calls.evaluate(() => {
  // A sample in machine mode knows main, which it has interrupted, and not who called it: there are several.
  const find = (node) => (node.name === "main" ? [node] : (node.children || []).flatMap(find));
  const drawn = d3.select("#flame").datum();
  const largest = find(drawn.data || drawn).reduce((one, other) => (other.value > one.value ? other : one));
  const named = largest.children.filter((inner) => inner.name);
  return named.map((inner) => [inner.name.replace(/^.*::([a-z_]+)\(.*/, "$1"), inner.value]);
});
// A sample at the last instruction of a function that they call has a stack without them (docs/sampling.md).
const joined = (list) => list.map(([name]) => name).filter((name) => order.includes(name)).filter((name, at, all) => name !== all[at - 1]);
const share_of = (list) => order.map((name) => {
  const of = (some) => some.reduce((all, [, value]) => all + value, 0);
  return of(list.filter(([callee]) => callee === name)) / of(list);
});
const shares = {};
for (const source of ["calls", "trace"]) {
  await calls.selectOption("#weight", source);
  await calls.selectOption("#shape", "time");
  expect(joined(await callees()).join() === order.join(), `${source}: main calls ${joined(await callees())}`);
  await calls.locator("#graph").screenshot({ path: `${pictures}/over_time_${source}.png` });
  await calls.selectOption("#shape", "flame");
  shares[source] = share_of(await callees());
}
shares.calls.forEach((share, at) => expect(Math.abs(share - shares.trace[at]) < 0.02, `${order[at]}: ${share} of the samples, ${shares.trace[at]} of the trace`));
const last = Math.max(...of_calls.samples.filter((_, at) => at % 5 === 0));
const traced = await calls.evaluate(() => d3.select("#flame").datum().value);
expect(traced > 0.95 * last && traced < 1.05 * last, `${traced} cycles in the trace, the last sample is at ${last}`);
await calls.selectOption("#weight", "samples");
expect(await calls.locator('#shape option[value="time"]').isDisabled(), "functions over time");
await calls.close();

// --- Widths and colours ----------------------------------------------------------------------------------------------
fs.mkdirSync(pictures, { recursive: true });
for (const [file, tables] of [[page_file, ["#table .tabulator-tableholder", "#listing"]], [comparing_file, ["#difference-table .tabulator-tableholder"]]]) {
  const medium = await open(900, "light", file);
  for (const selector of tables) {
    const [inside, outside] = await medium.locator(selector).evaluate((one) => [one.scrollWidth, one.clientWidth]);
    const cut = await medium.locator(`${selector.split(" ")[0]} .tabulator-col-title`).evaluateAll((list) =>
      list.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText));
    expect(cut.length === 0, `900 px: the titles ${cut} are cut`);
    expect(inside <= outside, `900 px: ${selector} scrolls sideways, ${inside} in ${outside}`);
  }
  await medium.screenshot({ path: `${pictures}/report-900-${tables.length}.png`, fullPage: true });
  await medium.close();
}
for (const [width, scheme] of [[1400, "light"], [1400, "dark"], [800, "light"], [420, "light"]]) {
  const narrow = await open(width, scheme);
  expect(await narrow.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width} px: the page is wider`);
  await narrow.screenshot({ path: `${pictures}/report-${width}-${scheme}.png`, fullPage: true });
  await narrow.close();
}
await browser.close();
for (const message of messages) expect(false, `the page says: ${message}`);
process.exit(failures ? 1 : 0);
