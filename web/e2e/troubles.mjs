// What people stumbled over on the page, each as a test that failed before it was mended.

import assert from "node:assert/strict";
import { finishLesson, watchLessons } from "./lessons.mjs";
import { noteNotices, noticed, Person, unhurried } from "./person.mjs";
import { LONGEST } from "./server.mjs";

const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));

/** In real time, as people have it. */
const live = "quality=low&theme=light";

async function openLive(page, address) {
  await page.goto(`${address}?${live}#/lab`);
  await page.waitForFunction(() => window.catgut?.simulation.frame?.step > 5 && window.catgut.simulation.hasHands);
}

async function startLesson(page, name) {
  await page.getByTitle("Watch a script with explanations").click();
  await page.locator(`dialog[open] [data-name="${name}"]`).click();
}

/** In real time: waits until a hand has gone where it was told to, and has stayed for a while of the world. */
async function atRest(page, place) {
  await page.evaluate(() => (window.restingSince = undefined));
  await page.waitForFunction((hand) => {
    const { frame } = window.catgut.simulation;
    const state = frame?.hands[hand];
    const lag = state && Math.hypot(...state.position.map((value, k) => value - state.target[k]));
    const [x] = state?.position ?? [];
    const since = window.restingSince;
    if (!state || !since || since.generation !== frame.generation || Math.abs(since.x - x) > 2e-4 || lag > 0.003) {
      window.restingSince = { generation: frame?.generation, time: frame?.time, x };
      return false;
    }
    return frame.time > since.time + 0.2;
  }, place);
}

/** A second page, of somebody who watches the first. */
async function another(browser, address, watched) {
  const session = await watched.evaluate(() => window.catgut.simulation.session);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST);
  await page.goto(`${address}?${live}#/watch/${session}`);
  await page.waitForFunction(() => window.catgut?.simulation.frame && window.catgut.app.view.pictures > 0);
  return { page, close: () => context.close() };
}

