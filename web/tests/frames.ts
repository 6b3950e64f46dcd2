// A frame with nothing in it, for tests to fill.

import type { FrameMessage } from "../src/base/protocol.generated";

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
  };
}
