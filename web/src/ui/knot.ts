// The name of the knot, live, throw by throw.

import type { FrameMessage, KnotState } from "../base/protocol.generated";
import { parseThrows } from "./format";
import { h, setText } from "./dom";

export class KnotCard {
  readonly element: HTMLElement;
  private readonly name = h("div", { class: "name" });
  private readonly theory = h("div", { class: "theory" });
  private readonly throws = h("div", { class: "throws" });
  private shown = "";

  constructor() {
    this.element = h(
      "section",
      { class: "knot card", "aria-live": "polite", "aria-label": "Knot" },
      h("p", { class: "label" }, "Knot"),
      this.name,
      this.theory,
      this.throws,
    );
    this.clear();
  }

  clear(): void {
    this.shown = "";
    setText(this.name, "–");
    setText(this.theory, "");
    this.throws.hidden = true;
  }

  update(frame: FrameMessage): void {
    const knot = mostTied(frame.knots);
    const text = knot ? `${knot.name}|${knot.common}|${knot.throws}|${knot.certain}` : "";
    if (text === this.shown) return;
    if (!knot) return this.clear();
    this.shown = text;
    const isKnot = knot.name !== "0_1";
    setText(this.name, isKnot ? knot.common || knot.name : "No knot");
    setText(this.theory, isKnot ? `${knot.name}${knot.certain ? "" : " (not certain)"}` : "");
    this.showThrows(isKnot ? knot.throws : "");
  }

  private showThrows(text: string): void {
    const throws = parseThrows(text);
    this.throws.hidden = throws.length === 0;
    this.throws.replaceChildren(
      ...throws.flatMap(({ link, wraps }) => [
        ...(link ? [h("span", { title: link === "=" ? "opposite sense" : "same sense" }, link)] : []),
        h("b", { title: wraps === "1" ? "single throw" : `throw ${wraps}` }, wraps),
      ]),
      throws.length > 0 ? h("span", {}, throws.length === 1 ? "1 throw" : `${throws.length} throws`) : "",
    );
  }
}

/** Of several threads, the one with a knot. */
function mostTied(knots: KnotState[]): KnotState | undefined {
  return knots.find((knot) => knot.name !== "0_1") ?? knots[0];
}
