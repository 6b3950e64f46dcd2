// A person at the page: what one can do with mouse and keys, and see. Only events of the browser move anything; the
// state is read to know where things are, as eyes would.

import { LONGEST } from "./server.mjs";

/** mm a hand goes between two looks at the simulation, and the simulated time for it */
const STRIDE = 6;
const STEPS_OF_STRIDE = 25;
/** looks at a knot in a second of 1000 steps, enough for its throws to be searched for once more; and ms from one to
    the next, since the server names knots that often */
const LOOKS_OF_SECOND = 200;
const NAMING_PAUSE = 31;

/** How a person moves: steps for a stride of the mouse, pixels by which it trembles, and the longest rest between two
    motions, in steps. */
const quick = { steps: STEPS_OF_STRIDE, tremble: 0, rest: 0, random: () => 0.5 };

/** About 30 s for a throw, a hand that trembles by 2 px, and rests of up to 1.5 s: the same for a seed. */
export function unhurried(seed) {
  let state = 7919 * (seed + 1);
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  return { steps: 180 + Math.floor(180 * random()), tremble: 2, rest: 1500, random };
}

/** From now on notes what the page tells: a notice is shown for some seconds, and a busy machine looks later. */
export function noteNotices(page) {
  return page.evaluate(() => {
    const noted = (window.notedNotices = []);
    const look = (node) => node.classList?.contains("toast") && noted.push(node.textContent);
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(look))).observe(document, {
      childList: true,
      subtree: true,
    });
  });
}

/** Waits until the page has told something since then: what it told. */
export async function noticed(page, text) {
  const told = await page.waitForFunction((part) => window.notedNotices.find((each) => each.includes(part)), text);
  return told.jsonValue();
}

export class Person {
  constructor(page, manner = quick) {
    this.page = page;
    this.manner = manner;
    /** where drags begin, as shares of the picture: away from the hands, since a press near one chooses it */
    this.start = { x: 0.5, y: 0.5 };
  }

  /** mm a hand goes between two looks */
  get stride() {
    return STRIDE;
  }

  /** Opens the page in lockstep and waits until the first frame is drawn. */
  async open(address, words = "lockstep&quality=low&theme=light") {
    const whole = `${address}?${words}#/lab`;
    // what differs behind the "#" alone, or not at all, loads nothing
    if (this.page.url() === whole) await this.page.reload();
    else await this.page.goto(whole);
    await this.ready();
  }

  /** In lockstep, at step 0, and drawn. A world that had not begun is at step 0 before it is reset, too: its frame goes
      with the reset, so that has to be over. */
  ready() {
    return this.page.waitForFunction(() => {
      const simulation = window.catgut?.simulation;
      const frame = simulation?.isReady ? simulation.frame : undefined;
      return frame?.mode === 2 && frame.step === 0 && window.catgut.app.view.pictures > 0;
    });
  }

  /** Nothing is drawn until the next look, so that long motions take no time for pictures. */
  closeEyes() {
    return this.page.evaluate(() => (window.catgut.app.view.isDrawing = false));
  }

  /** Draws again, and waits for one picture. */
  async openEyes() {
    const before = await this.page.evaluate(() => {
      const { app } = window.catgut;
      app.view.isDrawing = true;
      app.stage.rig.version++;
      return app.view.pictures;
    });
    await this.page.waitForFunction((count) => window.catgut.app.view.pictures > count, before);
  }

  advance(steps) {
    return this.page.evaluate((count) => window.catgut.advance(count), steps);
  }

