// How long the progress page of many attempts takes to open: from its address to the curve, median of nine. The logbook is
// filled by a program of the tests, which writes attempts until it is ended.
//
//     npm run bench-progress [-- ATTEMPTS]

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { launchBrowser } from "../e2e/browser.mjs";
import { root, startServer } from "../e2e/server.mjs";

const wanted = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(path.join(tmpdir(), "catgut-progress-"));
const logbook = path.join(folder, "book.db");

/** The program tells a line for each attempt that it has finished. */
async function fill() {
  const writer = spawn(path.join(root, "build/release/tests/app/fixture_logbook"), [logbook]);
  let count = 0;
  writer.stdout.on("data", (chunk) => {
    count += String(chunk).split("\n").length - 1;
    if (count >= wanted) writer.kill();
  });
  await new Promise((resolve, reject) => {
    writer.on("error", reject);
    writer.on("close", resolve);
  });
}

await fill();
const browser = await launchBrowser();
if (!browser) throw new Error("there is no chromium here");
const server = startServer({ recordings: folder, logbook });
const page = await browser.newPage();
await page.goto(`${await server.address}#/`);
await page.locator(".doors").waitFor();
const times = [];
for (let i = 0; i < 9; i++) {
  times.push(
    await page.evaluate(async () => {
      const begun = performance.now();
      location.hash = "#/progress/ann";
      while (!document.querySelector(".learning svg")) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - begun;
    }),
  );
  await page.evaluate(() => (location.hash = "#/"));
  await page.locator(".doors").waitFor();
}
const told = await page.evaluate(() => (location.hash = "#/progress/ann"));
await page.locator(".curve-card").waitFor();
console.log(`${told}: ${await page.locator(".curve-card .faint").first().textContent()}`);
times.sort((a, b) => a - b);
console.log(`opens in ${times[4].toFixed(0)} ms, median of ${times.length} (${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)})`);
await browser.close();
await server.stop();
rmSync(folder, { recursive: true });
