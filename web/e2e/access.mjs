// For everybody: what axe-core finds on the main screens, and a knot by keys alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules that axe calls minor and we keep all the same: parts of the page have their place, and links lead somewhere. */
const kept = ["aria-allowed-role", "region", "skip-link", "landmark-one-main", "landmark-unique"];

/** What is wrong and matters, a line each. */
export async function seriousFindings(page) {
  await page.evaluate(axe);
  return page.evaluate(async (kept) => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    const isBad = ({ id, impact }) => impact === "serious" || impact === "critical" || kept.includes(id);
    return violations.filter(isBad).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
  }, kept);
}

/** Opens a dialog, looks at it, and closes it. */
async function inDialog(page, open, look) {
  await open();
  await page.locator("dialog[open]").waitFor();
  await look();
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" }).catch(() => undefined);
}

/** The keys of each hand, seen from the top: to the left, right, away, towards, up, down. */
const keys = [
  ["KeyA", "KeyD", "KeyW", "KeyS", "KeyQ", "KeyE"],
  ["KeyJ", "KeyL", "KeyI", "KeyK", "KeyU", "KeyO"],
];
/** mm: near enough */
const NEAR = 2;
/** steps of the world from one picture to the next, and s of it that one looks for something */
const STEPS_OF_PICTURE = 20;
const PATIENCE = 4;

/** A hand goes to a place by its keys, one axis after the other as a beginner does. What is held moves a hand in the time
    of the world, so how busy the machine is changes nothing. */
class KeyPerson {
  constructor(page, person) {
    this.page = page;
    this.person = person;
  }

  /** Holds a key until the hand was told to be beyond a place. */
  async hold(hand, axis, goal) {
    const from = (await this.told(hand))[axis];
    const way = Math.sign(goal - from);
    if (Math.abs(goal - from) < NEAR) return;
    const key = keys[hand][[0, 3, 5][axis] + (way > 0 ? [1, -1, -1][axis] : 0)];
    await this.page.keyboard.down(key);
    for (let picture = 0; way * (goal - (await this.told(hand))[axis]) > 0.5 * NEAR; picture++) {
      assert.ok(picture < 1000, `hand ${hand} does not come to ${goal} by ${key}`);
      await this.person.advance(STEPS_OF_PICTURE);
    }
    await this.page.keyboard.up(key);
  }

  async told(hand) {
    return (await this.person.look(hand)).told;
  }

  /** Height first, then along the table. */
  async go(hand, [x, y, z]) {
    await this.hold(hand, 2, z);
    await this.hold(hand, 1, y);
    await this.hold(hand, 0, x);
    await this.look(
      ([place, near]) => {
        const { position, target } = window.catgut.simulation.frame.hands[place];
        return Math.hypot(...position.map((value, k) => value - target[k])) < near;
      },
      [hand, 0.004],
    );
  }

  /** Waits until something is seen, as long as a person would: what it is, or undefined. */
  async look(see, words) {
    for (let time = 0; time < PATIENCE; time += 0.001 * STEPS_OF_PICTURE) {
      const seen = await this.page.evaluate(see, words);
      if (seen) return seen;
      await this.person.advance(STEPS_OF_PICTURE);
    }
    return undefined;
  }

  middle() {
    return this.look(() => {
      const { middleOfLoop, simulation } = window.catgut;
      return middleOfLoop(simulation.frame.threads[0].positions, false);
    });
  }

  /** The right end over the left strand, back under it, up through the loop, out, and both apart. Without a loop to go
      through one begins anew. */
  async tieThrow() {
    await this.go(0, [-48, -85, 25]);
    await this.go(1, [30, -75, 40]);
    await this.go(1, [-66, -62, 40]);
    const first = await this.middle();
    if (!first) return;
    await this.go(1, [-58, first[1], 40]);
    await this.go(1, [-55, first[1], 8]);
    const middle = await this.middle();
    if (!middle) return;
    const [x, y] = middle;
    await this.go(1, [x, y, 8]);
    await this.go(1, [x, y, 45]);
    await this.go(1, [45, y - 12, 45]);
    for (let out = 60; out <= 92; out += 8) {
      await this.go(0, [-out, -55, 25]);
      await this.go(1, [out, -55, 25]);
    }
  }
}

export const tests = {
  "axe finds nothing serious on the main screens, light and dark, large and small": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      const found = [];
      for (const [theme, width, height] of [["light", 1280, 720], ["dark", 1280, 720], ["light", 390, 844]]) {
        await page.setViewportSize({ width, height });
        await person.open(address, `lockstep&quality=low&theme=${theme}`);
        await person.advance(5);
        await person.closeEyes();
        const look = (where) => async () => {
          for (const finding of await seriousFindings(page)) found.push(`${where}, ${theme}, ${width}: ${finding}`);
        };
        await look("the page")();
        if (width < 860) {
          await page.getByTitle("Views, switches and controls").click();
          await look("more")();
        } else {
          await page.keyboard.press("KeyC");
          await look("charts")();
          await page.keyboard.press("KeyC");
        }
        if (width < 860) continue;
        await inDialog(page, () => page.keyboard.press("F1"), look("help"));
        await inDialog(page, () => page.getByTitle("Controls: look and change").click(), look("controls"));
        await inDialog(page, () => page.locator(".scene-button").click(), look("scenes"));
        await inDialog(page, () => page.getByTitle("Watch a script with explanations").click(), look("lessons"));
        await inDialog(page, () => page.getByTitle("Open a recording").click(), look("recordings"));
      }
      assert.deepEqual(found, []);
      await person.openEyes();
    },
  },

  "ties an overhand by keys alone": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      // the focus is on a button all the while: keys of hands are not its keys
      const focused = () => page.evaluate(() => document.activeElement.tagName);
      for (let tab = 0; tab < 10 && (await focused()) !== "BUTTON"; tab++) await page.keyboard.press("Tab");
      assert.equal(await focused(), "BUTTON");
      await page.keyboard.press("Digit4");
      const keyPerson = new KeyPerson(page, person);
      let said = "";
      for (let attempt = 0; attempt < 3 && said !== "overhand"; attempt++) {
        await keyPerson.tieThrow();
        said = await person.named();
      }
      assert.equal(said, "overhand");
      await person.openEyes();
    },
  },
};
