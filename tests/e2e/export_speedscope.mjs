// SPDX-License-Identifier: Apache-2.0
// Usage: node export_speedscope.mjs PLAYWRIGHT CHROMIUM SPEEDSCOPE FILE...
// Opens each file in speedscope (headless Chromium), has speedscope save what it has understood, and
// prints it: "FILE<tab>PROFILE<tab>FUNCTION<tab>WEIGHT" with the weight of each function itself.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, chromium_path, speedscope, ...files] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright));
const browser = await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

// Weights of the innermost functions, from stacks or from what opens and closes.
const own_weights = (profile, frames) => {
  const own = new Map();
  const add = (frame, weight) => own.set(frames[frame].name, (own.get(frames[frame].name) || 0) + weight);
  if (profile.type === "sampled") {
    profile.samples.forEach((stack, i) => { if (stack.length) add(stack[stack.length - 1], profile.weights[i]); });
    return own;
  }
  const open = [];
  let last = profile.startValue;
  for (const event of profile.events) {
    if (open.length) add(open[open.length - 1], event.at - last);
    last = event.at;
    if (event.type === "O") open.push(event.frame);
    else open.pop();
  }
  return own;
};

for (const file of files) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(pathToFileURL(speedscope).href);
  await page.setInputFiles("input[type=file]", file);
  await page.waitForFunction(() => document.body.innerText.includes("Left Heavy"), null, { timeout: 20000 });
  await page.waitForTimeout(300);
  const saved = page.waitForEvent("download", { timeout: 20000 });
  await page.keyboard.press("Control+s");
  const document_ = JSON.parse(fs.readFileSync(await (await saved).path(), "utf8"));
  for (const profile of document_.profiles)
    for (const [name, weight] of own_weights(profile, document_.shared.frames))
      console.log([path.basename(file), profile.name, name, weight].join("\t"));
  await page.close();
}
await browser.close();
