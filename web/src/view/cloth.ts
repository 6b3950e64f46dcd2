// The drape as plain arrays: a round cloth whose rings widen outwards, in millimetres about the middle of the scene.
//
// Lamp. The light of a lamp above the middle falls off as dim + (1 - dim) exp(-(r / (LAMP reach))^2); far away the cloth
// goes over into the backdrop.
//
// Folds. Each of a few directions carries ridges 1 - |sin|, bent by a slow wave so that they do not run straight. They
// only go down from the height of the table and are gone where one works: nothing that lies on the table is hidden or
// seems to float.

/** the lamp lights this many times the reach of the scene */
const LAMP = 2.1;
/** shares of the reach: where folds begin, are full, how deep and how wide they are */
const FOLDS_BEGIN = 1.15;
const FOLDS_FULL = 2.6;
const FOLD_DEPTH = 0.085;
const FOLD_WIDTH = 0.9;
/** shares of the reach: where the cloth begins to go over into the backdrop, and where nothing of it is left */
const FADE_BEGIN = 3.2;
const FADE_END = 9;
const directions = [0.35, 1.25, 2.2, 2.75];

export interface Cloth {
  positions: Float32Array;
  normals: Float32Array;
  /** per point: share of the lamp's light, share of the backdrop */
  shares: Float32Array;
  indices: Uint32Array;
}

function smooth(from: number, to: number, x: number): number {
  const s = Math.min(Math.max((x - from) / (to - from), 0), 1);
  return s * s * (3 - 2 * s);
}

/** Share of the lamp's light at a distance from the middle. */
export function lampShare(distance: number, reach: number, dim: number): number {
  return dim + (1 - dim) * Math.exp(-((distance / (LAMP * reach)) ** 2));
}

/** mm, 0 or less: height of the cloth against the table. */
export function foldHeight(x: number, y: number, reach: number): number {
  const distance = Math.hypot(x, y);
  const share = smooth(FOLDS_BEGIN, FOLDS_FULL, distance / reach);
  if (share === 0) return 0;
  const wide = FOLD_WIDTH * reach;
  let height = 0;
  directions.forEach((direction, place) => {
    const along = (x * Math.cos(direction) + y * Math.sin(direction)) / wide;
    const across = (y * Math.cos(direction) - x * Math.sin(direction)) / wide;
    const bend = 0.8 * Math.sin(0.7 * along + place) + 0.35 * Math.sin(1.9 * along + 2 * place);
    const ridge = 1 - Math.abs(Math.sin(Math.PI * (0.55 * across + bend) + 1.7 * place));
    height += ridge * ridge * (0.5 + 0.5 * Math.sin(0.6 * across + 0.9 * along + 3 * place));
  });
  return -FOLD_DEPTH * reach * share * Math.min(height / 2, 1);
}

export function makeCloth(reach: number, dim: number, [rings, sectors]: [number, number]): Cloth {
  const points = 1 + rings * sectors;
  const cloth: Cloth = {
    positions: new Float32Array(3 * points),
    normals: new Float32Array(3 * points),
    shares: new Float32Array(2 * points),
    indices: new Uint32Array(3 * sectors * (2 * rings - 1)),
  };
  for (let point = 0; point < points; point++) {
    const ring = point === 0 ? 0 : 1 + Math.floor((point - 1) / sectors);
    const distance = reach * FADE_END * (ring / rings) ** 1.8;
    const angle = (2 * Math.PI * ((point - 1) % sectors)) / sectors;
    placePoint(cloth, point, distance * Math.cos(angle), distance * Math.sin(angle), reach);
    cloth.shares[2 * point] = lampShare(distance, reach, dim);
    cloth.shares[2 * point + 1] = smooth(FADE_BEGIN, FADE_END, distance / reach);
  }
  joinRings(cloth.indices, rings, sectors);
  return cloth;
}

function placePoint({ positions, normals }: Cloth, point: number, x: number, y: number, reach: number): void {
  const step = 0.02 * reach;
  const height = foldHeight(x, y, reach);
  const dx = (foldHeight(x + step, y, reach) - height) / step;
  const dy = (foldHeight(x, y + step, reach) - height) / step;
  const length = Math.hypot(dx, dy, 1);
  positions.set([x, y, height], 3 * point);
  normals.set([-dx / length, -dy / length, 1 / length], 3 * point);
}

function joinRings(indices: Uint32Array, rings: number, sectors: number): void {
  let at = 0;
  for (let sector = 0; sector < sectors; sector++) {
    const next = (sector + 1) % sectors;
    indices.set([0, 1 + sector, 1 + next], at);
    at += 3;
    for (let ring = 1; ring < rings; ring++) {
      const inner = 1 + (ring - 1) * sectors,
        outer = inner + sectors;
      indices.set([inner + sector, outer + sector, outer + next, inner + sector, outer + next, inner + next], at);
      at += 6;
    }
  }
}

/** x and y of points along a rectangle with round corners, counter-clockwise; as many for every size. */
export function roundedRectangle(halfX: number, halfY: number, corner: number, pointsOfCorner: number): Float32Array {
  const round = Math.min(corner, halfX, halfY);
  const points: number[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    const sx = quarter === 0 || quarter === 3 ? 1 : -1,
      sy = quarter < 2 ? 1 : -1;
    for (let k = 0; k < pointsOfCorner; k++) {
      const angle = (Math.PI / 2) * (quarter + k / (pointsOfCorner - 1));
      points.push(sx * (halfX - round) + round * Math.cos(angle), sy * (halfY - round) + round * Math.sin(angle));
    }
  }
  return Float32Array.from(points);
}
