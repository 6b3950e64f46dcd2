// How long the page takes from its opening to its first picture, on loopback: each time in a browser of its own that has
// seen no page, so that neither files nor shaders are cached; a headless Chromium without a graphics card. By the clock of
// the page, from the start of the navigation to the marks that the page leaves on its way (docs/user-guide.md), and to the
// moment at which the pixels of the picture are there; and the CPU time of all processes of the browser.
//
//     npm run bench-opening [-- TIMES] [SCENE.json] [PROGRAM...]    several programs are opened in turn

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cpuSeconds, launchBrowser } from "../e2e/browser.mjs";
import { startServer, usualProgram } from "../e2e/server.mjs";

const STAGES = ["script", "loaded", "made", "first picture"];
const words = process.argv.slice(2);
const times = Number(words.find((word) => /^\d+$/.test(word)) ?? 9);
const scene = words.find((word) => word.endsWith(".json")) ?? "scenes/practice.json";
const programs = words.filter((word) => !/^\d+$|\.json$/.test(word)).map((program) => path.resolve(program));
if (programs.length === 0) programs.push(usualProgram);

/** Notes when the first picture is there to its last pixel: reading one waits for all drawing before it. Runs in the
    page, before its own code. */
function notePixels() {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("catgut: first picture").length === 0) return;
    const gl = document.querySelector("canvas").getContext("webgl2");
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    window.pixelsAt = performance.now();
  }).observe({ entryTypes: ["mark"] });
}

/** s from the start of the navigation to each stage and to the pixels, and of CPU. */
async function open(address) {
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  page.setDefaultTimeout(180000);
  await page.addInitScript(notePixels);
  const before = await cpuSeconds(browser);
  await page.goto(`${address}#/lab`);
  await page.waitForFunction(() => window.pixelsAt !== undefined);
  const cpu = (await cpuSeconds(browser)) - before;
  const moments = await page.evaluate(
    (names) => [...names.map((name) => performance.getEntriesByName(`catgut: ${name}`)[0].startTime), window.pixelsAt],
    STAGES,
  );
  await browser.close();
  return { moments: moments.map((moment) => moment / 1000), cpu };
}

const middleOf = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const browser = await launchBrowser();
if (!browser) {
  console.log("no chromium here, so nothing was opened");
  process.exit(0);
}
await browser.close();
const recordings = mkdtempSync(path.join(os.tmpdir(), "catgut-bench-"));
const servers = programs.map((program) => startServer({ scene, recordings, program }));
const openings = programs.map(() => []);
for (let time = 0; time < times; time++) {
  for (const [place, server] of servers.entries()) openings[place].push(await open(await server.address));
}
for (const server of servers) await server.stop();
rmSync(recordings, { recursive: true });
for (const [place, program] of programs.entries()) {
  if (programs.length > 1) console.log(path.relative(process.cwd(), program));
  for (const [stage, name] of [...STAGES, "its pixels"].entries()) {
    const values = openings[place].map(({ moments }) => moments[stage]);
    const [middle, least, most] = [middleOf(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
    console.log(`  ${name}: ${middle} s (${least} to ${most})`);
  }
  console.log(`  CPU until then: ${middleOf(openings[place].map(({ cpu }) => cpu)).toFixed(2)} s`);
}
console.log(`load ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
