// Who has the hands: this page, another one, or nobody; and a button to take them or to let others have them.

import type { Simulation } from "../net/simulation";
import { h, setText } from "./dom";

export interface RoleHost {
  takeHands(): void;
  leaveHands(): void;
}

export class RoleChip {
  readonly element: HTMLElement;
  private readonly text = h("span", { class: "role", role: "status" });
  private readonly act: HTMLButtonElement;
  private takes = true;

  constructor(host: RoleHost) {
    this.act = h("button", {
      type: "button",
      class: "outline",
      onClick: () => (this.takes ? host.takeHands() : host.leaveHands()),
    });
    this.element = h("div", { class: "role-chip", hidden: true }, this.text, this.act);
  }

  /** Alone and with the hands there is nothing to say. */
  update(simulation: Simulation): void {
    const { frame, hasHands, mayControl } = simulation;
    if (!frame) return;
    const others = frame.clients > 1;
    const areFree = frame.hands.length > 0 && frame.hands.every(({ driver }) => driver === 0);
    this.element.hidden = frame.hands.length === 0 || simulation.isWatching || (hasHands && !others);
    this.takes = !hasHands;
    const role = hasHands ? "You have the hands" : areFree ? "Nobody has the hands" : "Watching";
    setText(this.text, mayControl ? role : "Watching: the address has no token");
    this.act.hidden = !mayControl || !(hasHands ? others : areFree);
    setText(this.act, hasHands ? "Let go" : "Take them");
    this.element.dataset.role = hasHands ? "driver" : areFree ? "free" : "viewer";
  }
}
