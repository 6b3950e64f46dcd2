// One stitch by mouse and keys, as the guide says: the needle is picked up from the skin, turned upright across the wound,
// driven through both lips, taken by the other driver, drawn out, and both ends are pulled until the wound is closed.

import { gapOf } from "./gap.mjs";

const [RIGHT, LEFT, TAIL] = [0, 1, 2];
/** mm between the lips at the stitch: below this the wound is closed */
const CLOSED = 1;
/** mm over the skin that the point stands out for the other driver, and the end when it is drawn out */
const STANDS_OUT = 4.5;
const IS_OUT = 4;

/** Says what becomes of it, and whether the wound is closed; and in which part of it steps ended unfinished. */
export async function sew(person, onPart = async () => undefined) {
  const { page } = person;
  const parts = [];
  let [troubleBefore, stepBefore] = [0, 0];
  const onStep = async (name) => {
    const { trouble, step } = await person.frame();
    parts.push(`${name} ${trouble - troubleBefore} of ${step - stepBefore}`);
    [troubleBefore, stepBefore] = [trouble, step];
    await onPart(name);
  };
  await page.keyboard.press("Digit6");
  await person.advance(20);
  const before = await gapOf(person);

  await person.chooseHand(RIGHT);
  await person.lineUp(RIGHT); // over the needle
  await person.lineUp(RIGHT); // and in
  await person.pressClose();
  await person.advance(250);
  await onStep("picked up");
  if (!(await person.held()).includes("right")) return { told: "the needle was not picked up", isGood: false };

  await person.lift(RIGHT, 16);
  await person.lineUp(RIGHT); // upright across the wound
  await person.lift(RIGHT, -2.9); // the point at the skin
  await person.rest();
  await onStep("lined up");
  await person.drive(RIGHT, ({ tip, centre }) => tip[1] < centre[1] - 3 && tip[2] > STANDS_OUT, 30);
  await person.advance(100);
  await onStep("driven");

  const [, y, z] = await person.onNeedle(0.1);
  await person.carry(LEFT, [-30, y, z]);
  await person.lineUp(LEFT);
  await person.lineUp(LEFT);
  await person.pressClose();
  await person.advance(250);
  await onStep("taken");
  if (!(await person.held()).includes("left")) return { told: "the point was not taken", isGood: false };
  await person.chooseHand(RIGHT);
  await person.pressClose();
  await person.advance(100);
  const [rx, ry, rz] = (await person.look(RIGHT)).told;
  await person.carry(RIGHT, [rx + 25, ry, rz]);
  await person.chooseHand(LEFT);
  await person.drive(LEFT, ({ end, centre }) => end[1] < centre[1] && end[2] > IS_OUT, 30);
  await onStep("drawn out");
  await person.lift(LEFT, 35);
  await onStep("thread drawn");

  await person.takeTail(TAIL);
  await onStep("tail");
  if ((await person.hand(TAIL)).thread < 0) return { told: "the tail was not taken", isGood: false };
  const pulled = await person.pullClosed(LEFT, TAIL);
  await person.advance(300);
  const gap = await gapOf(person);
  await onStep("pulled");
  const { time, trouble } = await person.frame();
  const isHeld = (await person.held()).includes("left");
  const told = `${before.toFixed(2)} to ${gap.toFixed(2)} mm, ${pulled.toFixed(2)} N, after ${time.toFixed(0)} s, ${trouble} steps unfinished (${parts.join(", ")})${isHeld ? "" : ", the driver lost the needle"}`;
  return { told, isGood: gap < CLOSED };
}
