// Who has the hands: this page, another one, or nobody; and a button to take them or to let others have them.

import type { Simulation } from "../net/simulation";
import { h, setText } from "./dom";

export interface RoleHost {
  takeHands(): void;
  leaveHands(): void;
  askForHands(): void;
  takeHandsBack(): void;
}

/** What there is to say, what the button says, and what it does. */
type Act = "takeHands" | "leaveHands" | "askForHands" | "takeHandsBack";
const labels: Record<Act, string> = {
  takeHands: "Take them",
  leaveHands: "Let go",
  askForHands: "Ask for the hands",
  takeHandsBack: "Take them back",
};

export class RoleChip {
  readonly element: HTMLElement;
  private readonly text = h("span", { class: "role", role: "status" });
  private readonly act: HTMLButtonElement;
  private does: Act = "takeHands";

  constructor(host: RoleHost) {
    this.act = h("button", {
      type: "button",
      class: "outline",
      onClick: () => host[this.does](),
    });
    this.element = h("div", { class: "role-chip", hidden: true }, this.text, this.act);
  }

  /** Alone and with the hands there is nothing to say. */
  update(simulation: Simulation): void {
    const { frame, hasHands, mayControl, isGuest } = simulation;
    if (!frame) return;
    const others = frame.clients > 1;
    const areFree = frame.hands.length > 0 && frame.hands.every(({ driver }) => driver === 0);
    this.element.hidden = frame.hands.length === 0 || simulation.isWatching || (hasHands && !others);
    this.does = hasHands ? "leaveHands" : isGuest ? "askForHands" : areFree ? "takeHands" : "takeHandsBack";
    const role = hasHands ? "You have the hands" : areFree && !isGuest ? "Nobody has the hands" : "Watching";
    setText(this.text, mayControl ? role : "Watching: the address has no token");
    this.act.hidden = !mayControl || (hasHands && !others);
    setText(this.act, labels[this.does]);
    this.element.dataset.role = hasHands ? "driver" : areFree && !isGuest ? "free" : "viewer";
  }
}
