// One line for who is here for the first time: how a hand is moved. It goes with the first motion.

import { keyLabel, type Bindings } from "../input/bindings";
import { h, setText } from "./dom";

/** What a person has before them. */
export interface Sight {
  /** of the chosen hand, as "right" */
  hand: string;
  isTouch: boolean;
  /** hands move along the table, as it is looked at */
  isOverTable: boolean;
  /** there is a needle, and the chosen hand has jaws for it */
  hasNeedle: boolean;
  /** the chosen hand can be closed */
  canClose: boolean;
}

export function hintFor({ hand, isTouch, isOverTable, hasNeedle, canClose }: Sight, bindings: Bindings): string {
  const depth = isOverTable ? "lifts and lowers it" : "moves it away and nearer";
  const key = (action: string) => keyLabel(bindings.keys[action]);
  if (isTouch) {
    const close = canClose ? " Two taps close and open it." : "";
    return `A finger carries a hand; sliding a second one ${depth}.${close}`;
  }
  const wheel = bindings.wheel === "depth" ? "the wheel" : "Ctrl and the wheel";
  const drag = `${["Drag", "Drag with the middle button", "Drag with the right button"][bindings.mouse.move]} to move the ${hand} hand`;
  const close = canClose ? ` ${key("active.close")} closes and opens it.` : "";
  const needle = hasNeedle ? ` ${key("active.lineUp")} brings its jaws to the needle.` : "";
  return `${drag}; ${wheel} ${depth}.${close}${needle} ${key("view.help")} shows all.`;
}

export class HintLine {
  readonly element = h("p", { class: "hint", hidden: true });

  /** Undefined: there is nothing to say. */
  show(text: string | undefined): void {
    this.element.hidden = text === undefined;
    if (text !== undefined) setText(this.element, text);
  }
}
