// What the page's own code costs for one frame of a long thread, and of a tissue: decoding, reach of the hands, skin and
// colours of the tube, points and normals of the surface. Without rendering. Prints CPU time (this process, all threads)
// and bytes.
//
//     npm run bench [-- VERTICES]

import {
  decodeMessage,
  encodeMessage,
  type FrameMessage,
  type SceneMessage,
  type SurfaceChangeMessage,
} from "../src/base/protocol.generated";
import { handsInReach } from "../src/input/reach";
import { qualities } from "../src/view/quality";
import { SurfaceMesh } from "../src/view/surface";
import { SurfaceData } from "../src/view/surfaceData";
import { linearColour, tensionColour } from "../src/view/theme";
import { Tube } from "../src/view/tube";
import { frameOf, handAt } from "../tests/frames";

const FRAMES = 600;
const GROUP = 10; // frames that are timed together: the clock of CPU time is coarse

function makeFrame(count: number): FrameMessage {
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const a = (40 * Math.PI * i) / count;
    positions.set([0.02 * Math.cos(a), 0.02 * Math.sin(a), (0.1 * i) / count], 3 * i);
  }
  return {
    ...frameOf(1),
    acknowledged: 1,
    step_seconds: 5e-4,
    threads: [
      {
        thread: 0,
        topology_version: 1,
        positions,
        director: [0, 0, 1],
        twist: Float32Array.from({ length: count - 1 }, (_, i) => 0.01 * i),
        tensions: Float32Array.from({ length: count - 1 }, (_, i) => 0.001 * i),
      },
    ],
    hands: [0, 1].map((hand) => handAt([0.5, 0, 0], { hand })),
    contacts: Array.from({ length: 200 }, (_, i) => ({
      thread: 0,
      other_thread: 0,
      shape: -1,
      segment: i,
      other_segment: i + 50,
      point: [0, 0, 0] as [number, number, number],
      normal: [0, 0, 1] as [number, number, number],
      force: [0, 0, 1] as [number, number, number],
      gap: 0,
    })),
    knots: [{ thread: 0, name: "3_1", common: "overhand", throws: "1", certain: 1 }],
  };
}

const vertices = Number(process.argv[2] ?? 3000);
const bytes = encodeMessage(makeFrame(vertices));
const scene = {
  threads: [{ name: "thread", radius: 1e-4, colour: 0x3a5fa8, vertex_count: vertices }],
  hands: [
    { name: "left", jaw: 0.003, force_cap: 10 },
    { name: "right", jaw: 0.003, force_cap: 10 },
  ],
} as SceneMessage;
const { tubeSides } = qualities.high;
const tube = new Tube(vertices, tubeSides, 1);
const base = linearColour(0x3a5fa8);

function oneFrame(): void {
  const frame = decodeMessage(bytes) as FrameMessage;
  handsInReach(frame, scene);
  const [thread] = frame.threads;
  tube.update({
    centres: thread.positions,
    count: vertices,
    radius: 1e-4,
    twist: thread.twist,
    director: thread.director,
  });
  tube.paint(thread.tensions, (tension, rgb) => tensionColour(tension, base, rgb));
}

/** CPU time [ms] of a frame: the middle of groups, and the worst of them. */
function measure(oneFrame: () => void): { median: string; worst: string } {
  for (let i = 0; i < 60; i++) oneFrame(); // until the compiler is done
  const costs: number[] = [];
  for (let i = 0; i < FRAMES / GROUP; i++) {
    const before = process.cpuUsage();
    for (let k = 0; k < GROUP; k++) oneFrame();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000 / GROUP);
  }
  costs.sort((a, b) => a - b);
  return { median: costs[costs.length >> 1].toFixed(2), worst: costs[costs.length - 1].toFixed(2) };
}

function perSecond(size: number): string {
  return `${size} bytes a frame (${((60 * size) / 1e6).toFixed(1)} MB/s at 60 a second)`;
}

const thread = measure(oneFrame);
const upload = 4 * (6 * tube.pointCount) + 4 * tube.pointCount;
console.log(`${vertices} vertices, ${tubeSides} sides: ${perSecond(bytes.length)}`);
console.log(`CPU a frame: median ${thread.median} ms, worst group of ${GROUP} ${thread.worst} ms`);
console.log(`to the graphics card: ${(upload / 1e6).toFixed(2)} MB a frame`);

/** A surface of side x side nodes, drawn refined. */
const side = 38;
const place = (i: number): [number, number, number] => [0.001 * (i % side), 0.001 * Math.floor(i / side), 0];
const nodes = Array.from({ length: side * side }, (_, i) => ({ node: i, home: place(i) }));
const triangles = nodes
  .filter(({ node }) => node % side < side - 1 && node < side * (side - 1))
  .flatMap(({ node }) => [
    { a: node, b: node + 1, c: node + side, side: 0 },
    { a: node + 1, b: node + side + 1, c: node + side, side: 0 },
  ]);
const told = { type: "surface" as const, request: 0, generation: 1, tissue: 0, topology_version: 1, nodes, triangles };
const data = new SurfaceData();
data.take(told);
const surface = new SurfaceMesh(data, true);
const positions = Float32Array.from(nodes.flatMap(({ home }) => home));
const tissueBytes = encodeMessage({
  ...makeFrame(2),
  contacts: [],
  tissues: [{ tissue: 0, topology_version: 1, positions }],
});
const tissue = measure(() => {
  const frame = decodeMessage(tissueBytes) as FrameMessage;
  handsInReach(frame, { ...scene, hands: scene.hands.map((hand) => ({ ...hand, reach: 0.003 })) });
  surface.update(frame.tissues[0].positions);
});
console.log(`tissue of ${nodes.length} nodes at its surface: ${perSecond(tissueBytes.length)}`);
console.log(`CPU a frame: median ${tissue.median} ms, worst group of ${GROUP} ${tissue.worst} ms`);

/** A cut with every frame: 50 triangles are others, a row of them is groove. */
const wholeBytes = encodeMessage(told);
const changeBytes = encodeMessage({
  type: "surface_change",
  request: 0,
  generation: 1,
  tissue: 0,
  topology_version: 2,
  node_count: nodes.length,
  triangle_count: triangles.length,
  nodes: nodes.slice(700, 716).map(({ node, home }) => ({ place: node, node, home })),
  triangles: triangles.slice(1300, 1350).map((triangle, i) => ({ place: 1300 + i, ...triangle, side: 3 })),
});
const cut = measure(() => {
  data.version = 1;
  data.take(decodeMessage(changeBytes) as SurfaceChangeMessage);
  new SurfaceMesh(data, true);
});
console.log(`a cut: ${changeBytes.length} bytes instead of the ${wholeBytes.length} of the whole surface`);
console.log(`CPU a cut, surface drawn anew: median ${cut.median} ms, worst group of ${GROUP} ${cut.worst} ms`);
