// The page in a real browser, without a screen, in lockstep with the server. Prints a line for each test; pictures of
// all go to build/page-tests. Exit code 77: there is no browser.
//
//     node e2e/run.mjs [PART OF A NAME]

import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { Person } from "./person.mjs";
import { LONGEST, root, startServer } from "./server.mjs";
import { tests as access } from "./access.mjs";
import { tests as devices } from "./devices.mjs";
import { tests as sewing } from "./sewing.mjs";
import { tests as pace } from "./pace.mjs";
import { tests as main } from "./tests.mjs";
import { tests as training } from "./training.mjs";
import { tests as troubles } from "./troubles.mjs";

const folder = path.join(root, "build/page-tests");
// one test beside a whole run leaves what that run needs
if (!process.argv[2]) rmSync(folder, { recursive: true, force: true });

const browser = await launchBrowser();
if (!browser) {
  console.log("page: no chromium here, so its tests in the browser were left out");
  process.exit(77);
}
const wanted = Object.entries({ ...main, ...training, ...troubles, ...access, ...devices, ...sewing, ...pace }).filter(([name]) => name.includes(process.argv[2] ?? ""));
let failed = 0;
for (const [name, test] of wanted) {
  const began = Date.now();
  const picture = name.replace(/\W+/g, "-");
  const recordings = path.join(folder, "recordings", picture); // of this test alone
  rmSync(recordings, { recursive: true, force: true });
  mkdirSync(recordings, { recursive: true });
  const server = startServer({ recordings, ...test.server });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, hasTouch: test.touch ?? false });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  let trouble = "";
  try {
    await test.run({ page, person: new Person(page), server, address: await server.address, recordings, browser });
    const bad = complaints.filter((text) => !(test.mayComplain ?? []).some((pattern) => pattern.test(text)));
    if (bad.length > 0) trouble = `the console says: ${bad.join("; ")}`;
  } catch (error) {
    trouble = error.stack ?? String(error);
    complaints.forEach((text) => (trouble += `\n    console: ${text}`));
  }
  await page.screenshot({ path: path.join(folder, `${picture}.png`) }).catch(() => undefined);
  await context.close();
  await server.stop().catch((error) => (trouble ||= error.message));
  if (trouble) failed++;
  console.log(`${trouble ? "FAILED" : "ok"}  ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (trouble) console.log(trouble.replace(/^/gm, "    "));
}
await browser.close();
console.log(`page: ${wanted.length - failed} of ${wanted.length} tests in the browser passed`);
process.exit(failed > 0 ? 1 : 0);
