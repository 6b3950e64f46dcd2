// What one picture of the page costs where there is no graphics card: a pad of 2,766 nodes, a thread of 600 vertices and
// two instruments at 1280 x 720, in a headless Chromium that draws in software. Prints for each setting the CPU time of
// a picture (all processes of the browser, so other work on the machine counts little; frames are shown anew as if they
// had just come), its draw calls and triangles, and the bytes of all textures and drawing buffers that were made. And
// how long the first picture took from the opening of the page, by the clock and in CPU time, with the bytes that came
// before it.
//
//     npm run bench-picture [-- low|high] [PROGRAM...]    default both, and build/release/catgut; several programs are
//                                                         measured one after the other

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { cpuSeconds, launchBrowser } from "../e2e/browser.mjs";
import { root, startServer, usualProgram } from "../e2e/server.mjs";

const ROUNDS = 5;
const PICTURES = { low: 40, high: 6 };
const size = { width: 1280, height: 720 };
const words = process.argv.slice(2);
const settings = Object.keys(PICTURES).filter((name) => words.includes(name));
const programs = words.filter((word) => !(word in PICTURES)).map((program) => path.resolve(program));
if (programs.length === 0) programs.push(usualProgram);

/** Counts the bytes of textures and drawing buffers as they are made. Runs in the page, before its own code. */
function countBytes() {
  const counted = (window.textureBytes = { now: 0 });
  const channel = { 0x1908: 4, 0x1907: 3, 0x1906: 1, 0x1909: 1, 0x1903: 1, 0x8227: 2, 0x1902: 1 };
  const wide = { 0x1406: 4, 0x140b: 2, 0x1405: 4, 0x8368: 4, 0x84fa: 4 };
  // sized formats: bytes of a pixel
  const sized = { 0x8058: 4, 0x8c43: 4, 0x881a: 8, 0x8814: 16, 0x81a5: 2, 0x81a6: 4, 0x8cac: 4, 0x88f0: 4, 0x8229: 1, 0x822d: 2 };
  const prototype = WebGL2RenderingContext.prototype;
  const wrap = (name, bytesOf) => {
    const whole = prototype[name];
    prototype[name] = function (...words) {
      counted.now += bytesOf(words, this) || 0;
      return whole.apply(this, words);
    };
  };
  wrap("texImage2D", (words) => {
    if (words.length === 6) return words[5].width * words[5].height * channel[words[3]];
    return words[3] * words[4] * (sized[words[2]] ?? channel[words[6]] * (wide[words[7]] ?? 1));
  });
  const levels = (words) => Array.from({ length: words[1] }, (_, k) => 4 ** -k).reduce((sum, part) => sum + part, 0);
  wrap("texStorage2D", (words) => words[3] * words[4] * (sized[words[2]] ?? 4) * levels(words));
  wrap("renderbufferStorage", (words) => words[2] * words[3] * (sized[words[1]] ?? 4));
  wrap("renderbufferStorageMultisample", (words) => words[1] * words[3] * words[4] * (sized[words[2]] ?? 4));
}

// An older program keeps what it draws in `app` itself: both are looked at, so that they can be compared.

/** Draws as if a frame had come each time, and waits for the last pixel. Runs in the page. */
function drawPictures(count) {
  const { app, simulation } = window.catgut;
  const { stage } = app;
  const gl = stage.renderer.getContext();
  const pixel = new Uint8Array(4);
  const look = { showTension: true, showTwist: true, stereo: false, showWire: false };
  for (let i = 0; i < count; i++) {
    stage.update(simulation.frame, look, 0, [], []);
    stage.draw(false);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  const { calls, triangles } = stage.renderer.info.render;
  const vertices = simulation.frame.threads[0].positions.length / 3;
  return { calls, triangles, vertices, textureBytes: window.textureBytes.now, width: gl.drawingBufferWidth };
}

async function measure(program, quality) {
  const recordings = mkdtempSync(path.join(os.tmpdir(), "catgut-bench-"));
  const server = startServer({ scene: "web/bench/scene.json", recordings, program });
  const browser = await launchBrowser();
  const page = await (await browser.newContext({ viewport: size })).newPage();
  page.setDefaultTimeout(180000);
  await page.addInitScript(countBytes);
  page.on("pageerror", (error) => console.error(error.message));
  const loaded = [];
  page.on("response", (response) => loaded.push(response.body().catch(() => Buffer.alloc(0))));
  const began = performance.now(),
    cpuBefore = await cpuSeconds(browser);
  await page.goto(`${await server.address}?lockstep&quality=${quality}&theme=light#/lab`);
  await page.waitForFunction(() => Math.max(window.catgut?.app.pictures ?? 0, window.catgut?.app.view?.pictures ?? 0) > 0);
  const firstPicture = performance.now() - began,
    firstCost = (await cpuSeconds(browser)) - cpuBefore;
  const files = await Promise.all(loaded.splice(0));
  const compressed = files.reduce((sum, body) => sum + gzipSync(body).length, 0);
  await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 2);
  await page.evaluate(() => window.catgut.advance(10));
  await page.evaluate(() => {
    const { app } = window.catgut;
    ("isDrawing" in app ? app : app.view).isDrawing = false;
  });
  await page.evaluate(drawPictures, 5);
  const costs = [];
  let facts;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await cpuSeconds(browser);
    facts = await page.evaluate(drawPictures, PICTURES[quality]);
    costs.push((1000 * ((await cpuSeconds(browser)) - before)) / PICTURES[quality]);
  }
  await browser.close();
  await server.stop();
  rmSync(recordings, { recursive: true });
  costs.sort((a, b) => a - b);
  return { ...facts, cost: costs[costs.length >> 1], least: costs[0], most: costs.at(-1), firstPicture, firstCost, compressed };
}

const browser = await launchBrowser();
if (!browser) {
  console.log("no chromium here, so no picture was measured");
  process.exit(0);
}
await browser.close();
for (const quality of settings.length > 0 ? settings : Object.keys(PICTURES)) {
  for (const program of programs) {
    const r = await measure(program, quality);
    const name = `${programs.length > 1 ? `${path.relative(root, program)}, ` : ""}${quality}`;
    console.log(
      `${name}: ${r.cost.toFixed(1)} ms of CPU a picture (${r.least.toFixed(1)} to ${r.most.toFixed(1)}), ` +
        `${r.width} pixels wide, ${r.calls} draw calls, ${r.triangles} triangles, a thread of ${r.vertices} vertices, ` +
        `${(r.textureBytes / 1e6).toFixed(2)} MB of textures and buffers`,
    );
    console.log(
      `${name}: first picture after ${(r.firstPicture / 1000).toFixed(2)} s (${r.firstCost.toFixed(2)} s of CPU), ` +
        `${(r.compressed / 1000).toFixed(0)} kB before it when compressed`,
    );
  }
}
