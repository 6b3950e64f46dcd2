// The card of a lesson: the step that is shown, and how one goes through it.

import { button, h, setPressed, setText } from "./dom";
import { placeNow } from "./place";

export interface LessonHost {
  stopScript(): void;
  /** waits before each step from now on, or no longer */
  toggleStepwise(): void;
  nextStep(): void;
}

export class LessonCard {
  private readonly label = h("p", { class: "label" }, "Lesson");
  private readonly name = h("strong");
  private readonly text = h("p");
  private readonly stepwise: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  readonly element: HTMLElement;

  constructor(host: LessonHost) {
    this.stepwise = button({
      label: "Step by step",
      title: "Wait before each step, so that there is time to read",
      className: "outline",
      pressed: false,
      onClick: () => host.toggleStepwise(),
    });
    const next = () => host.nextStep(),
      stop = () => host.stopScript();
    this.next = button({ label: "Next", title: "Go on with this step", className: "strong", onClick: next });
    const stopButton = button({ label: "Stop", title: "Stop the script", className: "outline", onClick: stop });
    this.element = h(
      "section",
      { class: "lesson card", "aria-live": "polite", "aria-label": "Lesson", hidden: true },
      h("div", { class: "words" }, this.label, this.name, this.text),
      h("div", { class: "ways" }, this.next, this.stepwise, stopButton),
    );
  }

  /** A step: its name, and what it explains; undefined: there is none. True when the card came or went. */
  show(name: string | undefined, explanation: string): boolean {
    const isHidden = name === undefined;
    const hasChanged = this.element.hidden !== isHidden;
    this.element.hidden = isHidden;
    setText(this.label, placeNow() === "attempt" ? "Step" : "Lesson");
    setText(this.name, name ?? "");
    setText(this.text, explanation);
    return hasChanged;
  }

  /** Whether a script can wait before its steps, whether it does, and whether it waits now. */
  setWaits(canWait: boolean, isStepwise: boolean, waits: boolean): void {
    this.stepwise.hidden = !canWait;
    this.next.hidden = !canWait || !isStepwise || !waits;
    setPressed(this.stepwise, isStepwise);
  }
}
