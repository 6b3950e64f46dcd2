// What a person must be able to do. Each test has a server and a page of its own.

import assert from "node:assert/strict";
import { Person, unhurried } from "./person.mjs";
import { complaintsOfLoss, startServer } from "./server.mjs";

const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
const farthest = (a, b) =>
  Math.max(...Array.from({ length: a.length / 3 }, (_, i) => distance(a.slice(3 * i, 3 * i + 3), b.slice(3 * i, 3 * i + 3))));
const lastVertex = (frame) => frame.threads[0].positions.slice(-3);

export const tests = {
  "opens and shows the scene": {
    async run({ page, person, address }) {
      await person.open(address);
      assert.match(await page.title(), /Practice/);
      assert.equal(await page.locator(".hand").count(), 2);
      assert.equal(await page.locator(".knot .name").textContent(), "No knot");
      await person.advance(10);
      assert.equal((await person.frame()).step, 10);
    },
  },

  "needs one connection and no more than 300 kB for its first picture, and nothing that draws charts": {
    async run({ page, person, address }) {
      let lines = 0;
      page.on("websocket", () => lines++);
      await person.open(address);
      const loaded = await page.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => [name, encodedBodySize]),
      );
      const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
      assert.ok(bytes > 100e3 && bytes < 300e3, `${bytes} bytes`);
      assert.equal(lines, 1);
      const marks = await page.evaluate(() => performance.getEntriesByType("mark").map(({ name }) => name));
      assert.deepEqual(marks, ["script", "loaded", "made", "first picture"].map((name) => `catgut: ${name}`));
      assert.deepEqual(loaded.filter(([name]) => name.includes("plots")), []);
      await page.getByTitle("Live charts").click();
      await page.locator(".charts .uplot canvas").first().waitFor();
    },
  },

  "chooses a scene from the list": {
    async run({ page, person, address }) {
      await person.open(address);
      await page.locator(".scene-button").click();
      const bare = await page
        .locator("[data-scene]")
        .evaluateAll((tiles) => tiles.filter((tile) => !tile.querySelector("img").getAttribute("src")).map((tile) => tile.dataset.scene));
      assert.deepEqual(bare, [], "every scene has a picture");
      await page.locator('[data-scene*="hanging"]').click();
      await page.waitForFunction(
        () => window.catgut.simulation.scene.name.includes("hanging") && window.catgut.simulation.frame,
      );
      assert.match(await page.title(), /Hanging/);
      await person.advance(50);
      assert.equal((await person.frame()).step, 50);
    },
  },

  "moves a hand by mouse, wheel and keys, and the thread follows": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.advance(20);
      await page.keyboard.press("Digit4"); // from the top
      const before = await person.frame();
      assert.equal(before.hands[1].thread, 0, "the right hand holds the cord");
      await person.drag(1, -20, 15);
      await person.advance(200);
      const after = await person.frame();
      assert.ok(
        Math.abs(1000 * (after.hands[1].position[0] - before.hands[1].position[0]) + 20) < 1.5,
        "20 mm to the left",
      );
      assert.ok(Math.abs(1000 * (after.hands[1].position[1] - before.hands[1].position[1]) - 15) < 1.5, "15 mm up");
      assert.ok(distance(lastVertex(after), lastVertex(before)) > 0.02, "the end of the thread came along");
      assert.ok(distance(lastVertex(after), after.hands[1].position) < 0.003, "it is still in the hand");
      await person.lift(1, 8);
      await person.advance(200);
      const lifted = await person.frame();
      assert.ok(Math.abs(1000 * (lifted.hands[1].position[2] - after.hands[1].position[2]) - 8) < 1, "8 mm nearer");
      await person.look(0);
      const left = lifted.hands[0].target[0];
      await page.keyboard.down("KeyD");
      await person.advance(150);
      await page.keyboard.up("KeyD");
      await person.advance(200);
      assert.ok((await person.hand(0)).position[0] > left + 0.004, "the left hand went right by its key");
    },
  },

  "closes, opens and locks a hand by key and button": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.advance(20);
      await page.keyboard.press("KeyF");
      await person.advance(20);
      assert.equal((await person.hand(0)).closed, 0);
      await page.keyboard.press("KeyF");
      await person.advance(20);
      assert.equal((await person.hand(0)).thread, 0, "it grasped the cord again");
      await page.locator(".hand.right button", { hasText: "Open" }).click();
      await person.advance(20);
      assert.equal((await person.hand(1)).closed, 0);
      await page.locator(".hand.right [title^='Lock']").click();
      const before = (await person.hand(1)).target;
      await page.locator("canvas.view").focus();
      await person.drag(1, 10, 0);
      await person.advance(20);
      assert.ok(distance((await person.hand(1)).target, before) < 1e-6, "locked");
    },
  },

  "moves both hands by a gamepad": {
    async run({ page, person, address }) {
      await page.addInitScript(() => {
        const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
        window.fakePad = {
          connected: true,
          index: 0,
          id: "fake",
          mapping: "standard",
          axes: [0, 0, 0, 0],
          buttons,
          timestamp: 0,
          rumbles: [],
        };
        window.fakePad.vibrationActuator = {
          playEffect: (_, effect) => Promise.resolve(window.fakePad.rumbles.push(effect)),
        };
        navigator.getGamepads = () => [window.fakePad];
      });
      await person.open(address);
      await person.advance(20);
      const before = await person.frame();
      await person.look(0);
      await page.evaluate(() => (window.fakePad.axes = [1, 0, -1, 0]));
      await person.advance(200);
      await page.evaluate(() => (window.fakePad.axes = [0, 0, 0, 0]));
      await person.advance(200);
      const after = await person.frame();
      assert.ok(after.hands[0].position[0] > before.hands[0].position[0] + 0.005, "left stick, left hand");
      assert.ok(after.hands[1].position[0] < before.hands[1].position[0] - 0.005, "right stick, right hand");
      await page.evaluate(() => Object.assign(window.fakePad.buttons[6], { pressed: true, value: 1 }));
      await person.blink();
      await page.evaluate(() => Object.assign(window.fakePad.buttons[6], { pressed: false, value: 0 }));
      await person.blink();
      await person.advance(20);
      assert.equal((await person.hand(0)).closed, 0, "letting go of the trigger opens the hand");
    },
  },

  "carries both hands by two fingers": {
    touch: true,
    async run({ page, person, address }) {
      await person.open(address);
      await person.advance(20);
      await page.keyboard.press("Digit6");
      const before = await person.frame();
      const client = await page.context().newCDPSession(page);
      const places = [(await person.look(0)).at, (await person.look(1)).at];
      const touch = (type, dx) =>
        client.send("Input.dispatchTouchEvent", {
          type,
          touchPoints:
            type === "touchEnd"
              ? []
              : places.map(({ x, y }, id) => ({ x: x + (id === 0 ? dx : -dx), y: y - dx / 2, id })),
        });
      await touch("touchStart", 0);
      await person.blink();
      for (let dx = 4; dx <= 40; dx += 4) {
        await touch("touchMove", dx);
        await person.blink();
        await person.advance(20);
      }
      await touch("touchEnd", 0);
      await person.blink();
      await person.advance(100);
      const after = await person.frame();
      for (const hand of [0, 1])
        assert.ok(distance(after.hands[hand].position, before.hands[hand].position) > 0.004, `hand ${hand}`);
    },
  },

  "records, replays, scrubs and takes over": {
    async run({ page, person, address }) {
      await person.open(address);
      await page.locator("button.record").click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.recording === 1);
      await page.keyboard.press("Digit4");
      await person.drag(1, -18, 12);
      await person.advance(200);
      const recorded = await person.frame();
      await page.locator("button.record").click();
      await page.evaluate(() => window.catgut.advance(1));
      await page.getByTitle("Open a recording").click();
      await page.locator("dialog[open] .list button").first().click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      const scrub = page.getByLabel("Moment of the recording");
      const moment = Math.floor(recorded.step / 2);
      await scrub.evaluate((element, step) => {
        element.value = String(step);
        element.dispatchEvent(new Event("input"));
      }, moment);
      await page.waitForFunction((step) => Math.abs(window.catgut.simulation.frame.step - step) <= 40, moment);
      await scrub.evaluate((element) => {
        element.value = element.max;
        element.dispatchEvent(new Event("input"));
      });
      await page.waitForFunction((step) => window.catgut.simulation.frame.step >= step - 40, recorded.step);
      assert.ok(
        distance(lastVertex(await person.frame()), lastVertex(recorded)) < 2e-4,
        "the thread lies as it was recorded",
      );
      await scrub.evaluate((element, step) => {
        element.value = String(step);
        element.dispatchEvent(new Event("input"));
      }, moment);
      await page.waitForFunction((step) => Math.abs(window.catgut.simulation.frame.step - step) <= 40, moment);
      await page.getByTitle("Go on from this moment by yourself").click();
      await page.waitForFunction(() => window.catgut.simulation.frame && window.catgut.simulation.frame.mode !== 3);
      const taken = await person.frame();
      assert.ok(Math.abs(taken.step - moment) <= 40, "from that moment");
      await person.drag(1, 8, 8);
      await person.advance(100);
      assert.ok(distance(lastVertex(await person.frame()), lastVertex(taken)) > 0.004, "the hand is the person's");
    },
  },

  "shows the skin below a probe that stands towards the camera": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      person.start = { x: 0.15, y: 0.4 };
      await person.chooseHand(1);
      await page.keyboard.press("Digit8");
      await person.blink();
      await person.carry(1, [2, 0, 8]);
      await person.openEyes();
      const share = await page.evaluate(() => {
        const { stage } = window.catgut.app;
        stage.draw(false);
        const gl = stage.renderer.getContext();
        const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        let coloured = 0; // as the ring of the right hand: no skin is so orange
        for (let at = 0; at < pixels.length; at += 4) coloured += pixels[at] > 130 && pixels[at + 2] < 60 ? 1 : 0;
        return coloured / (width * height);
      });
      assert.ok(share < 0.02, `the probe covers no more than its tip: ${(100 * share).toFixed(1)} % of the picture`);
    },
  },

  "comes back when the connection was lost": {
    mayComplain: complaintsOfLoss,
    async run({ page, person, server, address, recordings }) {
      await person.open(address);
      await person.advance(20);
      await server.stop();
      await page.locator(".lost").waitFor({ state: "visible" });
      const again = startServer({ recordings, port: Number(new URL(address).port) });
      assert.equal(new URL(await again.address).port, new URL(address).port, "the port was taken meanwhile");
      await page.locator(".lost").waitFor({ state: "hidden" });
      await person.ready();
      await person.advance(15);
      assert.equal((await person.frame()).step, 15);
      await again.stop();
    },
  },

  "shows help and controls, and changes a key": {
    async run({ page, person, address }) {
      await person.open(address);
      await page.keyboard.press("F1");
      const help = page.locator("dialog[open] .body");
      await help.waitFor();
      const { height } = await page.locator("dialog[open]").boundingBox();
      assert.ok(height <= 720, "help fits the screen");
      assert.ok(
        await page.locator("dialog[open]").evaluate((element) => element.scrollHeight <= element.clientHeight + 1),
        "without scrolling",
      );
      const words = await help.textContent();
      for (const part of ["along its arc", "across the wound", "moves slowly", "carries it"]) assert.ok(words.includes(part), part);
      await page.keyboard.press("Escape");
      await page.getByTitle("Controls: look and change").click();
      await page.locator('[data-action="run.pause"]').click();
      await page.keyboard.press("F9");
      assert.equal(await page.locator('[data-action="run.pause"]').textContent(), "F9");
      await page.keyboard.press("Escape");
      await page.reload();
      await page.waitForFunction(() => window.catgut?.simulation.frame);
      assert.equal(
        await page.evaluate(() => JSON.parse(localStorage.getItem("catgut.settings")).bindings.keys["run.pause"]),
        "F9",
      );
    },
  },

  "is safe when a hand is jerked through loops": {
    server: { scene: "scenes/overhand.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      for (let attempt = 0; attempt < 3; attempt++) {
        const { positions } = (await person.frame()).threads[0]; // it moves: the scene draws the knot tight
        const middle = 3 * Math.floor(positions.length / 6);
        await person.carry(
          1,
          positions.slice(middle, middle + 3).map((value) => 1000 * value),
        );
      }
      await person.advance(60);
      await person.pressClose();
      assert.equal((await person.hand(1)).thread, 0, "the hand holds the loop of the knot");
      await person.until(async () => /^m?3_1$/.test((await person.knot())?.name), "the name of the knot");
      const { name } = await person.knot();
      let seed = 7;
      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
      let farthest = 0;
      await page.mouse.move(640, 360);
      await page.mouse.down();
      for (let jerk = 0; jerk < 25; jerk++) {
        await page.mouse.move(100 + 1080 * random(), 80 + 520 * random());
        if (jerk % 4 === 0) await page.mouse.wheel(0, 600 * (random() - 0.5));
        await person.advance(15);
        const frame = await person.frame();
        const hand = frame.hands[1];
        farthest = Math.max(farthest, distance(hand.position, hand.target));
        assert.equal(frame.knots[0].name, name, "both ends are clamped, so the knot must stay");
        assert.ok(frame.threads[0].positions.every(Number.isFinite));
      }
      await page.mouse.up();
      assert.ok(farthest > 0.005, "the hand lagged");
      assert.ok(farthest < 0.031, "but never by more than its leash");
      assert.match(await page.locator(".hand.right .state").textContent(), /mm behind/);
      await person.pressClose();
      assert.equal((await person.hand(1)).thread, -1, "it lets go");
      await person.carry(1, [30, 30, 30]);
      await person.advance(300);
      const hand = await person.hand(1);
      assert.ok(distance(hand.position, hand.target) < 0.001, "and nothing is stuck");
      await person.openEyes();
    },
  },

  "ties an overhand, then a square knot around a post, at a human's pace": {
    async run({ page, address }) {
      const person = new Person(page, unhurried(0));
      const isNamed = (name, throws) => async () =>
        (await page.locator(".knot .name").textContent()) === name &&
        (await page.locator(".throws b").count()) === throws;
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      await person.advance(500);
      assert.equal(await person.tieUntil(1, "overhand", "No knot"), "overhand");
      await person.until(isNamed("overhand", 1), "an overhand with one throw");
      await person.noteNames("3_1#m3_1");
      assert.equal(await person.tieUntil(0, "square", "overhand"), "square");
      await person.until(isNamed("square", 2), "a square knot with two throws");
      await person.steadily(isNamed("square", 2), "a square knot with two throws");
      // from the second throw on; the throws themselves are found a few looks later, by the clock
      const noted = await person.notedNames();
      assert.ok(noted.length > 0 && noted.every((each) => /^square( 1=1)?$/.test(each)), `named ${noted.join(", ")}`);
      const frame = await person.frame();
      assert.equal(frame.knots[0].throws, "1=1");
      assert.equal(frame.knots[0].certain, 1);
      assert.ok(
        frame.hands.every((hand) => Math.hypot(...hand.force) > 0.1),
        "it is pulled tight",
      );
      await person.openEyes();
    },
  },

  "runs a lesson and explains it": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.getByTitle("Watch a script with explanations").click();
      await page.locator('dialog[open] [data-name="overhand"]').click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.script === 1);
      const told = new Set();
      await person.until(async () => {
        await person.advance(40);
        told.add(await page.locator(".lesson strong").textContent());
        return told.size > 3;
      }, "several steps of the lesson");
      assert.ok((await page.locator(".lesson p").last().textContent()).length > 10, "with a sentence");
      assert.equal((await person.frame()).hands[0].thread, 0, "the hands took the thread");
      const hidden = await page.evaluate(() => {
        const { app, simulation } = window.catgut;
        const [x, y, z] = simulation.frame.camera_position;
        const { position } = app.stage.rig.camera;
        const away = Math.hypot(position.x - 1000 * x, position.y - 1000 * y, position.z - 1000 * z);
        return simulation.frame.has_camera && away < 1 ? "" : `the camera stands ${away} mm away`;
      });
      assert.equal(hidden, "", "one looks from where the script says, where no post hides the knot");
      await page.getByTitle("Stop the script").click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.script === 0);
      await person.advance(5);
      assert.equal(await page.locator(".lesson").isVisible(), false);
      await person.openEyes();
    },
  },

  "pulls the lip of a wound by mouse and shows its wireframe": {
    server: { scene: "scenes/pad.json" },
    async run({ page, person, address }) {
      await person.open(address);
      assert.equal(await page.locator(".knot").isVisible(), false, "there is no thread");
      await person.advance(100);
      await page.keyboard.press("Digit4"); // from the top
      await person.carry(1, [0, 5, 1]);
      await person.advance(100);
      const before = await person.frame();
      await person.pressClose();
      assert.equal((await person.hand(1)).tissue, 0, "it holds the lip");
      assert.match(await page.locator(".hand.right").textContent(), /holds tissue/);
      await person.drag(1, 0, 6);
      await person.advance(300);
      const pulled = await person.frame();
      const moved = farthest(before.tissues[0].positions, pulled.tissues[0].positions);
      assert.ok(moved > 0.002 && moved < 0.02, `the lip came along: ${moved} m`);
      assert.ok(pulled.hands[1].force[1] < -0.01, "and pulls back");
      const isWired = () => page.evaluate(() => window.catgut.app.stage.tissues.group.children[1].visible);
      assert.equal(await isWired(), false);
      await page.keyboard.press("KeyY");
      assert.equal(await isWired(), true, "by key");
      await page.getByTitle("Wireframe of tissue").click();
      assert.equal(await isWired(), false, "by button");
      await page.locator("canvas.view").focus();
      await person.pressClose();
      assert.equal((await person.hand(1)).tissue, -1);
      await person.advance(1000);
      const after = await person.frame();
      assert.ok(farthest(before.tissues[0].positions, after.tissues[0].positions) < 0.0005, "it went back");
    },
  },

  "takes instruments by keys and buttons, and draws them": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      await person.open(address);
      const card = page.locator(".hand.right");
      const pressed = () => card.locator(".tools [aria-pressed=true]").getAttribute("title");
      const parts = () => page.evaluate(() => window.catgut.app.stage.hands.group.children[1].children[0].children.length);
      assert.match(await pressed(), /^Scalpel/, "as the scene says");
      assert.equal(await card.locator(".buttons button").first().textContent(), "Cut");
      for (const [key, name, tool] of [
        ["Digit8", "Probe", 1],
        ["Digit0", "Hook", 3],
        ["Digit7", "Grasper", 0],
        ["Digit9", "Scalpel", 2],
      ]) {
        await page.keyboard.press(key);
        await person.blink();
        await person.advance(2);
        assert.equal((await person.hand(1)).tool, tool, name);
        assert.match(await pressed(), new RegExp(`^${name}`));
        assert.equal(await parts(), 1, "one instrument is drawn");
      }
      await page.locator(".hand.left").getByTitle(/^Hook/).click();
      await person.blink();
      await person.advance(2);
      assert.equal((await person.hand(0)).tool, 3, "the left hand has the hook");
      await page.keyboard.press("Space"); // the button chose that hand
      await person.advance(5);
      assert.match(await page.locator(".hand.left").textContent(), /current on/);
      await page.keyboard.press("F1");
      assert.match(await page.locator("dialog[open]").textContent(), /scalpel/i);
    },
  },

  "presses with a probe that dents the pad and is stopped": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4"); // from the top
      await person.chooseHand(1);
      await page.keyboard.press("Digit8");
      await person.blink();
      await person.carry(1, [0, 0, 8]);
      await person.advance(100);
      const before = await person.frame();
      const showsBar = () => page.locator(".tag.right .bar").evaluate((bar) => getComputedStyle(bar).visibility === "visible");
      assert.equal(await showsBar(), false, "no empty bar hangs in the air");
      person.start = { x: 0.15, y: 0.4 };
      await person.lift(1, -10); // told to be in the pad
      await person.advance(300);
      assert.equal(await showsBar(), true, "a force has its bar");
      const frame = await person.frame();
      const hand = frame.hands[1];
      assert.ok(hand.target[2] < hand.position[2] - 0.0005, "it does not get where it is told to be");
      assert.ok(hand.force[2] > 0.05, `it feels the pad: ${hand.force[2]} N`);
      assert.match(await page.locator(".hand.right .state").textContent(), /^probe, presses/);
      const dent = farthest(before.tissues[0].positions, frame.tissues[0].positions);
      assert.ok(dent > 0.0005, `the pad gives way by ${1000 * dent} mm`);
      const radius = await page.evaluate(() => window.catgut.simulation.scene.hands[1].rod_radius);
      const { positions } = frame.tissues[0];
      const [i, j, k, w] = hand.rotation;
      const axis = [2 * (i * k + j * w), 2 * (j * k - i * w), 1 - 2 * (i * i + j * j)]; // z of the hand
      let nearest = Infinity;
      for (let at = 0; at < positions.length; at += 3) {
        const from = [0, 1, 2].map((n) => positions[at + n] - hand.position[n] - radius * axis[n]);
        const along = Math.max(from.reduce((sum, value, n) => sum + value * axis[n], 0), 0);
        nearest = Math.min(nearest, Math.hypot(...from.map((value, n) => value - along * axis[n])));
      }
      assert.ok(nearest > radius - 1e-5, `no node is inside the rod: ${1000 * nearest} mm from its axis`);
      await person.lift(1, 12);
      await person.advance(300);
      const after = await person.frame();
      assert.ok(farthest(before.tissues[0].positions, after.tissues[0].positions) < 0.0003, "the pad goes back");
      await person.openEyes();
    },
  },

  "cuts with a scalpel: the cut gapes, is recorded and watched": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.evaluate(() =>
        window.catgut.simulation.listen({
          onEvent: ({ message }) => (window.made = /^recording ([\w-]+)/.exec(message)?.[1] ?? window.made),
        }),
      );
      await page.keyboard.press("KeyR");
      await page.waitForFunction(() => window.catgut.simulation.frame?.recording === 1);
      const made = await page.evaluate(() => window.made);
      await page.keyboard.press("Digit4");
      person.start = { x: 0.15, y: 0.4 };
      await person.carry(1, [-12, 1, 8]);
      const state = page.locator(".hand.right .state");
      await person.pressClose();
      assert.equal(await state.textContent(), "scalpel, ready", "8 mm over the skin it cuts nothing, and says so");
      assert.match(await page.locator(".tag.right .height").textContent(), /^\d.* mm over the skin$/);
      await person.pressClose();
      await person.lift(1, -11); // 3 mm deep
      await person.advance(50);
      const whole = await person.surface();
      assert.equal(whole.lips, 0, "no wound yet: an edge that is lifted does not cut");
      await person.pressClose();
      assert.match(await state.textContent(), /^cuts · [1-9]/);
      await person.carry(1, [12, 1, -3]);
      await person.pressClose();
      await person.lift(1, 12);
      await person.advance(300);
      const cut = await person.surface();
      assert.ok(cut.lips > 20, `lips of ${cut.lips} triangles`);
      assert.ok(cut.opening > 0.5, `it gapes by ${cut.opening} mm`);
      assert.ok(cut.drawn, "what is drawn belongs to the frame");
      await page.keyboard.press("KeyR");
      await page.waitForFunction(() => window.catgut.simulation.frame?.recording === 0);
      await page.getByTitle("Open a recording").click();
      await page.locator(`dialog[open] [data-name="${made}"]`).click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      const at = async (step) => {
        await page.evaluate((wanted) => window.catgut.simulation.order({ type: "seek", step: wanted }), step);
        await page.waitForFunction((wanted) => Math.abs(window.catgut.simulation.frame.step - wanted) < 17, step);
        await person.blink();
        return person.surface();
      };
      const last = await page.evaluate(() => window.catgut.simulation.scene.last_step);
      assert.equal((await at(0)).lips, 0, "whole at its beginning");
      const again = await at(last);
      assert.equal(again.lips, cut.lips, "cut at its end");
      assert.ok(again.drawn);
      assert.equal((await at(0)).lips, 0, "and whole again");
      await person.openEyes();
    },
  },

  "shows the wound between the panels, on a screen and on a phone": {
    server: { scene: "scenes/pad.json" },
    async run({ page, person, address }) {
      for (const size of [
        { width: 1280, height: 720 },
        { width: 390, height: 844 },
      ]) {
        await page.setViewportSize(size);
        await person.open(address);
        await person.advance(20);
        const { covered, width } = await page.evaluate(() => {
          const { app, simulation } = window.catgut;
          const [{ positions }] = simulation.frame.tissues;
          const [lips] = app.stage.tissues.lips();
          const point = app.stage.centre.clone();
          const at = lips.map((node) => {
            point.fromArray(positions, 3 * node).multiplyScalar(1000);
            return app.stage.toScreen(point);
          });
          const panels = [...document.querySelectorAll("#app .card")].map((panel) => panel.getBoundingClientRect());
          const isUnder = ({ x, y }) => panels.some((p) => x > p.left && x < p.right && y > p.top && y < p.bottom);
          const isOutside = ({ x, y }) => x < 0 || y < 0 || x > innerWidth || y > innerHeight;
          const xs = at.map(({ x }) => x);
          return {
            covered: at.filter((place) => isUnder(place) || isOutside(place)).length,
            width: (Math.max(...xs) - Math.min(...xs)) / innerWidth,
          };
        });
        assert.equal(covered, 0, `points of the wound that panels hide at ${size.width} x ${size.height}`);
        assert.ok(width > 0.15, `the wound takes ${width} of the width`);
      }
    },
  },

  "draws quickly without a graphics card, and finely when asked": {
    server: { scene: "web/bench/scene.json" },
    async run({ page, person, address }) {
      await person.open(address, "lockstep&theme=light");
      const setting = () => page.evaluate(() => window.catgut.app.stage.quality.name);
      assert.equal(await setting(), "low");
      await person.advance(10);
      await person.closeEyes();
      await page.getByTitle("Controls: look and change").click();
      const choice = page.locator("dialog[open] label", { hasText: "Pictures" }).locator("select");
      await choice.selectOption("high");
      assert.equal(await setting(), "high");
      await page.keyboard.press("Escape");
      await person.openEyes(); // programs that do not compile are told in the console, which fails the test
      const finely = await page.evaluate(() => window.catgut.app.stage.renderer.info.render.triangles);
      await page.evaluate(() => window.catgut.app.stage.setWish("low"));
      await person.openEyes();
      const quickly = await page.evaluate(() => window.catgut.app.stage.renderer.info.render.triangles);
      assert.ok(finely > 3 * quickly, `${finely} and ${quickly} triangles`);
    },
  },
};
