// The pace of things: what is held down goes by the time of the world, lessons wait for who reads them.

import assert from "node:assert/strict";
import { misplaced, screens } from "./troubles.mjs";

/** pictures that a slow world leaves the page to draw without a step */
const PICTURES = 20;

/** Where a hand was told to be, mm, and how fast held keys move it, mm/s. */
function told(page, place) {
  return page.evaluate((hand) => {
    const { app, simulation } = window.catgut;
    app.drivers.hands[hand].begin(simulation.frame.hands[hand]);
    return { x: app.drivers.hands[hand].command.x, z: app.drivers.hands[hand].command.z, speed: app.input.handSpeed() };
  }, place);
}

export const tests = {
  "moves hands by held keys and buttons as far as the world goes on, however many pictures are drawn": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      await person.advance(100);
      const before = await told(page, 1);
      await page.keyboard.down("KeyJ");
      for (let picture = 0; picture < PICTURES; picture++) await person.blink();
      assert.equal((await told(page, 1)).x, before.x, "it waits for the world");
      const places = [];
      for (let look = 0; look < 10; look++) {
        await person.advance(40);
        places.push(1000 * (await person.hand(1)).target[0]);
      }
      await page.keyboard.up("KeyJ");
      for (let picture = 0; picture < PICTURES; picture++) await person.blink();
      const way = before.x - (await told(page, 1)).x;
      assert.ok(Math.abs(way - 0.4 * before.speed) < 0.5, `${way} mm in 0.4 s at ${before.speed} mm/s`);
      // in no jumps: a look later it is where it was told to be a look before, so at most two strides come at once
      const strides = places.slice(2).map((x, k) => places[k + 1] - x);
      for (const stride of strides) {
        assert.ok(stride > -0.1 && stride < 2.1 * 0.04 * before.speed, `strides of ${strides} mm at ${before.speed} mm/s`);
      }
      // the arrow of a card
      const button = await page.locator(".hand.right [title^='Lift']").boundingBox();
      await page.mouse.move(button.x + button.width / 2, button.y + button.height / 2);
      await page.mouse.down();
      await person.blink();
      await page.waitForTimeout(400); // a press that is held is no tap
      await person.blink();
      const pressed = await told(page, 1);
      for (let picture = 0; picture < PICTURES; picture++) await person.blink();
      assert.equal((await told(page, 1)).z, pressed.z, "it waits for the world, too");
      await person.advance(200);
      const lifted = (await told(page, 1)).z - pressed.z;
      await page.mouse.up();
      assert.ok(Math.abs(lifted - 0.5 * 0.2 * pressed.speed) < 0.5, `lifted by ${lifted} mm in 0.2 s`);
      await person.openEyes();
    },
  },

  "lists lessons in groups, waits at each step for who wants to read, and covers nothing": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.getByTitle("Watch a script with explanations").click();
      const headings = await page.locator("dialog[open] h3").allTextContents();
      assert.deepEqual(headings.slice(0, 2), ["Do it yourself", "Watch: knots by two hands"]);
      assert.ok(!headings.includes("Watch: more"), "every lesson has its place");
      await page.locator('dialog[open] [data-name="square"]').click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.script === 1);
      await page.evaluate(() => window.catgut.simulation.order({ type: "lockstep", on: 0 }));
      await page.evaluate(() => window.catgut.simulation.order({ type: "go" }));
      const stepwise = page.getByTitle("Wait before each step, so that there is time to read");
      const next = page.getByTitle("Go on with this step");
      await stepwise.click();
      const told = [];
      for (let step = 0; step < 3; step++) {
        await next.waitFor({ state: "visible" });
        told.push(await page.locator(".lesson strong").textContent());
        const before = await page.evaluate(() => window.catgut.simulation.frame.step);
        for (let picture = 0; picture < PICTURES; picture++) await person.blink();
        assert.equal(await page.evaluate(() => window.catgut.simulation.frame.step), before, "it waits");
        if (step === 0) {
          for (const [width, height] of screens) {
            await page.setViewportSize({ width, height });
            await person.blink();
            assert.deepEqual(await page.evaluate(misplaced), [], `${width} x ${height}`);
          }
          await page.setViewportSize({ width: 1280, height: 720 });
        }
        if (step === 2) break;
        await next.click();
        await page.waitForFunction((last) => document.querySelector(".lesson strong").textContent !== last, told[step]);
      }
      assert.equal(new Set(told).size, 3, `three steps: ${told}`);
      await stepwise.click(); // no longer: it goes on by itself
      await page.waitForFunction(() => !window.catgut.simulation.isPaused);
      await next.waitFor({ state: "hidden" });
    },
  },

  "says how a hand is moved until one was, and not in a lesson or to one who only watches": {
    async run({ page, person, address, browser }) {
      await person.open(address);
      await person.closeEyes();
      const hint = page.locator(".hint");
      const left = () => page.evaluate(() => JSON.parse(localStorage.getItem("catgut.settings")).hints);
      await person.advance(20);
      assert.match(await hint.textContent(), /^Drag to move the right hand; the wheel lifts and lowers it/);
      await page.keyboard.press("Digit3"); // from the front the wheel does something else
      await person.advance(20);
      assert.match(await hint.textContent(), /away and nearer/);
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height });
        await person.blink();
        assert.deepEqual(await page.evaluate(misplaced), [], `${width} x ${height}`);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
      const before = await left();
      await person.drag(1, -5, 3);
      await person.advance(20);
      assert.equal(await hint.isVisible(), false);
      assert.equal(await left(), before - 1);
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      const viewer = await context.newPage();
      const session = await page.evaluate(() => window.catgut.simulation.session);
      await viewer.goto(`${address}?quality=low#/watch/${session}`);
      await viewer.locator(".role-chip").getByText("Watching").waitFor();
      assert.equal(await viewer.locator(".hint").isVisible(), false);
      await context.close();
      await page.getByTitle("Watch a script with explanations").click();
      await page.locator('dialog[open] [data-name="overhand"]').click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.script === 1);
      await person.advance(20);
      assert.equal(await hint.isVisible(), false);
    },
  },
};
