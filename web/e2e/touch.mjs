// A person at the page with fingers alone: one on a hand carries it, a second one anywhere else lifts and lowers it.

import { Person } from "./person.mjs";

/** mm a hand goes between two looks at the simulation */
const STRIDE = 6;
/** pixels that a second finger keeps from any hand, since a finger near one carries it */
const AWAY = 150;

export class TouchPerson extends Person {
  async touch(type, points) {
    this.client ??= await this.page.context().newCDPSession(this.page);
    const touchPoints = points.map(({ x, y }, id) => ({ x, y, id }));
    await this.client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await this.blink();
  }

  /** The picture from the top, by its button. */
  async lookFromTop() {
    await this.page.getByTitle("Look from: top").tap();
  }

  /** A finger chooses a hand by carrying it. */
  async chooseHand() {}

  /** Two taps on a hand close or open it. */
  async pressClose(place) {
    const { at } = await this.look(place);
    for (let tap = 0; tap < 2; tap++) {
      await this.touch("touchStart", [at]);
      await this.touch("touchEnd", []);
    }
    await this.advance(20);
  }

  /** Where a finger finds a hand, and where another one is away from all of them. */
  async places(place) {
    const hands = [await this.look(0), await this.look(1)];
    const { width, height } = this.page.viewportSize();
    const candidates = [0.25, 0.5, 0.75].flatMap((x) => [0.3, 0.42, 0.55].map((y) => ({ x: x * width, y: y * height })));
    const distance = (spot) => Math.min(...hands.map(({ at }) => Math.hypot(at.x - spot.x, at.y - spot.y)));
    const other = candidates.find((spot) => distance(spot) > AWAY);
    if (!other) throw new Error("there is no place for a second finger");
    return { on: hands[place].at, other, scale: hands[place].scale };
  }

  async drag(place, right, up) {
    const { on, scale } = await this.places(place);
    const strides = Math.max(Math.ceil(Math.hypot(right, up) / STRIDE), 1);
    await this.touch("touchStart", [on]);
    for (let stride = 1; stride <= strides; stride++) {
      const share = stride / strides / scale;
      await this.touch("touchMove", [
        { x: on.x + share * right + this.tremble(), y: on.y - share * up + this.tremble() },
      ]);
      await this.advance(this.manner.steps);
    }
    await this.touch("touchEnd", []);
  }

  /** Slides the second finger until the hand was told to be mm higher; again from the middle when the way was not enough. */
  async lift(place, higher) {
    const goal = (await this.look(place)).told[2] + higher;
    for (let slide = 0; slide < 6; slide++) {
      const { on, other, scale } = await this.places(place);
      const left = goal - (await this.look(place)).told[2];
      if (Math.abs(left) < 0.5) return;
      await this.touch("touchStart", [on]);
      await this.touch("touchStart", [on, other]);
      const strides = Math.max(Math.ceil(Math.abs(left) / STRIDE), 1);
      for (let stride = 1; stride <= strides; stride++) {
        const y = other.y - (stride / strides / scale) * left + this.tremble();
        await this.touch("touchMove", [on, { x: other.x + this.tremble(), y }]);
        await this.advance(this.manner.steps);
      }
      await this.touch("touchEnd", []);
    }
  }
}
