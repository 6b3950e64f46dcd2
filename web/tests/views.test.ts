import { Mesh, type BufferGeometry, type Material, type Object3D } from "three";
import { describe, expect, it, vi } from "vitest";
import { nobody, type Socket } from "../src/net/connection";
import { Simulation } from "../src/net/simulation";
import { encodeMessage, Tool, type SceneMessage, type ServerMessage } from "../src/base/protocol.generated";
import { HandViews } from "../src/view/hands";
import { qualities } from "../src/view/quality";
import { Stage } from "../src/view/stage";
import { palettes } from "../src/view/theme";
import { frameOf, grasper as hand } from "./frames";

describe("hands that are built anew", () => {
  for (const tool of [Tool.grasper, Tool.probe, Tool.scalpel, Tool.hook]) {
    it(`give back what they were drawn with (tool ${tool})`, () => {
      const views = new HandViews(qualities.low, palettes.dark);
      views.build([{ ...hand, tool }]);
      const held = new Set<BufferGeometry | Material>();
      views.group.traverse((each: Object3D) => {
        const { geometry, material } = each as Mesh;
        if (geometry) held.add(geometry).add(material as Material);
      });
      expect(held.size).toBeGreaterThan(10);
      for (const each of held) (each as Material).addEventListener("dispose", () => held.delete(each));
      views.build([hand]);
      expect(held.size).toBe(0);
    });
  }
});

class FakeSocket implements Socket {
  binaryType: BinaryType = "blob";
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  readonly send = vi.fn();
  readonly close = vi.fn();
  say(message: ServerMessage): void {
    this.onmessage?.({ data: encodeMessage(message).buffer });
  }
}

describe("a surface that does not go with the one before", () => {
  it("makes the line anew, for whole surfaces to come again", () => {
    const socket = new FakeSocket();
    const simulation = new Simulation(() => socket, nobody);
    const scene = { type: "scene", request: 0, generation: 1, name: "", title: "", duration: 1, time_step: 0.001 };
    const lists = { first_step: 0, last_step: 0, threads: [], shapes: [], hands: [], tissues: [] };
    let isGood = true;
    simulation.listen({ onSurface: () => isGood });
    simulation.start();
    socket.onopen?.({});
    socket.say({ ...scene, ...lists } as unknown as SceneMessage);
    const surface = { type: "surface", request: 0, generation: 1, tissue: 0, topology_version: 1 } as const;
    socket.say({ ...surface, nodes: [], triangles: [] });
    expect(socket.close).not.toHaveBeenCalled();
    isGood = false;
    socket.say({ ...surface, nodes: [], triangles: [] });
    expect(socket.close).toHaveBeenCalledOnce();
  });
});

describe("the camera of a scene that is built anew", () => {
  /** A stage without a canvas: parts that draw nothing, and a count of how often all was looked at. */
  function makeStage() {
    const know = vi.fn(() => true);
    const part = { build: vi.fn(), update: vi.fn(), hide: vi.fn(), know };
    const lookAtAll = vi.fn();
    const parts = { threads: part, tissues: part, shapes: part, hands: part, ghosts: part, judge: { reset: vi.fn() }, rig: { version: 0 } };
    const stage = Object.assign(Object.create(Stage.prototype), parts, { isFramed: false, lookAtAll }) as Stage;
    const build = (keepCamera: boolean) => stage.build({ generation: 1, threads: [], shapes: [] } as unknown as SceneMessage, keepCamera);
    const look = { showTension: false, showTwist: false, stereo: false, showWire: false };
    const show = () => stage.update(frameOf(1), look, 0, [], []);
    return { build, show, lookAtAll, know };
  }

  it("looks again when it hears where the wound is", () => {
    const { build, show, lookAtAll, know } = makeStage();
    know.mockReturnValue(false);
    build(false);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(1);
    know.mockReturnValue(true);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(2);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(2);
  });

  it("stays where it was, and finds its place when no frame had come before", () => {
    const { build, show, lookAtAll } = makeStage();
    build(false);
    build(true);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(1);
    build(true);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(1);
    build(false);
    show();
    expect(lookAtAll).toHaveBeenCalledTimes(2);
  });
});
