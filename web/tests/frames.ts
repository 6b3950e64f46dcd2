// A frame with nothing in it, an open hand and a grasper, for tests and benchmarks to fill.

import { Tool, type FrameMessage, type HandInfo, type HandState, type Vec3 } from "../src/base/protocol.generated";

export const grasper: HandInfo = {
  name: "right",
  jaw: 0.002,
  force_cap: 10,
  reach: 0.004,
  tool: Tool.grasper,
  grip: 2,
  rod_radius: 0.002,
  rod_length: 0.04,
  edge: [0, 0, 0.01],
  hook_radius: 0.001,
};

export function handAt(position: Vec3, more: Partial<HandState> = {}): HandState {
  return {
    hand: 0,
    closed: 0,
    driver: 1,
    position,
    rotation: [0, 0, 0, 1],
    target: position,
    force: [0, 0, 0],
    torque: [0, 0, 0],
    thread: -1,
    first_vertex: 0,
    vertex_count: 0,
    tissue: -1,
    tool: 0,
    slip: 0,
    slip_speed: 0,
    grip: 0,
    known: 1,
    edge_inside: 0,
    has_jaws: 0,
    opening: 0,
    jaw_force: 0,
    other_jaw_force: 0,
    latched: 0,
    ...more,
  };
}

export function frameOf(number: number): FrameMessage {
  return {
    type: "frame",
    request: 0,
    acknowledged: 0,
    missed: 0,
    generation: 1,
    number,
    step: number,
    time: number / 1000,
    mode: 0,
    recording: 0,
    script: 0,
    factor: 1,
    real_time: 1,
    behind: 0,
    step_seconds: 0,
    stage_seconds: new Float32Array(8),
    passes: 1,
    applied: 0,
    refused: 0,
    trouble: 0,
    has_camera: 0,
    camera_position: [0, 0, 0],
    camera_target: [0, 0, 0],
    camera_up: [0, 0, 0],
    threads: [],
    shapes: [],
    hands: [],
    contacts: [],
    knots: [],
    tissues: [],
    clients: 1,
    tools: [],
    bites: [],
    torn: [],
  };
}
