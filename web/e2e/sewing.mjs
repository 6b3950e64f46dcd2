// Tests in the browser: a needle in jaws, by mouse and keys alone.

import assert from "node:assert/strict";
import { handOver, Surgeon } from "./needle.mjs";

export const tests = {
  "hands a needle over: picks it up at a chosen place, turns it, gives it to the other driver and lays it down": {
    server: { scene: "scenes/handover.json" },
    async run({ page, address }) {
      const person = new Surgeon(page);
      await person.open(address);
      await person.closeEyes();
      const before = await person.needle();
      const seen = {};
      await handOver(person, 0.3, 0.7, async (name) => {
        seen[name] = { held: await person.held(), needle: await person.needle(), shares: await person.shares() };
      });
      assert.deepEqual(
        Object.entries(seen).map(([name, { held }]) => `${name}: ${held.join(" and ")}`),
        ["taken: right", "lifted: right", "taken over: left and right", "handed over: left", "laid down: left", "done: "],
      );
      assert.ok(Math.abs(seen.taken.shares[1] - 0.3) < 0.06, `at ${seen.taken.shares[1]} of its arc`);
      assert.ok(Math.abs(seen["handed over"].shares[0] - 0.7) < 0.06, `at ${seen["handed over"].shares[0]}`);
      assert.ok(seen.lifted.needle.tip[2] > 20 && seen.lifted.needle.end[2] > 20, "off the table");
      const way = ({ tip, centre }) => Math.atan2(tip[1] - centre[1], tip[0] - centre[0]);
      assert.ok(Math.abs(way(seen.lifted.needle) - way(before)) > 0.5, "turned");
      assert.ok(seen.done.needle.tip[2] < 0.6 && seen.done.needle.end[2] < 0.6, "lies on the table");
      await person.openEyes();
    },
  },
  "looks through the laparoscope, which goes on with its hand until the camera is moved": {
    server: { scene: "scenes/port.json" },
    async run({ page, address }) {
      const person = new Surgeon(page);
      await person.open(address);
      const look = () =>
        page.evaluate(() => {
          const { app, simulation } = window.catgut;
          const { rig, hands } = app.stage;
          const tip = simulation.frame.hands[2].position.map((metres) => 1000 * metres);
          return { tip, off: rig.camera.position.distanceTo(rig.target.clone().fromArray(tip)), drawn: hands.group.children.map(({ visible }) => visible) };
        });
      await page.getByRole("button", { name: "Scope" }).click();
      await person.advance(200);
      await person.chooseHand(2);
      const before = await look();
      await page.mouse.move(640, 360);
      await page.mouse.wheel(0, 60); // further in
      await person.blink();
      await person.advance(300);
      const seen = await look();
      assert.ok(Math.hypot(...seen.tip.map((each, k) => each - before.tip[k])) > 0.3, "the hand was moved");
      assert.ok(seen.off < 1e-3, `the camera is ${seen.off} mm from the tip`);
      assert.deepEqual(seen.drawn, [true, true, false]);
      await person.openEyes();
      await page.keyboard.press("Digit6");
      await person.advance(20);
      assert.deepEqual((await look()).drawn, [true, true, true]);
    },
  },
  "shows the card of a third hand when it is chosen, under its own name": {
    server: { scene: "scenes/one-stitch.json" },
    async run({ page, person, address }) {
      await person.open(address);
      const cards = page.locator(".hand.card:visible");
      assert.deepEqual(await cards.locator(".title").allTextContents(), ["Left", "Right"]);
      for (const [chosen, onTheRight] of [["left", "Right"], ["tail", "Tail"], ["right", "Right"]]) {
        await page.keyboard.press("KeyX"); // the next one
        const card = page.locator(`.hand.card[data-active=true][aria-label="${chosen} hand" i]`);
        await card.waitFor();
        assert.deepEqual(await cards.locator(".title").allTextContents(), ["Left", onTheRight]);
        const titles = await card.locator(".title, .buttons button").evaluateAll((all) => all.map(({ title }) => title));
        assert.equal(titles.length, 5);
        assert.deepEqual(titles.filter((title) => !title.includes(`the ${chosen} hand`)), [], `buttons of ${chosen}`);
      }
    },
  },
};