  /** The newest frame, with typed arrays as plain ones. */
  frame() {
    return this.page.evaluate(() => {
      const { frame } = window.catgut.simulation;
      return JSON.parse(JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)));
    });
  }

  /** The surface of the first tissue as it is drawn: triangles of lips, and how far those at the top are apart across
      the x axis, mm, near the middle. */
  surface() {
    return this.page.evaluate(() => {
      const { app, simulation } = window.catgut;
      const state = simulation.frame.tissues[0];
      const view = app.stage.tissues.views[0];
      const { corners, sides, triangleCount, version } = view.data;
      const GROOVE = 3,
        TOP = 0;
      const isTop = new Set();
      for (let at = 0; at < 3 * triangleCount; at++) if (sides[(at / 3) | 0] === TOP) isTop.add(corners[at]);
      let lips = 0,
        low = Infinity,
        high = -Infinity;
      for (let at = 0; at < 3 * triangleCount; at++) {
        if (sides[(at / 3) | 0] !== GROOVE) continue;
        lips += at % 3 === 0 ? 1 : 0;
        const [x, y] = [state.positions[3 * corners[at]], state.positions[3 * corners[at] + 1]];
        if (!isTop.has(corners[at]) || Math.abs(x) > 0.004) continue;
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
      const drawn = version === state.topology_version && view.version === version && view.mesh.visible;
      return { lips, opening: lips > 0 ? 1000 * (high - low) : 0, drawn };
    });
  }

  async hand(place) {
    return (await this.frame()).hands.find((hand) => hand.hand === place);
  }

  async knot() {
    return (await this.frame()).knots[0];
  }

  /** Two turns of the page: whatever was touched or turned has arrived by then. */
  blink() {
    return this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
  }

  /** Lets a little time go by until something is so; the server names knots a few times a second, by the clock. */
  async until(isSo, what) {
    for (const began = Date.now(); Date.now() - began < LONGEST; ) {
      if (await isSo()) return;
      await this.advance(2);
      await this.page.waitForTimeout(20);
    }
    throw new Error(`in vain: ${what}`);
  }

  /** Something is so in every look of a simulated second, and the server looks anew for each of them. */
  async steadily(isSo, what) {
    for (let look = 0; look < LOOKS_OF_SECOND; look++) {
      if (!(await isSo())) throw new Error(`not at all times: ${what}`);
      await this.advance(1000 / LOOKS_OF_SECOND);
      await this.page.waitForTimeout(NAMING_PAUSE);
    }
  }

  /** From now on, notes what the knot is called in any frame while it has this name in the table. */
  noteNames(name) {
    return this.page.evaluate((wanted) => {
      const noted = (window.notedNames = []);
      window.catgut.simulation.listen({
        onFrame: (frame) => {
          const [knot] = frame.knots;
          const told = knot?.name === wanted && `${knot.common} ${knot.throws}`.trim();
          if (told && !noted.includes(told)) noted.push(told);
        },
      });
    }, name);
  }

  notedNames() {
    return this.page.evaluate(() => window.notedNames);
  }

  /** Where a hand is in the picture, what it was told, and mm a pixel there. */
  look(place) {
    return this.page.evaluate((hand) => {
      const { app, simulation } = window.catgut;
      const driver = app.drivers.hands[hand];
      const state = simulation.frame.hands.find((candidate) => candidate.hand === hand);
      driver.begin(state);
      const told = driver.command;
      return {
        told: told.toArray(),
        at: app.stage.toScreen(told),
        scale: app.stage.rig.millimetresPerPixel(told, app.stage.viewHeight),
      };
    }, place);
  }

  async lookFromTop() {
    await this.page.keyboard.press("Digit4");
  }

  async chooseHand(place) {
    await this.page.keyboard.press(place === 0 ? "Digit1" : "Digit2");
  }

  /** Closes or opens the chosen hand by Space. */
  async pressClose() {
    await this.page.keyboard.press("Space");
    await this.advance(20);
  }

  /** Drags the chosen hand by mm to the right and up in the picture. */
  async drag(place, right, up) {
    const { scale } = await this.look(place);
    const { width, height } = this.page.viewportSize();
    const from = { x: width * this.start.x, y: height * this.start.y };
    const strides = Math.max(Math.ceil(Math.hypot(right, up) / this.stride), 1);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    for (let stride = 1; stride <= strides; stride++) {
      const share = stride / strides / scale;
      await this.page.mouse.move(from.x + share * right + this.tremble(), from.y - share * up + this.tremble());
      await this.advance(this.manner.steps);
    }
    await this.page.mouse.up();
  }

  tremble() {
    return this.manner.tremble * (2 * this.manner.random() - 1);
  }

  /** Looks for a while before going on. */
  async rest() {
    const steps = Math.floor(this.manner.rest * this.manner.random());
    if (steps > 0) await this.advance(steps);
  }

  /** Turns the wheel, up to lift, until the chosen hand was told to be mm higher. It may stop over a strand: then once
      more. Seen from above. */
  async lift(place, higher) {
    const { told, scale } = await this.look(place);
    const goal = told[2] + higher;
    for (let notch = 0; notch < 120; notch++) {
      const left = (goal - (await this.look(place)).told[2]) / (0.12 * scale);
      if (Math.abs(left) < 2) return;
      await this.page.mouse.wheel(0, Math.max(Math.min(-left, 100), -100));
      await this.blink();
      await this.advance(this.manner.steps);
    }
  }

  /** Looking from the top: carries a hand to a place in mm, first in height, then along the table. */
  async carry(place, [x, y, z]) {
    await this.chooseHand(place);
    const { told } = await this.look(place);
    if (Math.abs(z - told[2]) > 0.5) await this.lift(place, z - told[2]);
    for (let attempt = 0; attempt < 3; attempt++) {
      const now = (await this.look(place)).told;
      if (Math.hypot(x - now[0], y - now[1]) < 1) break;
      await this.drag(place, x - now[0], y - now[1]);
    }
  }

  /** One throw around the post, looked at from the top: the end in hand `side` (0 left, 1 right) goes over the other
      strand, back under it into the loop, up through it and out. `onStep` is called after each motion. */
  async tieThrow(side, onStep = async () => undefined) {
    const s = side === 1 ? 1 : -1;
    const go = async (name, x, y, z) => {
      await this.carry(side, [x, y, z]);
      await this.rest();
      await onStep(name);
    };
    await this.carry(1 - side, [-s * 48, -85, 25]);
    await go("up", s * 30, -75, 40);
    await go("over", -s * 68, -62, 40);
    const [, y] = await this.middleOfLoop(side);
    await go("beside", -s * 60, y, 40);
    await go("down", -s * 55, y, 8);
    const middle = await this.middleOfLoop(side);
    await go("under", middle[0], middle[1], 8);
    await go("through", middle[0], middle[1], 45);
    await go("out", s * 45, middle[1] - 12, 45);
  }

  /** What the card calls the knot. */
  async named() {
    await this.page.waitForTimeout(NAMING_PAUSE);
    await this.advance(30);
    return this.page.locator(".knot .name").textContent();
  }

  /** Ties a throw and draws it tight; when the card does not say what it should, once more. Returns what it says. */
  async tieUntil(side, name, before, onStep) {
    for (let attempt = 0; attempt < 3; attempt++) {
      await this.tieThrow(side, onStep);
      await this.pullApart(60, 100, 25, -55);
      await this.advance(500);
      const said = await this.named();
      if (said === name || said !== before) return said;
    }
    return this.named();
  }

  async middleOfLoop(side) {
    const middle = await this.page.evaluate((fromStart) => {
      const { middleOfLoop, simulation } = window.catgut;
      return middleOfLoop(simulation.frame.threads[0].positions, fromStart);
    }, side === 0);
    if (!middle) throw new Error("there is no loop");
    return middle;
  }

  /** Draws the hands apart, a little with each in turn: pulled unevenly a square knot turns over into a slip knot. */
  async pullApart(from, to, height, y) {
    for (let x = from; x <= to; x += 4) {
      await this.carry(0, [-x, y, height]);
      await this.carry(1, [x, y, height]);
    }
  }
}
