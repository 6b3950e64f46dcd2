// Which hand of a scene is the left one and which the right one.

/** Their places: as they are called, or the first two. */
export function sidesOf(infos: readonly { name: string }[]): [number, number] {
  const isSwapped = infos[0]?.name === "right" && infos[1]?.name === "left";
  return isSwapped ? [1, 0] : [0, 1];
}

/** 0: what is at a place counts as left; 1: as right. Hands take turns. */
export function sideAt(infos: readonly { name: string }[], place: number): 0 | 1 {
  return ((place + sidesOf(infos)[0]) % 2) as 0 | 1;
}
