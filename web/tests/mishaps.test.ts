// A stitch that tears and a thread that breaks: tissue turns pale before, and both are heard by those who want it.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { BiteState } from "../src/base/protocol.generated";
import { mishapWave, Sounds, type Mishap } from "../src/ui/sound";
import { bitePaleness, MOST_MARKS, PressMarks } from "../src/view/marks";

function biteWith(pull: number, more: Partial<BiteState> = {}): BiteState {
  return { thread: 0, tissue: 0, position: [0.001, 0.002, 0.003], pull: [0, pull, 0], bears: 4, ...more };
}

describe("tissue around a bite", () => {
  it("turns pale before it tears, the more the nearer it is to that", () => {
    const shares = [0, 1, 2, 3, 4, 5].map((pull) => bitePaleness(biteWith(pull)));
    expect(shares[0]).toBe(0);
    expect(shares[1]).toBe(0);
    expect(shares[2]).toBeGreaterThan(0.2);
    expect(shares[3]).toBeGreaterThan(shares[2]);
    expect(shares.slice(4)).toEqual([1, 1]);
    expect(bitePaleness(biteWith(1, { bears: 0 }))).toBe(0);
  });

  it("is marked where the bite is, as long as there are marks", () => {
    const marks = new PressMarks();
    marks.set([], [biteWith(0.1), biteWith(4)]);
    expect(marks.places.value[0].toArray().slice(0, 3)).toEqual([1, 2, 3]);
    expect(Array.from(marks.strengths.value.slice(0, 2))).toEqual([1, 0]);
    marks.set([], Array.from({ length: MOST_MARKS + 3 }, () => biteWith(4)));
    expect(Array.from(marks.strengths.value)).toEqual(Array.from({ length: MOST_MARKS }, () => 1));
    marks.set([], []);
    expect(Math.max(...marks.strengths.value)).toBe(0);
  });

  it("is marked where it is palest when there are too many bites", () => {
    const marks = new PressMarks();
    const pulls = Array.from({ length: MOST_MARKS + 2 }, (_, k) => 2 + 0.1 * k);
    const last = biteWith(4, { position: [0.007, 0.008, 0.009] });
    marks.set([], [...pulls.map((pull) => biteWith(pull)), last]);
    const kept = [...pulls.slice(-MOST_MARKS + 1).map((pull) => bitePaleness(biteWith(pull))), 1];
    expect(Array.from(marks.strengths.value).sort()).toEqual(Array.from(Float32Array.from(kept)).sort());
    const at = marks.strengths.value.indexOf(1);
    expect(marks.places.value[at].toArray().slice(0, 3)).toEqual([7, 8, 9]);
  });
});

describe("the noises", () => {
  const loudest = (wave: Float32Array) => wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

  it.each<Mishap>(["tear", "snap"])("of a %s begins at once, is not too loud, and dies away", (mishap) => {
    const wave = mishapWave(mishap, 8000);
    expect(loudest(wave)).toBeLessThan(0.31);
    expect(loudest(wave.subarray(0, 80))).toBeGreaterThan(0.05);
    expect(loudest(wave.subarray(-80))).toBeLessThan(0.01);
  });

  it("differ: a tear is longer than a snap", () => {
    expect(mishapWave("tear", 8000).length).toBeGreaterThan(3 * mishapWave("snap", 8000).length);
  });
});

describe("sounds", () => {
  const started: number[] = [];
  class Node {
    buffer: { length: number } | undefined;
    gain = { setTargetAtTime: () => undefined };
    frequency = { setTargetAtTime: () => undefined };
    connect = (to: unknown) => to;
    start(): void {
      if (this.buffer) started.push(this.buffer.length);
    }
  }
  class Context {
    sampleRate = 8000;
    currentTime = 0;
    destination = {};
    createBuffer = (_channels: number, length: number) => ({ length, copyToChannel: () => undefined });
    createBufferSource = () => new Node();
    close = () => Promise.resolve();
  }

  afterEach(() => {
    vi.unstubAllGlobals();
    started.length = 0;
  });

  it("are played only while they are switched on", () => {
    vi.stubGlobal("AudioContext", Context);
    vi.stubGlobal("GainNode", Node);
    vi.stubGlobal("OscillatorNode", Node);
    const sounds = new Sounds();
    sounds.play("tear");
    expect(started).toEqual([]);
    sounds.setOn(true);
    sounds.play("tear");
    sounds.play("snap");
    expect(started).toEqual([mishapWave("tear", 8000).length, mishapWave("snap", 8000).length]);
    sounds.setOn(false);
    sounds.play("snap");
    expect(started).toHaveLength(2);
  });
});
