// A gamepad of the standard layout: a stick for each hand, triggers close them, force comes back as rumble.

import type { Bindings, PadRole } from "./bindings";

/** share of a stick's way that counts as rest */
const DEAD_ZONE = 0.14;
/** triggers close at this much, and open again below the other */
const CLOSES_AT = 0.55;
const OPENS_BELOW = 0.35;

/** share of a trigger's way at either end that counts as the end: not all come back to it */
const TRIGGER_END = 0.04;
/** less than this is no change of a trigger */
const TRIGGER_STEP = 0.004;

/** What of the browser's Gamepad is used. */
export interface PadSnapshot {
  axes: readonly number[];
  buttons: readonly { pressed: boolean; value: number }[];
}

export interface PadMotion {
  /** per hand: right, up, forward, -1 to 1 */
  hands: [[number, number, number], [number, number, number]];
  /** per hand: turn about up, right and forward, -1 to 1 */
  turns: [[number, number, number], [number, number, number]];
  /** azimuth, elevation */
  camera: [number, number];
  /** per hand: true closes, false opens, undefined leaves as it is */
  close: [boolean | undefined, boolean | undefined];
  /** per hand: how far its trigger is pulled, 0 to 1; undefined: as before */
  pull: [number | undefined, number | undefined];
  pressed: PadRole[];
}

/** 0 in the dead zone, then growing with the square, so that small motions are fine ones. */
export function shapeStick(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y);
  if (length < DEAD_ZONE) return [0, 0];
  const share = Math.min((length - DEAD_ZONE) / (1 - DEAD_ZONE), 1);
  return [(x / length) * share * share, (y / length) * share * share];
}

/** Remembers which triggers were closed and which buttons were down, to see changes. */
export class PadReader {
  private closed = [false, false];
  private pulled = [0, 0];
  private down = new Set<PadRole>();

  read(pad: PadSnapshot, bindings: Bindings): PadMotion {
    const value = (role: PadRole) => pad.buttons[bindings.pad[role]]?.value ?? 0;
    const isDown = (role: PadRole) => pad.buttons[bindings.pad[role]]?.pressed ?? false;
    const sticks = [0, 1].map((hand) => shapeStick(pad.axes[2 * hand] ?? 0, -(pad.axes[2 * hand + 1] ?? 0)));
    const motion: PadMotion = {
      hands: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      turns: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      camera: [
        Number(isDown("orbitRight")) - Number(isDown("orbitLeft")),
        Number(isDown("orbitUp")) - Number(isDown("orbitDown")),
      ],
      close: [this.trigger(0, value("closeLeft")), this.trigger(1, value("closeRight"))],
      pull: [this.pull(0, value("closeLeft")), this.pull(1, value("closeRight"))],
      pressed: this.edges(isDown),
    };
    for (const hand of [0, 1]) {
      const [x, y] = sticks[hand];
      const isDepth = isDown(hand === 0 ? "depthLeft" : "depthRight");
      if (isDown("turn")) motion.turns[hand] = isDepth ? [0, 0, x] : [x, -y, 0];
      else motion.hands[hand] = isDepth ? [x, 0, y] : [x, y, 0];
    }
    return motion;
  }

  private trigger(hand: number, value: number): boolean | undefined {
    if (!this.closed[hand] && value > CLOSES_AT) return (this.closed[hand] = true);
    if (this.closed[hand] && value < OPENS_BELOW) return (this.closed[hand] = false);
    return undefined;
  }

  private pull(hand: number, value: number): number | undefined {
    const share = Math.min(Math.max((value - TRIGGER_END) / (1 - 2 * TRIGGER_END), 0), 1);
    const isEnd = share === 0 || share === 1;
    const change = Math.abs(share - this.pulled[hand]);
    if (change === 0 || (change < TRIGGER_STEP && !isEnd)) return undefined;
    return (this.pulled[hand] = share);
  }

  private edges(isDown: (role: PadRole) => boolean): PadRole[] {
    const pressed: PadRole[] = [];
    for (const role of ["lockLeft", "lockRight", "pause", "view"] as const) {
      if (isDown(role) && !this.down.has(role)) pressed.push(role);
      if (isDown(role)) this.down.add(role);
      else this.down.delete(role);
    }
    return pressed;
  }
}

/** share of the greatest force: below it nothing is felt */
const FELT_FROM = 0.1;
/** a change of the share by this much at once is a blow: something was met, slipped or came loose */
const BLOW_FROM = 0.12;
/** how much of a blow is left after each look */
const BLOW_FADES = 0.5;

/** What hands feel as rumble: the force that lasts softly, what changes at once as a blow. */
export class PadFeel {
  private before: [number, number] = [0, 0];
  private blows: [number, number] = [0, 0];

  /** `shares` of the greatest force of each hand, 0 to 1; undefined when there is nothing to feel. */
  feel(shares: [number, number]): [number, number] | undefined {
    const felt = shares.map((share, hand) => {
      const change = Math.abs(share - this.before[hand]);
      this.blows[hand] = Math.max(BLOW_FADES * this.blows[hand], change > BLOW_FROM ? change : 0);
      this.before[hand] = share;
      const lasting = share > FELT_FROM ? 0.5 * share : 0;
      return Math.min(lasting + this.blows[hand], 1);
    }) as [number, number];
    return Math.max(...felt) > 0.02 ? felt : undefined;
  }
}

/** Strong motor for the left hand, weak one for the right; `shares` 0 to 1. */
export function rumble(pad: Gamepad, shares: [number, number]): void {
  const [strong, weak] = shares.map((share) => Math.min(Math.max(share, 0), 1));
  void pad.vibrationActuator
    ?.playEffect("dual-rumble", { duration: 120, strongMagnitude: strong, weakMagnitude: weak })
    .catch(() => undefined);
}
