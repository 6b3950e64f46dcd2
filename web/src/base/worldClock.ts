// The time of the world, as frames tell it: what a person holds down moves hands by it, so that a slow machine, slow
// motion and a pause slow the hands as they slow everything else.

import type { FrameMessage } from "./protocol.generated";

export class WorldClock {
  private last: { time: number; generation: number } | undefined;

  /** s of the world since the last look: none in another world, and none when an undo went back. */
  look(frame: Pick<FrameMessage, "time" | "generation"> | undefined): number {
    const { last } = this;
    this.last = frame && { time: frame.time, generation: frame.generation };
    if (!frame || last?.generation !== frame.generation) return 0;
    return Math.max(frame.time - last.time, 0);
  }
}
