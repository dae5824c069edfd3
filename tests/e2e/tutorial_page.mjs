// SPDX-License-Identifier: Apache-2.0
// Usage: node tutorial_page.mjs PLAYWRIGHT CHROMIUM PAGES PICTURES
// What docs/tutorial.md says of the pages in the directory PAGES, and its pictures, which are left in PICTURES.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, chromium_path, pages, pictures] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright));
let failures = 0;
const expect = (holds, what) => {
  if (holds) return;
  console.error(`tutorial_page: ${what}`);
  failures++;
};
const browser = await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const open = async (name) => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1100 }, colorScheme: "light" });
  page.on("pageerror", (error) => expect(false, `${name}: ${error}`));
  await page.goto(pathToFileURL(path.join(pages, name)).href);
  await page.waitForSelector(".tabulator-row.tabulator-selected"); // before, a click on a row may be lost
  await page.addStyleTag({ content: "#code-hint { display: none }" }); // has a path of this machine
  return page;
};
const picture = (locator, name) => locator.screenshot({ path: path.join(pictures, `tutorial-${name}.png`) });
const data_of = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
// [index, value] of the reasons or events of an instruction
const pairs = (list) => Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]);
// A picture resizes the page, and a table that draws its rows anew meanwhile takes no click.
const show = async (page, name) => {
  const shown = async () => (await page.locator("#code-head").innerText()) === `Code of ${name}`;
  for (let tries = 0; tries < 20 && !(await shown()); ++tries) {
    await page.locator(".tabulator-row", { has: page.locator(`text="${name}"`) }).click();
    await page.waitForTimeout(100);
  }
  expect(await shown(), `${name} does not open`);
};
// Share of the function's cycles that its instructions waited for a reason.
const share = (data, name, reason) => {
  const { cycles } = data.functions.find((f) => f.name === name);
  const all = pairs(cycles).reduce((sum, [, value]) => sum + value, 0);
  return pairs(cycles).filter(([index]) => data.reasons[index] === reason).reduce((sum, [, value]) => sum + value, 0) / all;
};

const first = await open("weather.html");
const run = await data_of(first);
await first.screenshot({ path: path.join(pictures, "tutorial-report.png"), clip: { x: 0, y: 0, width: 1100, height: 1010 } });
await show(first, "mean");
await picture(first.locator("#code"), "mean");
expect(share(run, "mean", "l1d_miss") > 0.4, `mean waits ${share(run, "mean", "l1d_miss")} for the data cache`);
expect(share(run, "checksum", "unit") > 0.4, `checksum waits ${share(run, "checksum", "unit")} for units`);

const branches = await open("branches.html");
await show(branches, "heating");
await picture(branches.locator("#code"), "heating");
expect(share(await data_of(branches), "heating", "mispredict") > 0.15, "heating does not wait for branches");

const divisions = await open("divisions.html");
await show(divisions, "checksum");
await picture(divisions.locator("#code"), "checksum");

const gain = await open("mended.html");
const mended = await data_of(gain);
expect((run.cycles / mended.cycles).toFixed(2) === "1.58", `${(run.cycles / mended.cycles).toFixed(2)} times as fast`);
await picture(gain.locator("#difference"), "gain");
await browser.close();
process.exit(failures === 0 ? 0 : 1);