export const tests = {
  "starts lessons ten times of ten, paused or not, and one waits and goes on": {
    async run({ page, address }) {
      await openLive(page, address);
      await page.evaluate(() => {
        window.troubles = [];
        window.catgut.app.view.isDrawing = false;
        window.catgut.simulation.listen({
          onEvent: ({ kind, message }) => kind === 5 && window.troubles.push(message),
        });
      });
      for (let start = 0; start < 10; start++) {
        const { generation } = await page.evaluate(() => window.catgut.simulation.scene);
        await page.evaluate((isPaused) => window.catgut.simulation.order({ type: isPaused ? "pause" : "go" }), start % 2);
        await startLesson(page, start % 3 === 2 ? "square" : "overhand");
        await page.waitForFunction((before) => {
          const { frame } = window.catgut.simulation;
          return frame?.generation > before && frame.script === 1 && frame.time > 0.2;
        }, generation);
        const frame = await page.evaluate(() => window.catgut.simulation.frame.hands.map(({ thread }) => thread));
        assert.deepEqual(frame, [0, 0], `start ${start}: both hands took the thread`);
      }
      await page.keyboard.press("KeyP");
      await page.waitForFunction(() => window.catgut.simulation.isPaused);
      const { time } = await page.evaluate(() => window.catgut.simulation.frame);
      await page.keyboard.press("KeyP");
      await page.waitForFunction((before) => window.catgut.simulation.frame.time > before + 0.3, time);
      assert.equal(await page.evaluate(() => window.catgut.simulation.frame.script), 1, "it goes on");
      assert.deepEqual(await page.evaluate(() => window.troubles), []);
    },
  },

  "brings lessons to their end with their knot, paused first or not": {
    async run({ page, address }) {
      await openLive(page, address);
      await watchLessons(page);
      for (const [name, isPaused] of [["overhand", true], ["square", false], ["incision", true]]) {
        assert.equal(await finishLesson(page, name, isPaused), "the script is over", name); // npm run lessons: all of them
      }
    },
  },

  "shows ghost hands where one's own go next, step by step to a square knot": {
    server: { scene: "scenes/cord.json" },
    async run({ page, address }) {
      const person = new Person(page, unhurried(0));
      await person.open(address);
      await person.closeEyes();
      await startLesson(page, "guided");
      await page.waitForFunction(() => window.catgut.simulation.scene.name.includes("practice"));
      await person.advance(500);
      const name = page.locator(".lesson strong");
      const ghosts = () =>
        page.evaluate(() => window.catgut.app.stage.ghosts.group.children.slice(1).map(({ visible }) => visible));
      assert.equal(await name.textContent(), "First throw: over");
      assert.deepEqual(await ghosts(), [true, true]);
      const told = [];
      const note = async () => told.push(await name.textContent());
      await person.tieThrow(1, note);
      assert.deepEqual([...new Set(told)].slice(0, 2), ["First throw: over", "First throw: down"]);
      assert.equal(told.at(-1), "First throw: tight");
      person.manner = new Person(page).manner; // drawing tight may be quick
      await person.pullApart(60, 96, 25, -55);
      await person.until(async () => (await name.textContent()) === "Second throw: over", "the second throw");
      await page.getByTitle("Stop the script").click();
      await person.blink();
      await person.advance(5);
      assert.equal(await page.locator(".lesson").isVisible(), false);
      assert.deepEqual(await ghosts(), [false, false]);
      await person.openEyes();
    },
  },

  "shows over or under before it happens, and says when the cord left its post": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      await person.advance(300);
      const arches = () =>
        page.evaluate(() => {
          const [arch] = window.catgut.app.stage.ghosts.group.children;
          return arch.visible ? arch.children.map(({ visible }) => visible) : [];
        });
      const height = page.locator(".tag.right .height");
      await person.carry(0, [-48, -85, 25]);
      await person.carry(1, [-50, -62, 40]);
      await person.advance(200);
      assert.deepEqual(await arches(), [true, false]);
      assert.match(await height.textContent(), /^would pass over a strand/);
      await person.carry(1, [-50, -62, 8]);
      await person.advance(200);
      assert.deepEqual(await arches(), [false, true]);
      assert.match(await height.textContent(), /^would pass under a strand/);
      await noteNotices(page);
      // lifted over the knob and drawn to the front
      await person.carry(0, [-30, -40, 80]);
      await person.carry(1, [30, -40, 80]);
      await person.carry(0, [-30, 60, 80]);
      await person.carry(1, [30, 60, 80]);
      await person.carry(0, [-60, 95, 80]);
      await person.carry(1, [60, 95, 80]);
      await person.advance(300);
      await noticed(page, "left the post");
      await person.openEyes();
    },
  },

  "names a knot of two threads from the first moment on": {
    server: { scene: "scenes/reef.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      for (let look = 0; look < 5; look++) {
        await page.waitForTimeout(40);
        await person.advance(20);
        assert.equal(await page.locator(".knot .name").textContent(), "square");
      }
      await person.openEyes();
    },
  },

  "plays a recording as it was: knot, hands and forces": {
    server: { scene: "scenes/cord.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.evaluate(() => window.catgut.simulation.order({ type: "start_recording", name: "told" }));
      await page.waitForFunction(() => window.catgut.simulation.frame?.recording === 1);
      await page.evaluate(() =>
        window.catgut.simulation.order({ type: "run_script", name: "overhand", script: new Uint8Array() }),
      );
      const seen = [];
      for (let moment = 0; moment < 15; moment++) {
        await person.advance(400);
        await page.waitForTimeout(40);
        await person.advance(16);
        seen.push(await person.frame());
      }
      assert.equal(seen.at(-1).knots[0].common, "overhand", "the lesson ties it");
      assert.ok(seen.some(({ hands }) => Math.hypot(...hands[1].force) > 0.1), "a hand felt the thread");
      await page.evaluate(() => window.catgut.simulation.order({ type: "end_recording" }));
      await page.evaluate(() => window.catgut.simulation.order({ type: "open_recording", name: "told" }));
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      for (const then of seen) {
        await page.evaluate((step) => window.catgut.simulation.order({ type: "seek", step }), then.step);
        await page.waitForFunction((step) => window.catgut.simulation.frame.step === step, then.step);
        const now = await person.frame();
        for (const hand of [0, 1]) {
          const [was, is] = [then.hands[hand], now.hands[hand]];
          assert.ok(distance(was.position, is.position) < 1e-4, `hand ${hand} is where it was at ${then.step}`);
          assert.ok(distance(was.force, is.force) < 1e-3, `it feels what it felt: ${was.force} N, now ${is.force} N`);
          assert.deepEqual([is.closed, is.thread, is.tool], [was.closed, was.thread, was.tool]);
        }
      }
      await page.waitForFunction(() => document.querySelector(".knot .name").textContent === "overhand");
      assert.match(await page.locator(".hand.right .state").textContent(), /^holds/);
      await person.openEyes();
    },
  },

  "does not let go when the wheel turns during a press, and drags from where the hand is": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.advance(30);
      await page.keyboard.press("Digit4");
      await person.blink();
      const { at } = await person.look(1);
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      const before = (await person.hand(1)).position[2];
      for (let notch = 0; notch < 3; notch++) await page.mouse.wheel(0, -100);
      await person.blink();
      await person.advance(100);
      await page.mouse.up();
      await person.blink();
      await person.advance(50);
      const lifted = await person.hand(1);
      assert.equal(lifted.closed, 1, "it still holds the cord");
      assert.ok(lifted.position[2] > before + 0.002, "and turning the wheel up lifted it");
      await page.mouse.click(at.x, at.y);
      await person.blink();
      await person.advance(20);
      assert.equal((await person.hand(1)).closed, 1, "a click does not let go either");
      await page.mouse.dblclick(at.x, at.y);
      await person.blink();
      await person.advance(20);
      assert.equal((await person.hand(1)).closed, 0, "a double click does");
      await page.keyboard.press("KeyH");
      await person.blink();
      await person.advance(20);
      // pulled outwards against the post, the hand stays behind its command
      person.start = { x: 0.3, y: 0.4 };
      await person.drag(1, 60, -20);
      await person.advance(200);
      const pulled = await person.hand(1);
      const lag = distance(pulled.position, pulled.target);
      assert.ok(lag > 0.008, `it could not follow: ${1000 * lag} mm`);
      await person.drag(1, -5, 0);
      await person.advance(200);
      const after = await person.hand(1);
      assert.ok(after.position[0] < pulled.position[0] - 0.003, "and goes back at once when it is dragged back");
      const told = 1000 * distance(after.target, pulled.position);
      assert.ok(told < 8, `from where it was: it was told to go ${told} mm from there`);
    },
  },

  "gives the hands to another page that asks for them, takes them back, and a viewer resets nothing": {
    async run({ page, address, browser }) {
      await openLive(page, address);
      const viewer = await another(browser, address, page);
      try {
        const chip = viewer.page.locator(".role-chip");
        await chip.getByText("Watching").waitFor();
        await page.locator(".role-chip").getByText("You have the hands").waitFor();
        assert.equal(await viewer.page.getByTitle("Start anew", { exact: true }).isDisabled(), true, "a viewer has no such button");
        const step = await page.evaluate(() => window.catgut.simulation.frame.step);
        await viewer.page.keyboard.press("Delete");
        await viewer.page.keyboard.press("KeyD"); // a hand that is not its own
        await page.waitForFunction((before) => window.catgut.simulation.frame.step > before + 100, step);
        assert.equal(await viewer.page.locator(".toast.warning").count(), 0, "and nothing nags");
        await chip.getByRole("button", { name: "Ask for the hands" }).click();
        await page.locator(".toast.asked").getByText("asks for your hands").waitFor();
        await page.getByRole("button", { name: "Give them" }).click();
        await chip.getByText("You have the hands").waitFor();
        await page.locator(".role-chip").getByText("Watching").waitFor();
        const before = await viewer.page.evaluate(() => window.catgut.simulation.frame.hands[0].position[0]);
        await viewer.page.keyboard.down("KeyD");
        await viewer.page.waitForFunction((x) => window.catgut.simulation.frame.hands[0].position[0] > x + 0.004, before);
        await viewer.page.keyboard.up("KeyD");
        await page.getByRole("button", { name: "Take them back" }).click();
        await page.locator(".role-chip").getByText("You have the hands").waitFor();
        await chip.getByText("Watching").waitFor();
      } finally {
        await viewer.close();
      }
    },
  },

  "gives the keys back after a speed or a button was chosen": {
    async run({ page, address }) {
      await openLive(page, address);
      const list = page.getByLabel("Speed of the simulation");
      await list.click();
      await list.selectOption("0.5");
      const place = () => page.evaluate(() => window.catgut.app.drivers.hands[1].command.x);
      await page.evaluate(() => window.catgut.app.drivers.hands[1].begin(window.catgut.simulation.frame.hands[1]));
      const before = await place();
      await page.keyboard.down("KeyJ");
      await page.waitForFunction((x) => window.catgut.app.drivers.hands[1].command.x < x - 3, before);
      await page.keyboard.up("KeyJ");
      await page.getByTitle("Pause", { exact: true }).click();
      await page.waitForFunction(() => window.catgut.simulation.isPaused);
      await page.keyboard.press("Space");
      await page.waitForFunction(() => window.catgut.simulation.frame.hands[1].closed === 0);
      assert.equal(await page.evaluate(() => window.catgut.simulation.isPaused), true, "Space opened the hand instead");
      // by Tab the focus stays, and the button is worked by Space; other keys are the hands' all the same
      await page.getByTitle("Go on", { exact: true }).focus();
      await page.keyboard.press("Space");
      await page.waitForFunction(() => !window.catgut.simulation.isPaused);
      await page.keyboard.press("Digit1");
      assert.equal(await page.evaluate(() => window.catgut.app.drivers.active), 0);
    },
  },

  "undoes, and neither Backspace nor R nor starting anew loses anything": {
    async run({ page, address }) {
      await openLive(page, address);
      await page.keyboard.press("Digit4");
      const x = () => page.evaluate(() => window.catgut.simulation.frame.hands[1].position[0]);
      const isAt = (place) =>
        page.waitForFunction((to) => Math.abs(window.catgut.simulation.frame.hands[1].position[0] - to) < 0.003, place);
      const start = await x();
      await page.keyboard.down("KeyJ");
      await page.waitForFunction((from) => window.catgut.simulation.frame.hands[1].position[0] < from - 0.02, start);
      await page.keyboard.up("KeyJ");
      await atRest(page, 1);
      const moved = await x();
      const { generation } = await page.evaluate(() => window.catgut.simulation.frame);
      await page.keyboard.press("Delete");
      await page.waitForFunction((before) => window.catgut.simulation.frame?.generation > before, generation);
      assert.ok(Math.abs((await x()) - start) < 0.002, "started anew");
      await atRest(page, 1);
      await page.keyboard.press("Backspace");
      await isAt(moved);
      await page.keyboard.press("Control+KeyY");
      await isAt(start);
      await page.keyboard.press("Control+KeyZ");
      await isAt(moved);
      await atRest(page, 1);
      const back = await x();
      await page.keyboard.down("KeyJ");
      await page.waitForFunction((from) => window.catgut.simulation.frame.hands[1].position[0] < from - 0.005, back);
      await page.keyboard.up("KeyJ");
      const { step } = await page.evaluate(() => window.catgut.simulation.frame);
      await page.keyboard.press("KeyR");
      await page.locator("dialog[open]").getByRole("button", { name: "Cancel" }).click();
      assert.ok((await page.evaluate(() => window.catgut.simulation.frame.step)) >= step, "R asks first");
      assert.equal(await page.evaluate(() => window.catgut.simulation.frame.recording), 0);
    },
  },

  "keeps what just happened, also what was before starting anew": {
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.keyboard.press("Digit4");
      await person.drag(1, -20, 15);
      await person.advance(1200);
      const then = await person.frame();
      await page.keyboard.press("Delete");
      await page.waitForFunction(() => window.catgut.simulation.frame?.step === 0);
      await person.advance(20);
      await noteNotices(page);
      await page.getByTitle("Keep what just happened as a recording").click();
      const name = /is kept as ([\w-]+)/.exec(await noticed(page, "is kept as"))[1];
      await page.getByTitle("Open a recording").click();
      await page.locator(`dialog[open] [data-name="${name}"]`).click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      await page.evaluate((step) => window.catgut.simulation.order({ type: "seek", step }), then.step);
      await page.waitForFunction((step) => window.catgut.simulation.frame.step === step, then.step);
      const now = await person.frame();
      assert.ok(distance(now.hands[1].position, then.hands[1].position) < 1e-4, "the hand is where it was");
      await page.getByTitle("Go on from this moment by yourself").click();
      await page.waitForFunction(() => window.catgut.simulation.frame && window.catgut.simulation.frame.mode !== 3);
      assert.equal((await person.frame()).step, then.step, "and goes on from there");
      await person.openEyes();
    },
  },

  "sends files compressed, says which may be kept for ever, and none again that is known": {
    async run({ address }) {
      const get = (path, headers = {}) => fetch(new URL(path, address), { headers: { "accept-encoding": "gzip", ...headers } });
      const page = await get("/");
      const [, script] = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(await page.text());
      for (const [path, caching] of [["/", "no-cache"], [script, "public, max-age=31536000, immutable"]]) {
        const first = await get(path);
        assert.equal(first.status, 200);
        assert.equal(first.headers.get("content-encoding"), "gzip", path);
        assert.equal(first.headers.get("cache-control"), caching, path);
        const tag = first.headers.get("etag");
        assert.ok(tag, `${path} has a tag`);
        assert.equal((await get(path, { "if-none-match": tag })).status, 304, path);
        assert.equal((await get(path, { "if-none-match": '"another"' })).status, 200, path);
      }
    },
  },

  "asks for no frames while nobody looks": {
    async run({ page, address }) {
      await openLive(page, address);
      const look = (isHidden) =>
        page.evaluate((hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event("visibilitychange"));
        }, isHidden);
      const bytes = () => page.evaluate(() => window.catgut.simulation.connection.bytesReceived);
      await look(true);
      // what was on its way already still comes, on a busy machine for a while: until there is a quiet second
      let before = 0,
        quiet = Infinity;
      for (let second = 0; second < 30 && quiet >= 3000; second++) {
        before = await bytes();
        await page.waitForTimeout(1000);
        quiet = (await bytes()) - before;
      }
      assert.ok(quiet < 3000, `${quiet} bytes in a second`);
      await look(false);
      await page.waitForFunction((from) => window.catgut.simulation.connection.bytesReceived > from + 20000, before);
    },
  },

  "asks for no frames on a page of words, and for all of them in the lab": {
    async run({ page, address }) {
      await page.goto(`${address}?${live}#/tasks`);
      await page.locator(".task-grid").first().waitFor();
      const bytes = () => page.evaluate(() => window.catgut.simulation.connection.bytesReceived);
      let quiet = Infinity;
      for (let second = 0; second < 20 && quiet >= 3000; second++) {
        const from = await bytes();
        await page.waitForTimeout(1000);
        quiet = (await bytes()) - from;
      }
      assert.ok(quiet < 3000, `${quiet} bytes in a second`);
      await page.evaluate(() => (location.hash = "#/lab"));
      await page.waitForFunction(() => window.catgut.simulation.frame && window.catgut.app?.view.pictures > 0);
      const from = await bytes();
      await page.waitForFunction((before) => window.catgut.simulation.connection.bytesReceived > before + 20000, from);
    },
  },

  "can be read, heard and worked by keys alone": {
    server: { scene: "scenes/scalpel.json" },
    async run({ page, person, address }) {
      for (const theme of ["light", "dark"]) {
        await person.open(address, `lockstep&quality=low&theme=${theme}`);
        await person.advance(5);
        assert.deepEqual(await page.evaluate(hardToRead), [], theme);
        await page.keyboard.press("F1");
        assert.deepEqual(await page.evaluate(hardToRead), [], `help, ${theme}`);
        await page.keyboard.press("Escape");
      }
      await person.closeEyes();
      assert.ok((await page.locator("[aria-live=polite], [role=status]").count()) >= 3, "changes are told");
      await page.locator("canvas.view").focus();
      await page.keyboard.press("Digit7");
      await person.blink();
      await person.advance(5);
      assert.match(await page.locator(".spoken").textContent(), /^Right hand: open/, "a hand's new instrument is said");
      // to the lessons by Tab, and into one by Enter
      for (let tab = 0; tab < 60; tab++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement.title === "Watch a script with explanations")) break;
      }
      await page.keyboard.press("Enter");
      await page.locator("dialog[open]").waitFor();
      for (let tab = 0; tab < 20; tab++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement.dataset.name === "overhand")) break;
      }
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => window.catgut.simulation.frame?.script === 1);
      await person.advance(100);
      assert.match(await page.locator(".lesson").textContent(), /over the post|take the ends/);
    },
  },

  "has every control in its place while a recording is shown, too": {
    server: { scene: "scenes/pad.json" },
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      await page.locator("button.record").click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.recording === 1);
      await person.advance(40);
      await page.locator("button.record").click();
      await page.getByTitle("Open a recording").click();
      await page.locator("dialog[open] .list button").first().click();
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height });
        await person.blink();
        assert.deepEqual(await page.evaluate(misplaced), [], `${width} x ${height}`);
      }
    },
  },

  "leaves one page alone with its world, whatever another does": {
    async run({ page, address, browser }) {
      await openLive(page, address);
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      const other = await context.newPage();
      try {
        await other.goto(`${address}?${live}#/lab`);
        await other.waitForFunction(() => window.catgut?.simulation.frame && window.catgut.simulation.hasHands);
        assert.equal(await other.locator(".role-chip").isVisible(), false, "nobody else is there");
        const { generation } = await page.evaluate(() => window.catgut.simulation.scene);
        await other.evaluate(() => window.catgut.simulation.order({ type: "choose_scene", name: "hanging" }));
        await other.waitForFunction(() => window.catgut.simulation.scene.name === "hanging");
        assert.equal(await page.evaluate(() => window.catgut.simulation.scene.generation), generation, "the first page kept its own");
        assert.equal(await page.evaluate(() => window.catgut.simulation.hasHands), true);
        await other.reload();
        await other.waitForFunction(() => window.catgut?.simulation.scene?.name === "hanging"); // its own again
      } finally {
        await context.close();
      }
    },
  },

  "has every control in its place while another page looks on": {
    server: { scene: "scenes/one-stitch.json" },
    async run({ page, person, address, browser }) {
      await person.open(address);
      await person.closeEyes();
      const viewer = await another(browser, address, page);
      try {
        await viewer.page.locator(".role-chip").getByText("Watching").waitFor();
        await page.locator(".role-chip").getByText("You have the hands").waitFor();
        for (const [width, height] of screens) {
          for (const each of [page, viewer.page]) {
            await each.setViewportSize({ width, height });
            await person.blink();
            assert.deepEqual(await each.evaluate(misplaced), [], `${width} x ${height}`);
          }
        }
      } finally {
        await viewer.close();
      }
    },
  },

  "has every control in its place from a phone to a large screen": {
    server: { scene: "scenes/one-stitch.json" }, // seven instruments, three hands, a knot and a legend
    async run({ page, person, address }) {
      await person.open(address);
      await person.closeEyes();
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height });
        for (const isOpen of width <= 860 ? [false, true] : [false]) {
          if (isOpen) await page.getByTitle("Views, switches and controls").click();
          await person.blink();
          assert.deepEqual(await page.evaluate(misplaced), [], `${width} x ${height}${isOpen ? ", with more" : ""}`);
          const free = await page.evaluate(freeHeight);
          assert.ok(isOpen || free > 0.34, `${width} x ${height}: ${free} of the height is left for the scene`);
          if (isOpen) await page.getByTitle("Views, switches and controls").click();
        }
      }
      // dragging from a panel selects nothing
      const { x, y } = await page.locator(".hand.left .state").boundingBox().then((box) => box ?? { x: 20, y: 360 });
      await page.mouse.move(x + 2, y + 2);
      await page.mouse.down();
      await page.mouse.move(x + 300, y - 40, { steps: 4 });
      await page.mouse.up();
      assert.equal(await page.evaluate(() => String(getSelection())), "");
      await person.openEyes();
    },
  },
};

