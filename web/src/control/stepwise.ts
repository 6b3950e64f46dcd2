// A lesson step by step: the world pauses when a step begins, until the person has read what it says.

import type { Simulation } from "../net/simulation";

export class Stepwise {
  isOn = false;

  constructor(private readonly simulation: Pick<Simulation, "order" | "isPaused" | "isViewer" | "frame">) {}

  toggle(): void {
    this.isOn = !this.isOn;
    if (!this.isOn && this.waits) this.next();
  }

  /** A step begins. */
  takeStep(): void {
    if (this.isOn && !this.simulation.isViewer) void this.simulation.order({ type: "pause" });
  }

  next(): void {
    void this.simulation.order({ type: "go" });
  }

  /** A script is under way that this page may stop at its steps. */
  get canWait(): boolean {
    return this.simulation.frame?.script === 1 && !this.simulation.isViewer;
  }

  get waits(): boolean {
    return this.canWait && this.simulation.isPaused;
  }
}
