// Ties a square knot on Practice at a human's pace by mouse and keys, or with fingers alone on a tablet, in a real browser:
// ten seeds, each with its own pace (about 30 s a throw), trembling by 2 px, and rests of up to 1.5 s. When the card does
// not say that a throw is there, the throw is tied once more, as the guide says. Prints a line for each, and how many
// became square.
//
//     npm run human [-- [--touch] FIRST LAST]

import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { Person, unhurried } from "./person.mjs";
import { root, startServer } from "./server.mjs";
import { TouchPerson } from "./touch.mjs";

const words = process.argv.slice(2);
const isTouch = words.includes("--touch");
const [first = 0, last = 9] = words.filter((word) => !word.startsWith("--")).map(Number);
const screen = isTouch ? { width: 1024, height: 768 } : { width: 1280, height: 720 };
const browser = await launchBrowser();
if (!browser) throw new Error("there is no chromium here");
let square = 0;
for (let seed = first; seed <= last; seed++) {
  const server = startServer({ recordings: path.join(root, "build/page-tests") });
  const page = await (await browser.newContext({ viewport: screen, hasTouch: isTouch })).newPage();
  page.setDefaultTimeout(180000);
  const person = new (isTouch ? TouchPerson : Person)(page, unhurried(seed));
  let told;
  try {
    await person.open(await server.address);
    await person.closeEyes();
    await person.lookFromTop();
    await person.advance(500);
    const one = await person.tieUntil(1, "overhand", "No knot");
    const between = (await person.frame()).time;
    const two = one === "overhand" ? await person.tieUntil(0, "square", "overhand") : "";
    square += two === "square" ? 1 : 0;
    told = `${one} after ${between.toFixed(0)} s, ${two} after ${(await person.frame()).time.toFixed(0)} s`;
  } catch (error) {
    told = error.message.split("\n")[0];
  }
  console.log(`seed ${seed}: ${told}`);
  await page.context().close();
  await server.stop();
}
await browser.close();
console.log(`${square} of ${last - first + 1} are square knots`);
process.exit(square >= 0.9 * (last - first + 1) ? 0 : 1);
