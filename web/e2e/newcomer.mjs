// A newcomer's first square knot, from the home page to a score, in a real browser by mouse and keys as the guide says: a
// name, the curriculum, the briefing, Begin, the way of the expert's hands looked at from the front around the post where
// that stands in this attempt, letting go, the result. Prints what the result says.
//
//     npm run newcomer [-- [--slow] [FOLDER]]    pictures of each step go there; default build/page-tests

import { mkdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { Person } from "./person.mjs";
import { root, startServer } from "./server.mjs";

/** mm of the cord; N at which a throw is tight */
const LENGTH = 240;
const TIGHT = 0.3;
/** 50 mm/s, a hand that trembles by 2 px, and rests of up to half a second; slowly: half as fast, rests twice as long */
let state = 7919;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const words = process.argv.slice(2);
const slowness = words.includes("--slow") ? 2 : 1;
const manner = { steps: 120 * slowness, tremble: 2, rest: 500 * slowness, random };
const folder = path.resolve(words.find((word) => !word.startsWith("--")) ?? path.join(root, "build/page-tests"));
mkdirSync(folder, { recursive: true });

/** Looking from the front: a drag goes right and up, the wheel away. Places are in lengths of the cord from the post. */
class Newcomer extends Person {
  async findPost() {
    this.post = await this.page.evaluate(() => {
      const { frame, scene } = window.catgut.simulation;
      const place = scene.shapes.findIndex(({ name }) => name === "post");
      return frame.shapes.find(({ shape }) => shape === place).position.map((value) => 1000 * value);
    });
  }

  async goAway(place, goal) {
    for (let notch = 0; notch < 60; notch++) {
      const { told, scale } = await this.look(place);
      const left = (goal - told[1]) / (0.12 * scale);
      if (Math.abs(left) < 4) return;
      await this.page.mouse.wheel(0, Math.max(Math.min(-left, 100), -100));
      await this.blink();
      await this.advance(this.manner.steps / 3);
    }
  }

  async goTo(place, goal) {
    const [x, y, z] = goal.map((value, k) => LENGTH * value + this.post[k]);
    await this.chooseHand(place);
    await this.goAway(place, y);
    const { told } = await this.look(place);
    await this.drag(place, x - told[0], z - told[2]);
  }

  /** Both hands, a little with each in turn, until the cord pulls. */
  async goTogether(left, right, pieces, isPull = false) {
    const from = [(await this.look(0)).told, (await this.look(1)).told].map((at) => at.map((value, k) => (value - this.post[k]) / LENGTH));
    const part = (hand, to, share) => to.map((value, k) => from[hand][k] + share * (value - from[hand][k]));
    for (let piece = 1; piece <= pieces; piece++) {
      await this.goTo(0, part(0, left, piece / pieces));
      await this.goTo(1, part(1, right, piece / pieces));
      if (isPull && Math.hypot(...(await this.hand(1)).force) > TIGHT) break;
    }
    await this.rest();
  }

  /** One throw: `s` is 1 for the first, in which the left hand goes to the right, and -1 for its mirror image. */
  async tie(s, down, above) {
    await this.goTogether([-0.08 * s, 0, down], [0.08 * s, 0, down], 4);
    await this.goTogether([0, -0.04, down], [0, 0.04, down], 2);
    await this.goTogether([0.12 * s, -0.04, down + 0.04], [-0.12 * s, 0, down + 0.02], 2);
    await this.goTo(0, [0.12 * s, 0.08, -0.2]);
    await this.goTo(0, [0, 0.08, above]);
    await this.goTo(0, [0, -0.1, above]);
    await this.goTo(0, [0.15 * s, -0.1, -0.15]);
    await this.goTogether([0.48 * s, 0, -0.06], [-0.48 * s, 0, -0.06], 12, true);
  }
}

const browser = await launchBrowser();
if (!browser) throw new Error("there is no chromium here");
const server = startServer({ recordings: folder, logbook: path.join(folder, `newcomer-${process.pid}.db`) });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
page.setDefaultTimeout(180000);
const person = new Newcomer(page, manner);
const take = async (name) => {
  const isWithPicture = await page.evaluate(() => document.body.dataset.place !== "none");
  if (isWithPicture) await person.openEyes();
  await page.screenshot({ path: path.join(folder, `newcomer-${name}.jpg`), type: "jpeg", quality: 84, timeout: 120000 });
  if (isWithPicture) await person.closeEyes();
};
try {
  await page.goto(`${await server.address}?lockstep&quality=low&theme=light`);
  await page.locator("#trainee-name").fill("Newcomer");
  await page.keyboard.press("Enter");
  await page.locator("nav a", { hasText: "Tasks" }).click();
  await page.locator('[data-task="square-knot"]').click();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForFunction(() => document.body.dataset.place === "attempt" && window.catgut.simulation.frame?.recording === 1);
  await person.closeEyes();
  await person.findPost();
  console.log(`the post is at ${person.post.map((value) => value.toFixed(1)).join(", ")} mm`);
  await page.keyboard.press("Digit3");
  await person.advance(50);
  await take("begun");
  await person.tie(1, -0.34, -0.1);
  console.log(`first throw at ${(await person.frame()).time.toFixed(1)} s: ${await person.named()}`);
  await take("first-throw");
  await person.tie(-1, -0.32, -0.12);
  console.log(`second throw at ${(await person.frame()).time.toFixed(1)} s: ${await person.named()}`);
  await take("second-throw");
  await page.keyboard.press("KeyF");
  await page.keyboard.press("KeyH");
  for (let i = 0; i < 20 && !page.url().includes("#/result/"); i++) await person.advance(200).catch(() => undefined);
  if (!page.url().includes("#/result/")) await page.getByRole("button", { name: "Finish" }).click();
  await page.locator(".verdict").waitFor();
  await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3); // the replay is there
  console.log((await page.locator("#pages main").first().innerText()).split("\n").filter(Boolean).join(" | "));
} catch (error) {
  console.log(error.message.split("\n")[0]);
  process.exitCode = 1;
}
await take("result");
await browser.close();
await server.stop();
