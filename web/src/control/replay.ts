// The recording of an attempt, shown inside a page: opened for as long as the page wants it, played from any moment.

import type { SceneMessage } from "../base/protocol.generated";
import type { Simulation } from "../net/simulation";
import type { Replay } from "../train/context";
import type { Result } from "../train/data";
import type { GoalMarks } from "../view/taskMarks";

/** steps before the last one that count as the end: playing stops at the frame before it */
const NEAR_END = 20;

/** Where the picture can be put. */
export interface ReplayStage {
  /** brings the picture into the page */
  enter(): void;
  /** the picture is where `enter` brought it: nobody else took it since */
  isHere(): boolean;
  leave(): void;
  setTaskMarks(marks: GoalMarks | undefined): void;
}

type Source = Pick<Simulation, "whenOpen" | "connection" | "order" | "listen" | "frame"> & {
  scene: Pick<SceneMessage, "time_step" | "last_step"> | undefined;
};

/** Fails when the recording cannot be opened, or the page went before it was. */
export async function openReplay(
  simulation: Source,
  stage: ReplayStage,
  told: Pick<Result, "attempt" | "marks">,
  isWanted: () => boolean,
  onTime: (time: number, isPlaying: boolean) => void,
): Promise<Replay> {
  const insist = () => {
    if (!isWanted()) throw new Error("the page went");
  };
  await simulation.whenOpen();
  insist();
  stage.enter();
  await simulation.connection.order({ type: "open_recording", name: `attempt:${told.attempt}` });
  insist();
  stage.setTaskMarks(told.marks);
  const stopListening = simulation.listen({ onFrame: (frame) => onTime(frame.time, frame.factor !== 0) });

  const seek = (time: number) => {
    const step = Math.max(Math.round(time / (simulation.scene?.time_step ?? 1)), 0);
    void simulation.order({ type: "seek", step });
  };
  const play = (speed: number) => void simulation.order({ type: "play", speed });
  const isAtEnd = () => simulation.frame !== undefined && simulation.frame.step + NEAR_END >= (simulation.scene?.last_step ?? 0);
  return {
    seek,
    playFrom: (time) => {
      seek(time);
      play(1);
    },
    toggle: () => {
      const isPlaying = (simulation.frame?.factor ?? 0) !== 0;
      if (!isPlaying && isAtEnd()) seek(0);
      play(isPlaying ? 0 : 1);
    },
    end: () => {
      stopListening();
      if (!stage.isHere()) return;
      stage.setTaskMarks(undefined);
      stage.leave();
    },
  };
}