/** from a phone to a large screen, and a phone that lies on its side */
export const screens = [[360, 640], [390, 844], [768, 1024], [861, 720], [960, 600], [1024, 768], [1100, 720], [1181, 800],
  [1280, 720], [2560, 1440], [844, 390]];

/** In the page: controls that are outside of it, under another one, or covered. */
export function misplaced() {
  const controls = [...document.querySelectorAll("#app button, #app select, #app input")].filter(
    (element) => element.getClientRects().length > 0,
  );
  const name = (element) => element.title || element.textContent || element.className;
  const boxes = controls.map((element) => element.getBoundingClientRect());
  const found = [];
  controls.forEach((element, i) => {
    const box = boxes[i];
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
      found.push(`${name(element)} is outside`);
    } else if (!element.contains(document.elementFromPoint(x, y)) && !element.disabled) {
      found.push(`${name(element)} is covered by ${name(document.elementFromPoint(x, y))}`);
    }
    const card = element.closest(".card")?.getBoundingClientRect();
    if (card && (box.left < card.left - 0.5 || box.right > card.right + 0.5)) found.push(`${name(element)} sticks out of its card`);
    if (box.width < 24 || box.height < 24) found.push(`${name(element)} is ${box.width} x ${box.height}`);
    boxes.slice(i + 1).forEach((other, k) => {
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide > 1 && high > 1) found.push(`${name(element)} and ${name(controls[i + 1 + k])} overlap`);
    });
  });
  for (const tools of document.querySelectorAll("#app .hand .tools")) {
    const widths = [...tools.children].map((tool) => tool.getBoundingClientRect().width).filter((width) => width > 0);
    if (widths.length > 0 && Math.max(...widths) > Math.min(...widths) + 1) found.push("instruments are of different widths");
  }
  for (const force of document.querySelectorAll("#app .hand .force")) {
    const lines = force.getBoundingClientRect().height / parseFloat(getComputedStyle(force).fontSize);
    if (lines > 2) found.push("a force is broken over two lines");
  }
  for (const card of document.querySelectorAll("#app .card")) {
    const box = card.getBoundingClientRect();
    if (box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5 || card.scrollWidth > card.clientWidth + 1)) {
      found.push(`${card.className} runs out`);
    }
  }
  return found;
}

