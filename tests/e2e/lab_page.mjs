// SPDX-License-Identifier: Apache-2.0
// Usage: node lab_page.mjs PLAYWRIGHT CHROMIUM PAGE POINTS_CSV PICTURES
// The page of pes-lab as a reader uses it, in headless Chromium: its means are those of points.csv, tables sort and
// filter, by keyboard too, and charts tell their values. Leaves pictures in the directory PICTURES.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [playwright, chromium_path, page_file, points_file, pictures] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright));
let failures = 0;
const expect = (holds, what) => {
  if (holds) return;
  console.error(`lab_page: ${what}`);
  failures++;
};
const browser = await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const open = async (width, scheme) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  page.on("console", (message) => expect(false, `the page says: ${message.text()}`));
  page.on("pageerror", (error) => expect(false, `the page says: ${error.message}`));
  page.on("request", (request) => expect(/^(file|data):/.test(request.url()), `asks for ${request.url()}`));
  await page.goto(pathToFileURL(page_file).href);
  await page.waitForSelector("#programs-table .tabulator-row");
  return page;
};
const page = await open(1400, "light");
const text = (selector) => page.locator(selector).innerText();
const cells = (table, field) => page.locator(`#${table} .tabulator-row .tabulator-cell[tabulator-field="${field}"]`).allInnerTexts();

// --- Means are those of the points ----------------------------------------------------------------------------------
const [head, ...lines] = fs.readFileSync(points_file, "utf8").trim().split("\n").map((line) => line.split(","));
const column = (name) => head.indexOf(name);
const mean = (method, event, grouping, figure) => {
  const rows = lines.filter((line) => line[column("method")] === method && line[column("event")] === event &&
    line[column("grouping")] === grouping && line[column(figure)] !== "");
  return rows.reduce((sum, line) => sum + Number(line[column(figure)]), 0) / rows.length;
};
const methods = await cells("errors-table", "method");
const events = await cells("errors-table", "event");
expect(methods.length === new Set(lines.map((line) => line[column("method")] + line[column("event")])).size, `${methods.length} rows of errors`);
for (const [field, grouping, figure] of [["function", "function", "profile_error"], ["line-systematic", "line", "systematic_error"],
  ["address", "address", "profile_error"], ["statistical", "address", "statistical_error"], ["bound", "address", "statistical_bound"],
  ["overhead", "address", "overhead"]]) {
  (await cells("errors-table", field)).forEach((shown, at) => {
    const right = 100 * mean(methods[at], events[at], grouping, figure);
    expect(Number.isNaN(right) ? shown === "-" : Math.abs(Number(shown) - right) < 0.051, `${methods[at]}, ${events[at]}: ${field} ${shown}, not ${right}`);
  });
}
expect((await text("#size")).startsWith(`${lines.length / 4} points of 2 programs`), await text("#size"));
expect((await text("#errors-head")) === "Error in percent, about 500 samples", await text("#errors-head"));
expect((await text("#too-few")) === "Too few events of floating-point: branchy.", await text("#too-few"));
expect((await cells("costs-table", "delivery")).join() === "lcofi" && Number((await cells("costs-table", "cycles"))[0].replace(",", "")) > 100, "no cost");
expect((await cells("programs-table", "program")).join() === "floating,branchy", "not the programs");

// --- Sorted and filtered ----------------------------------------------------------------------------------------------
const sorted = (list, falling) => list.every((value, at) => at === 0 || (falling ? list[at - 1] >= value : list[at - 1] <= value));
const numbers = async () => (await cells("errors-table", "address")).map(Number);
const head_of = (field) => page.locator(`#errors-table .tabulator-col[tabulator-field="${field}"] .tabulator-col-title-holder`);
await head_of("address").click();
expect(sorted(await numbers(), true), `after a click: ${await numbers()}`);
await head_of("address").focus();
await page.keyboard.press("Enter");
expect(sorted(await numbers(), false), `after Enter: ${await numbers()}`);
await head_of("overhead").click(); // of ideal it is 0, and exact has no cost
await page.locator('#errors-table .tabulator-col[tabulator-field="event"] input').pressSequentially("load");
await page.waitForFunction(() => document.querySelectorAll("#errors-table .tabulator-row").length === 3);
expect((await cells("errors-table", "event")).every((event) => event === "load"), "the filter lets others through");

// --- Charts ---------------------------------------------------------------------------------------------------------------
const pareto = page.locator("#pareto figure");
expect((await pareto.count()) === 6, `${await pareto.count()} charts of the overhead`); // three events, by function and address
expect(await page.locator("#rates").isHidden(), "rates, of one rate");
await page.locator("#pareto .by").selectOption("block");
expect((await page.locator("#pareto figcaption").allInnerTexts()).join() === "cycle by block,load by block,floating-point by block", "not the charts by block");
const said = (chart) => chart.locator(".value").innerText();
const chart = pareto.first();
const [x_of, y_of] = ["overhead", "profile_error"].map((figure) => (method) => 100 * mean(method, "cycle", "block", figure));
await chart.focus();
await page.keyboard.press("End");
expect((await said(chart)).includes(`lcofi: overhead ${Number(x_of("lcofi").toPrecision(4))}`), `by keyboard: ${await said(chart)}`);
await page.keyboard.press("Home");
expect((await said(chart)).includes("ideal: overhead"), `by keyboard: ${await said(chart)}`);
await page.locator("#errors-head").click(); // elsewhere
const area = await chart.locator(".u-over").boundingBox();
await page.mouse.move(area.x + 3, area.y + area.height * (1 - y_of("ideal") / (1.08 * Math.max(...["ideal", "exact", "lcofi"].map(y_of).filter(Number.isFinite)))));
expect((await said(chart)).includes("ideal: overhead"), `under the mouse: ${await said(chart)}`);
const cost = page.locator("#costs figure");
const bar = await cost.locator(".u-over").boundingBox();
await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
expect(/^lcofi: [\d,]+ cycles$/.test(await said(cost)), `cost: ${await said(cost)}`);
await page.close();

// --- Widths and colours ----------------------------------------------------------------------------------------------------
fs.mkdirSync(pictures, { recursive: true });
for (const [width, scheme] of [[1400, "light"], [1400, "dark"], [420, "light"]]) {
  const narrow = await open(width, scheme);
  expect(await narrow.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width} px: the page is wider`);
  await narrow.screenshot({ path: `${pictures}/lab-${width}-${scheme}.png`, fullPage: true });
  await narrow.close();
}
await browser.close();
process.exit(failures ? 1 : 0);
