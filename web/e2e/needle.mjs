// A needle in a person's hands: picked up, turned, handed over, driven through tissue. Mouse and keys alone; the state is
// read to know where things are, as eyes would.

import { Person } from "./person.mjs";
import { gapOf } from "./gap.mjs";

/** One pulls until the lips are so near, mm, or no harder than this, N. */
const pulls = { MEET: 0.6, HARD: 2 };

/** steps between two looks while a hand goes by itself, and between two motions of a drag along a needle's arc */
const STEPS = 20;
/** mm of arc between these */
const DRIVE_STRIDE = 0.3;
/** numbers from the end of a thread's positions: the fourth vertex */
const TAKEN_AT = 12;
/** ms that a hand which goes by itself is given: simulated */
const LONGEST_GLIDE = 8000;
/** mm from where one wants a hand to be */
const NEAR_ENOUGH = 0.7;

export class Surgeon extends Person {
  /** Along the table in finer strides than those of a cord: what is held is held by friction. */
  get stride() {
    return 2;
  }

  /** Lines the chosen hand up by its key, and waits until it is there. */
  async lineUp(place) {
    await this.page.keyboard.press("Backslash");
    await this.advance(STEPS);
    for (let steps = 0; steps < LONGEST_GLIDE; steps += STEPS) {
      if (!(await this.page.evaluate((hand) => window.catgut.app.drivers.hands[hand].isGliding, place))) break;
      await this.advance(STEPS);
    }
    await this.advance(100);
    await this.rest();
  }

  /** Chooses a hand by its key: left, right, or the other one until it is chosen. */
  async chooseHand(place) {
    for (let tries = 0; tries < 4; tries++) {
      if ((await this.page.evaluate(() => window.catgut.app.drivers.active)) === place) return;
      await this.page.keyboard.press("KeyX");
    }
  }

  /** Carries a hand in height by the wheel, then along the table: the pointer goes in the picture as far as the hand
      has to go in it. For any view from above. */
  async carry(place, [x, y, z]) {
    await this.chooseHand(place);
    const { told } = await this.look(place);
    if (Math.abs(z - told[2]) > 0.5) await this.lift(place, z - told[2]);
    for (let attempt = 0; attempt < 4; attempt++) {
      const now = (await this.look(place)).told;
      if (Math.hypot(x - now[0], y - now[1]) < NEAR_ENOUGH) break;
      await this.slide(place, now, [x, y, now[2]]);
      await this.advance(10 * STEPS); // sees it come to rest
    }
    await this.rest();
  }

  /** Where a press takes no other hand than the chosen one: the place about the middle that is farthest from all hands. */
  freePlace() {
    return this.page.evaluate(() => {
      const { app, simulation } = window.catgut;
      const hands = simulation.frame.hands.map((state) => app.view.screenOf(state));
      const away = ({ x, y }) => Math.min(...hands.map((hand) => Math.hypot(hand.x - x, hand.y - y)));
      const places = [0.35, 0.5, 0.65].flatMap((x) => [0.4, 0.5, 0.6].map((y) => ({ x: x * innerWidth, y: y * innerHeight })));
      return places.reduce((best, place) => (away(place) > away(best) ? place : best));
    });
  }

