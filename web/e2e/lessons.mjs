// Every lesson of the page, started again and again in a real browser, paused first or not, until its end: its script
// must come to its end, which expects its knot. Prints a line for each, and how many went well.
//
//     npm run lessons [-- TIMES [NAME...]]    default 10 times, and all of them

import os from "node:os";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { root, startServer } from "./server.mjs";

/** faster than real time, as fast as the machine goes */
const HASTE = 10;
/** s that a world may stand still before a lesson counts as one that hangs; a long one on a busy machine takes minutes */
const PATIENCE = 180;

/** Starts a lesson by its button, after a pause or not; what its end says, or why it failed. */
export async function finishLesson(page, name, isPaused) {
  await page.evaluate(() => {
    window.lessonEnd = undefined;
    window.catgut.app.view.isDrawing = false;
  });
  await page.evaluate((paused) => window.catgut.simulation.order({ type: paused ? "pause" : "go" }), isPaused);
  await page.getByTitle("Watch a script with explanations").click();
  await page.locator(`dialog[open] [data-name="${name}"]`).click();
  const look = () => page.evaluate(() => [window.lessonEnd, window.catgut.simulation.frame?.step]);
  let [end, step] = await look();
  for (let since = Date.now(); end === undefined && Date.now() - since < 1000 * PATIENCE; ) {
    await page.waitForFunction(() => window.lessonEnd !== undefined, undefined, { timeout: 1000 }).catch(() => undefined);
    const before = step;
    [end, step] = await look();
    if (step !== before) since = Date.now();
  }
  return end ?? `it hangs at step ${step}`;
}

/** From now on notes how lessons end, and lets the world run as fast as it can. */
export async function watchLessons(page) {
  await page.evaluate((factor) => {
    const SCRIPT_END = 4,
      SCRIPT_ERROR = 5;
    window.catgut.simulation.listen({
      onEvent: ({ kind, message }) => {
        if (kind === SCRIPT_END || kind === SCRIPT_ERROR) window.lessonEnd = message;
      },
    });
    // a browser that shows each frame takes more of the machine than the lesson does
    const rare = window.catgut.simulation.order({ type: "watch", rate: 4 });
    return rare.then(() => window.catgut.simulation.order({ type: "slow_motion", factor }));
  }, HASTE);
}

export const lessonNames = (page) =>
  page
    .locator("dialog .list [data-name]")
    .evaluateAll((items) => items.map((item) => item.dataset.name).filter((name) => name !== "guided"));

async function main(times, wanted) {
  const browser = await launchBrowser();
  if (!browser) throw new Error("there is no chromium here");
  const server = startServer({ recordings: path.join(root, "build/page-tests") });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(300000);
  await page.goto(`${await server.address}?quality=low#/lab`);
  await page.waitForFunction(() => window.catgut?.simulation.hasHands);
  await watchLessons(page);
  let well = 0,
    all = 0;
  for (const name of (await lessonNames(page)).filter((each) => wanted.length === 0 || wanted.includes(each))) {
    const ends = [],
      load = os.loadavg()[0];
    const began = Date.now();
    for (let start = 0; start < times; start++) ends.push(await finishLesson(page, name, start % 2 === 1));
    const each = `${((Date.now() - began) / 1000 / times).toFixed(0)} s each`;
    const good = ends.filter((end) => end === "the script is over").length;
    well += good;
    all += times;
    const busy = `load ${load.toFixed(0)} to ${os.loadavg()[0].toFixed(0)}`;
    console.log(`${name}: ${good} of ${times}, ${each}, ${busy}${good < times ? ` (${ends.find((end) => end !== "the script is over")})` : ""}`);
  }
  await browser.close();
  await server.stop();
  console.log(`${well} of ${all} lessons came to their end`);
  return well === all;
}

if (process.argv[1] === path.join(root, "web/e2e/lessons.mjs")) {
  const isGood = await main(Number(process.argv[2] ?? 10), process.argv.slice(3));
  process.exit(isGood ? 0 : 1);
}