/** In the page: share of the height between the bars. */
function freeHeight() {
  const top = document.querySelector(".top").getBoundingClientRect().bottom;
  const bottom = Math.min(
    ...[...document.querySelectorAll(".bottom .card")]
      .filter((card) => card.getClientRects().length > 0) // that of a third hand is hidden
      .map((card) => card.getBoundingClientRect().top),
  );
  return (bottom - top) / innerHeight;
}

/** In the page: controls without a name, and texts whose contrast with their ground is below 4.5 (3 for large ones). */
function hardToRead() {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return text.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = (top, ground) => [0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * ground[k]);
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => ((c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = parse(getComputedStyle(document.documentElement).getPropertyValue("--card-solid").replace(
    /#(..)(..)(..)/, (_, r, g, b) => `rgb(${parseInt(r, 16)} ${parseInt(g, 16)} ${parseInt(b, 16)})`));
  const found = [];
  const seen = document.querySelector("dialog[open]") ?? document.querySelector("#app");
  for (const element of seen.querySelectorAll("button, select, input, a")) {
    if (element.getClientRects().length === 0) continue;
    const named = element.ariaLabel || element.title || element.textContent.trim() || element.labels?.[0]?.textContent;
    if (!named) found.push(`${element.className} has no name`);
  }
  for (const element of seen.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.getClientRects().length === 0 || element.closest(":disabled, .spoken, svg")) continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) grounds.unshift(colour);
      if (colour[3] === 1) break;
    }
    const ground = grounds.reduce((below, colour) => over(colour, below), page.slice(0, 3));
    const style = getComputedStyle(element);
    const text = over(parse(style.color), ground);
    const [bright, dark] = [light(text), light(ground)].sort((a, b) => b - a);
    const contrast = (bright + 0.05) / (dark + 0.05);
    const isLarge = parseFloat(style.fontSize) >= 18.6;
    if (contrast < (isLarge ? 3 : 4.5)) found.push(`${contrast.toFixed(2)}: "${element.textContent.slice(0, 30)}"`);
  }
  return found;
}
