// SPDX-License-Identifier: Apache-2.0
// Usage: node site.mjs PLAYWRIGHT CHROMIUM SITE
// The documents as a site (scripts/site.sh), as a reader uses it: the search finds a page, every page of the
// navigation is there without errors, and every link and picture of a page leads to a file of the site.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, chromium_path, site] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright));

let failures = 0;
const expect = (holds, what) => {
  if (!holds) {
    console.error(`site: ${what}`);
    failures++;
  }
};

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const server = http.createServer((request, response) => {
  const file = path.join(site, new URL(request.url, "http://site").pathname);
  if (!file.startsWith(site) || !fs.existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "Content-Type": types[path.extname(file)] || "application/octet-stream" });
  response.end(fs.readFileSync(file));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const root = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
const problems = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("request", (request) => { if (!request.url().startsWith(root) && !request.url().startsWith("data:")) problems.push(`asks for ${request.url()}`); });

await page.goto(root + "index.html");
const pages = await page.$$eval(".md-nav--primary a.md-nav__link[href]", (links) => links.map((link) => link.href.split("#")[0]));
expect(new Set(pages).size > 35, `${new Set(pages).size} pages in the navigation`);
for (const address of new Set(pages)) {
  const answer = await page.goto(address);
  expect(answer.ok(), `${address} is not there`);
  const targets = await page.$$eval(".md-content a[href], .md-content img[src]", (nodes) => nodes.map((node) => node.href || node.src));
  for (const target of targets.filter((target) => target.startsWith(root))) {
    const [file, anchor] = target.slice(root.length).split("#");
    expect(fs.existsSync(path.join(site, decodeURI(file))), `${address} leads to ${target}`);
    if (anchor && file.endsWith(".html")) {
      expect(fs.readFileSync(path.join(site, file), "utf8").includes(`id="${anchor}"`), `${address} leads to ${target}`);
    }
  }
}

await page.goto(root + "index.html?q=checkpoint");
await page.waitForSelector(".md-search-result__item a", { timeout: 20000 });
const found = await page.$$eval(".md-search-result__item a", (links) => links.map((link) => link.href));
expect(found.some((link) => link.includes("checkpoints.html")), `the search for checkpoint finds ${found.slice(0, 5)}`);
expect(problems.length === 0, problems.slice(0, 5).join("; "));

await browser.close();
server.close();
process.exit(failures === 0 ? 0 : 1);
