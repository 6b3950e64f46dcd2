// How far a wound is open, as tests of the program measure it: see cg_tissue_wound_gap.

/** mm below their edges that lips count */
const DEEP = 3;

/** The least distance of the lips in the plane across the wound at a place along it, mm, by the surface inside the wound
    that the page draws: down to 3 mm below the edges. */
export function gapOf(person, along = 0) {
  return person.page.evaluate(
    ([x0, deep]) => {
      const GROOVE = 3;
      const { app, simulation } = window.catgut;
      const { corners, sides, triangleCount } = app.stage.tissues.views[0].data;
      const { positions } = simulation.frame.tissues[0];
      const node = (at) => Array.from(positions.slice(3 * corners[at], 3 * corners[at] + 3), (value) => 1000 * value);

      // where the plane cuts a triangle: two points [y, z]
      const cutOf = (nodes) =>
        nodes.flatMap((a, k) => {
          const b = nodes[(k + 1) % 3];
          if (a[0] < x0 === b[0] < x0) return [];
          const share = (x0 - a[0]) / (b[0] - a[0]);
          return [[a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])]];
        });
      const facesBack = ([a, b, c]) => (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0;
      const lips = [[], []];
      for (let t = 0; t < triangleCount; t++) {
        if (sides[t] !== GROOVE) continue;
        const nodes = [node(3 * t), node(3 * t + 1), node(3 * t + 2)];
        const cut = cutOf(nodes);
        if (cut.length === 2) lips[facesBack(nodes) ? 0 : 1].push(cut);
      }

      const [front, back] = lips.map((cuts) => {
        const lowest = Math.max(...cuts.flat().map(([, z]) => z)) - deep;
        return cuts.filter((cut) => cut.some(([, z]) => z > lowest)).map((cut) => clipped(cut, lowest));
      });
      function clipped([a, b], lowest) {
        const end = (p, q) => (p[1] >= lowest ? p : [p[0] + ((lowest - p[1]) / (q[1] - p[1])) * (q[0] - p[0]), lowest]);
        return [end(a, b), end(b, a)];
      }
      const fromLine = ([y, z], [a, b]) => {
        const [dy, dz] = [b[0] - a[0], b[1] - a[1]];
        const share = ((y - a[0]) * dy + (z - a[1]) * dz) / (dy * dy + dz * dz || 1);
        const near = Math.min(Math.max(share, 0), 1);
        return Math.hypot(y - a[0] - near * dy, z - a[1] - near * dz);
      };
      // lines that do not cross are nearest at an end of one of them
      const apart = (one, other) =>
        Math.min(...one.map((point) => fromLine(point, other)), ...other.map((point) => fromLine(point, one)));
      return Math.min(...front.flatMap((one) => back.map((other) => apart(one, other))));
    },
    [along, DEEP],
  );
}
