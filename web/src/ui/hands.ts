// A card for each hand at the bottom of the page, and a small bar of force beside each hand in the picture.

import type { FrameMessage, HandInfo, HandState, SceneMessage } from "../protocol.generated";
import { forceShare, newtons, sceneLabel } from "./format";
import { button, h, setPressed, setText } from "./dom";

export interface HandCardHost {
  choose(place: number): void;
  toggleClosed(place: number): void;
  toggleLock(place: number): void;
  moveDepth(place: number, share: number): void;
}

export interface HandView {
  isActive: boolean;
  isLocked: boolean;
  isInReach: boolean;
  isOthers: boolean;
  /** pixels */
  at: { x: number; y: number };
}

export function forceOf(state: HandState): number {
  return Math.hypot(...state.force);
}

/** m: how far a hand is from where it should be */
export function lagOf(state: HandState): number {
  return Math.hypot(...state.target.map((value, k) => value - state.position[k]));
}

/** m: below this a hand follows well enough */
const WORTH_SAYING = 0.002;

export function describe(state: HandState, view: HandView, threads: { name: string }[]): string {
  if (view.isOthers) return "driven by another page";
  const lag = lagOf(state);
  const behind = lag > WORTH_SAYING ? ` · ${(1000 * lag).toFixed(0)} mm behind` : "";
  if (state.tissue >= 0) return `holds tissue${behind}`;
  if (state.thread >= 0) return behind ? `holds${behind}` : `holds ${threads[state.thread]?.name ?? "a thread"}`;
  if (state.closed) return `closed, empty${behind}`;
  return view.isInReach ? "open, in reach" : `open${behind}`;
}

class HandCard {
  readonly element: HTMLElement;
  readonly tag: HTMLElement;
  private readonly state = h("div", { class: "state" });
  private readonly force = h("div", { class: "force" });
  private readonly meter = h("i");
  private readonly bar = h("i");
  private readonly tagForce = h("span");
  private readonly tagLag = h("small");
  private readonly close: HTMLButtonElement;
  private readonly lock: HTMLButtonElement;

  constructor(
    private readonly info: HandInfo,
    readonly place: number,
    host: HandCardHost,
  ) {
    const side = place === 0 ? "left" : "right";
    const name = sceneLabel(info.name);
    this.close = button({
      label: "Close",
      title: `Close or open the ${side} hand`,
      className: "outline",
      pressed: false,
      onClick: () => host.toggleClosed(place),
    });
    this.lock = button({
      icon: "lock",
      label: "",
      title: `Lock the ${side} hand where it is`,
      className: "outline",
      pressed: false,
      onClick: () => host.toggleLock(place),
    });
    this.element = h(
      "section",
      { class: `hand card ${side}`, "aria-label": `${name} hand` },
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { class: "title", type: "button", title: `Choose the ${side} hand`, onClick: () => host.choose(place) },
          name,
        ),
        this.state,
      ),
      h("div", { class: "row" }, h("div", { class: "meter" }, this.meter), this.force),
      h(
        "div",
        { class: "buttons" },
        this.close,
        button({
          label: "Near",
          title: `Bring the ${side} hand nearer`,
          className: "outline",
          onClick: () => host.moveDepth(place, -1),
        }),
        button({
          label: "Far",
          title: `Move the ${side} hand away`,
          className: "outline",
          onClick: () => host.moveDepth(place, 1),
        }),
        this.lock,
      ),
    );
    this.tag = h(
      "div",
      { class: `tag ${side}`, "aria-hidden": "true" },
      h("div", { class: "bar" }, this.bar),
      h("div", {}, this.tagForce, this.tagLag),
    );
  }

  update(state: HandState, view: HandView, threads: { name: string }[]): void {
    const force = forceOf(state);
    const share = forceShare(force, this.info.force_cap);
    this.element.dataset.active = String(view.isActive);
    setText(this.state, describe(state, view, threads));
    setText(this.force, newtons(force));
    this.meter.style.width = `${100 * share}%`;
    setText(this.close.querySelector("span")!, state.closed ? "Open" : "Close");
    setPressed(this.close, state.closed !== 0);
    setPressed(this.lock, view.isLocked);
    this.bar.style.height = `${100 * share}%`;
    setText(this.tagForce, state.thread >= 0 || state.tissue >= 0 ? newtons(force) : "");
    const lag = lagOf(state);
    setText(this.tagLag, lag > WORTH_SAYING ? `${(1000 * lag).toFixed(0)} mm behind` : "");
    this.tag.style.transform = `translate(${(view.at.x + 22).toFixed(1)}px, ${(view.at.y - 26).toFixed(1)}px)`;
  }
}

export class HandCards {
  private cards: HandCard[] = [];

  constructor(
    private readonly left: HTMLElement,
    private readonly right: HTMLElement,
    private readonly tags: HTMLElement,
    private readonly host: HandCardHost,
  ) {}

  build(scene: SceneMessage): void {
    this.cards = scene.hands.slice(0, 2).map((info, place) => new HandCard(info, place, this.host));
    this.left.replaceChildren(...this.cards.slice(0, 1).map((card) => card.element));
    this.right.replaceChildren(...this.cards.slice(1).map((card) => card.element));
    this.tags.replaceChildren(...this.cards.map((card) => card.tag));
  }

  update(frame: FrameMessage, scene: SceneMessage, viewOf: (state: HandState) => HandView): void {
    for (const state of frame.hands) this.cards[state.hand]?.update(state, viewOf(state), scene.threads);
  }

  setTagsVisible(isVisible: boolean): void {
    this.tags.hidden = !isVisible;
  }
}
