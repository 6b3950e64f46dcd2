// The bytes of messages, written down by hand from docs/protocol.md.

import { describe, expect, it } from "vitest";
import {
  decodeMessage,
  decodeOperations,
  encodeMessage,
  encodeOperations,
  ProtocolError,
  type FrameMessage,
  type Operation,
} from "../src/base/protocol.generated";
import { frameOf } from "./frames";

const bytesOf = (text: string) => Uint8Array.from(text.trim().split(/\s+/), (word) => parseInt(word, 16));

describe("messages", () => {
  it("are written byte by byte as the document says", () => {
    const hello = encodeMessage({ type: "hello", request: 0x01020304, version: 1, token: "ä", name: "", session: 2, key: "k" });
    expect(hello).toEqual(bytesOf("01 00  04 03 02 01  01 00  02 00 c3 a4 00  00 00 00  02 00 00 00  01 00 6b 00"));
    const slow = encodeMessage({ type: "slow_motion", request: 1, factor: 0.5 });
    expect(slow).toEqual(bytesOf("09 00  01 00 00 00  00 00 00 00 00 00 e0 3f"));
  });

  it("are read byte by byte as the document says", () => {
    const event = decodeMessage(
      bytesOf("88 00  00 00 00 00  07 00 00 00  00 00 00 00 01 00 00 00  02  02 00 6f 6b 00"),
    );
    expect(event).toEqual({ type: "event", request: 0, generation: 7, step: 4294967296, kind: 2, message: "ok" });
    const topology = decodeMessage(
      bytesOf("86 00  00 00 00 00  01 00 00 00  00 00  03 00 00 00  01 00 00 00  00 00 80 3f"),
    );
    expect(topology).toMatchObject({ type: "topology", thread: 0, topology_version: 3, arcs: Float32Array.of(1) });
  });

  it("come back as they went, a whole frame too", () => {
    const frame: FrameMessage = {
      ...frameOf(9),
      threads: [
        {
          thread: 0,
          topology_version: 2,
          positions: Float32Array.of(1, 2, 3, 4, 5, 6),
          director: [0, 0, 1],
          twist: Float32Array.of(0.5),
          tensions: Float32Array.of(-0.25),
        },
      ],
      knots: [{ thread: 0, name: "3_1", common: "overhand", throws: "1", certain: 1 }],
    };
    expect(decodeMessage(encodeMessage(frame))).toEqual(frame);
  });

  it.each([
    ["nothing", ""],
    ["an unknown number", "77 00 00 00 00 00"],
    ["an end too early", "09 00 01 00 00 00 00 00"],
    ["bytes left over", "82 00 01 00 00 00 00"],
    ["a list longer than its message", "84 00 00 00 00 00 ff ff ff 7f"],
    ["floats longer than their message", "86 00 00 00 00 00 01 00 00 00 00 00 03 00 00 00 ff ff ff 3f"],
  ])("are refused: %s", (_, text) => {
    expect(() => decodeMessage(text ? bytesOf(text) : new Uint8Array())).toThrow(ProtocolError);
  });
});

describe("operations", () => {
  it("come back as they went, to the last bit", () => {
    const operations: Operation[] = [
      { type: "move_hand", step: 0, hand: 1, position: [0.1, -0.2, 1 / 3], rotation: [0, 0, 0, 1], time: 0.02 },
      { type: "close_hand", step: 12, hand: 0 },
      { type: "move_camera", step: 0, position: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1] },
    ];
    expect(decodeOperations(encodeOperations(operations))).toEqual(operations);
  });
});