  /** One drag of the chosen hand from where it is to a place as high. */
  async slide(place, from, to) {
    const [start, end] = await this.page.evaluate(
      (points) => points.map((point) => window.catgut.app.stage.toScreen(window.catgut.app.stage.centre.clone().fromArray(point))),
      [from, to],
    );
    const begin = await this.freePlace();
    const strides = Math.max(Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / this.stride), 1);
    await this.page.mouse.move(begin.x, begin.y);
    await this.page.mouse.down();
    for (let stride = 1; stride <= strides; stride++) {
      const share = stride / strides;
      const [dx, dy] = [share * (end.x - start.x), share * (end.y - start.y)];
      await this.page.mouse.move(begin.x + dx + this.tremble(), begin.y + dy + this.tremble());
      await this.advance(this.paceOf(this.stride));
    }
    await this.page.mouse.up();
  }

  /** steps for a stride of so many mm */
  paceOf(stride) {
    return Math.max(Math.round((this.manner.steps * stride) / 6), STEPS);
  }

  /** Turns the wheel until the chosen hand is mm higher: a notch, then the next. */
  async lift(place, higher) {
    const { told, scale } = await this.look(place);
    const goal = told[2] + higher;
    await this.page.mouse.move(this.page.viewportSize().width * this.start.x, this.page.viewportSize().height * this.start.y);
    for (let notch = 0; notch < 200; notch++) {
      const left = (goal - (await this.look(place)).told[2]) / (0.12 * scale);
      if (Math.abs(left) < 2) break;
      await this.page.mouse.wheel(0, Math.max(Math.min(-left, 100), -100));
      await this.blink();
      await this.advance(2 * STEPS);
    }
    await this.rest();
  }

  /** Drives the needle of the chosen hand along its arc, Ctrl and one drag to the right, until one sees that it is there,
      mm at most. */
  async drive(place, isThere, most) {
    const { scale } = await this.look(place);
    const from = await this.freePlace();
    await this.page.keyboard.down("Control");
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    for (let stride = 1; stride * DRIVE_STRIDE < most; stride++) {
      await this.page.mouse.move(from.x + (stride * DRIVE_STRIDE) / scale + this.tremble(), from.y + this.tremble());
      await this.advance(this.paceOf(DRIVE_STRIDE));
      if (isThere(await this.needle())) break;
    }
    await this.page.mouse.up();
    await this.page.keyboard.up("Control");
    await this.rest();
  }

  /** Turns the chosen hand about its upright shaft by Shift and the wheel, degrees. */
  async turn(degrees) {
    await this.page.keyboard.down("Shift");
    for (let left = (degrees * Math.PI) / 180 / 0.002; left > 0; left -= 50) {
      await this.page.mouse.wheel(0, Math.min(left, 50));
      await this.blink();
      await this.advance(STEPS);
    }
    await this.page.keyboard.up("Shift");
    await this.advance(200);
    await this.rest();
  }

  /** Lowers the chosen hand by the wheel until what it carries is at the table, as its tag says. */
  async layDown(place) {
    for (let notch = 0; notch < 200; notch++) {
      const over = parseFloat(await this.page.locator(".tag .height").nth(place).textContent());
      if (over < 0.25) return;
      await this.page.mouse.wheel(0, over > 3 ? 60 : 12);
      await this.blink();
      await this.advance(2 * STEPS);
    }
  }

  /** Carries a hand to the thread beside its end and closes it there, once its card says that it is in reach. */
  async takeTail(place) {
    const end = async () => {
      const { positions } = (await this.frame()).threads[0];
      return positions.slice(-TAKEN_AT, -TAKEN_AT + 3).map((value) => 1000 * value);
    };
    const [x, y, z] = await end();
    await this.carry(place, [x, y, z + 8]);
    for (let attempt = 0; attempt < 6; attempt++) {
      const [endX, endY, endZ] = await end();
      await this.carry(place, [endX, endY, endZ + 0.3]);
      await this.advance(100);
      if (/in reach/.test(await this.card("Tail"))) break;
    }
    await this.pressClose();
  }

  /** Looks from the top and from a little farther. */
  async stepBack() {
    await this.page.keyboard.press("Digit4");
    await this.page.keyboard.down("Control");
    for (let notch = 0; notch < 4; notch++) {
      await this.page.mouse.wheel(0, 100);
      await this.blink();
    }
    await this.page.keyboard.up("Control");
  }

  /** Draws two hands apart across the wound, past each other on different sides, a little with each in turn, until the
      lips meet or the card of the first says that it is hard. Returns the greatest force, N. */
  async pullClosed(one, other) {
    let most = 0;
    await this.stepBack();
    await this.carry(one, [6, 24, 34]);
    await this.carry(other, [-5, -6, 12]);
    for (let step = 1; step <= 12; step++) {
      for (const [place, y] of [[one, 24 + 3 * step], [other, -6 - step]]) {
        await this.chooseHand(place);
        const now = (await this.look(place)).told;
        await this.slide(place, now, [now[0], y, now[2]]);
      }
      const force = Math.hypot(...(await this.hand(one)).force);
      most = Math.max(most, force);
      if (force > pulls.HARD || (await gapOf(this)) < pulls.MEET) break;
    }
    return most;
  }

  /** What the card of a hand says. */
  async card(name) {
    return this.page.locator(`section[aria-label="${name} hand"] .state`).textContent();
  }

  /** A share of the needle's arc, 0 at its point, mm. */
  async onNeedle(share) {
    return this.page.evaluate((wanted) => {
      const { needles, placeAlong } = window.catgut;
      return placeAlong(needles()[0], wanted).toArray();
    }, share);
  }

  /** Names of the hands whose jaws press on the needle from both sides. */
  held() {
    return this.page.evaluate(() => {
      const { app, simulation } = window.catgut;
      return simulation.frame.hands.filter(({ hand }) => app.input.wrist.holds(hand)).map(({ hand }) => simulation.scene.hands[hand].name);
    });
  }

  /** Of each hand: where along the needle it is, 0 at the point to 1 at the end. */
  shares() {
    return this.page.evaluate(() => {
      const { app, simulation } = window.catgut;
      return simulation.frame.hands.map(({ hand }) => app.input.wrist.shareAt(hand));
    });
  }

  needle() {
    return this.page.evaluate(() => {
      const { centre, axis, radius, points } = window.catgut.needles()[0];
      const last = points[points.length - 1];
      return { centre: centre.toArray(), axis: axis.toArray(), radius, tip: points[0].toArray(), end: last.toArray() };
    });
  }
}

/** Hands a needle over as the guide says: the right driver picks it up at a share of its arc, lifts and turns it, the left
    one takes it at another and lays it down. `onStep` is called after each motion. */
export async function handOver(person, take, give, onStep = async () => undefined) {
  const [left, right] = [0, 1];
  const grasp = async (place, share) => {
    const [x, y, z] = await person.onNeedle(share);
    const { told } = await person.look(place);
    await person.carry(place, [x, y, Math.max(told[2], z + 20)]);
    await person.lineUp(place); // over it, with its jaws across
    await person.lineUp(place); // and in
    await person.pressClose();
    await person.advance(300);
    await person.rest();
  };
  await person.page.keyboard.press("Digit6");
  await grasp(right, take);
  await onStep("taken");
  await person.lift(right, 25);
  await person.turn(60);
  await onStep("lifted");
  await grasp(left, give);
  await onStep("taken over");
  await person.chooseHand(right);
  await person.pressClose();
  await person.advance(200);
  await person.lift(right, 30);
  await onStep("handed over");
  await person.chooseHand(left);
  await person.layDown(left);
  await onStep("laid down");
  await person.pressClose();
  await person.advance(300);
  await person.lift(left, 20);
  await person.advance(300);
  await onStep("done");
}
