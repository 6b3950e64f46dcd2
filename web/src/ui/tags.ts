// Where the tags of hands are in the picture: beside their hands, not over each other; that of the chosen hand stays in
// sight when the hand is not. Pixels from the top left corner.

import type { Rectangle } from "../view/framing";

export interface TagWish {
  /** where its hand is drawn */
  at: { x: number; y: number };
  width: number;
  /** with its name before its words */
  namedWidth: number;
  height: number;
  isActive: boolean;
}

type Size = Pick<TagWish, "width" | "height">;

export interface TagPlace {
  x: number;
  y: number;
  /** an arrow to the hand when that is outside the picture or behind a panel; else empty */
  arrow: string;
}

/** from a hand to its tag, and between two tags */
const BESIDE = { x: 22, y: -26 };
const APART = 4;
const arrows = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"];

/** `free` is the part of the picture for tags of hands that are not seen, `panels` what covers the picture. */
export function placeTags(wishes: readonly TagWish[], picture: Rectangle, free: Rectangle, panels: readonly Rectangle[]): TagPlace[] {
  const places: TagPlace[] = [];
  const boxes: Rectangle[] = [];
  const byRank = wishes.map((_, place) => place).sort((a, b) => Number(wishes[b].isActive) - Number(wishes[a].isActive));
  for (const place of byRank) {
    const { at, isActive, height, width, namedWidth } = wishes[place];
    const arrow = isActive && isHidden(at, picture, panels) ? arrowTo(at, free) : "";
    const size = { width: arrow ? namedWidth : width, height };
    const beside = besideIn(at, size, picture);
    const spot = apart(arrow ? within(beside, size, free) : beside, size, boxes);
    boxes.push(boxAt(spot, size));
    places[place] = { ...spot, arrow };
  }
  return places;
}

function isHidden({ x, y }: TagWish["at"], picture: Rectangle, panels: readonly Rectangle[]): boolean {
  const isIn = ({ left, top, right, bottom }: Rectangle) => x >= left && x <= right && y >= top && y <= bottom;
  return !isIn(picture) || panels.some(isIn);
}

function arrowTo({ x, y }: TagWish["at"], { left, top, right, bottom }: Rectangle): string {
  const angle = Math.atan2(y - (top + bottom) / 2, x - (left + right) / 2);
  return arrows[(Math.round((4 * angle) / Math.PI) + 8) % 8];
}

function within({ x, y }: TagWish["at"], { width, height }: Size, { left, top, right, bottom }: Rectangle): TagWish["at"] {
  const clamp = (value: number, low: number, high: number) => Math.max(Math.min(value, high), low);
  return { x: clamp(x, left + APART, right - width - APART), y: clamp(y, top + APART, bottom - height - APART) };
}

/** To the right of a hand, or to its left where the picture ends before the tag does. */
function besideIn(at: TagWish["at"], { width }: Size, picture: Rectangle): TagWish["at"] {
  const right = at.x + BESIDE.x,
    isCut = at.x <= picture.right && right + width > picture.right;
  return { x: isCut ? at.x - BESIDE.x - width : right, y: at.y + BESIDE.y };
}

function boxAt({ x, y }: TagWish["at"], { width, height }: Size): Rectangle {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** The free height that is nearest to the wanted one: over or under the tags that are there. */
function apart(spot: TagWish["at"], size: Size, boxes: readonly Rectangle[]): TagWish["at"] {
  const heights = [spot.y, ...boxes.flatMap(({ top, bottom }) => [bottom + APART, top - size.height - APART])];
  const overlaps = (y: number) => {
    const box = boxAt({ x: spot.x, y }, size);
    return boxes.some((b) => b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top);
  };
  const [best = spot.y] = heights.filter((y) => !overlaps(y)).sort((a, b) => Math.abs(a - spot.y) - Math.abs(b - spot.y));
  return { x: spot.x, y: best };
}
