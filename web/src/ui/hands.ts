// A card for each hand at the bottom of the page, and a small bar of force beside each hand in the picture.

import { sidesOf } from "../base/sides";
import { MILLI } from "../base/units";
import { Tool, TOOLS, type FrameMessage, type HandInfo, type HandState, type SceneMessage } from "../base/protocol.generated";
import type { ToolName } from "../input/drivers";
import { spokenTool } from "../input/bindings";
import { openingOf } from "../view/jaws";
import { forceShare, newtons, sceneLabel } from "./format";
import type { TagPlace, TagWish } from "./tags";
import { button, h, setPressed, setText, type IconName } from "./dom";

export interface HandCardHost {
  choose(place: number): void;
  toggleClosed(place: number): void;
  toggleLock(place: number): void;
  /** lifts (-1) or lowers (1) a hand a little, and goes on doing so until 0 comes */
  holdDepth(place: number, way: -1 | 0 | 1): void;
  takeTool(place: number, tool: ToolName): void;
}

export interface HandView {
  isActive: boolean;
  isLocked: boolean;
  isInReach: boolean;
  isOthers: boolean;
  /** nobody drives it */
  isFree?: boolean;
  /** what is below it, in words */
  below?: string;
  /** pixels */
  at: { x: number; y: number };
}

/** the driver of a hand that a device leads */
const DEVICE = 0xffffffff;

export function forceOf(state: HandState): number {
  return Math.hypot(...state.force);
}

/** m: how far a hand is from where it should be */
function lagOf(state: HandState): number {
  return Math.hypot(...state.target.map((value, k) => value - state.position[k]));
}

/** of a tag: pixels of its bar and what is around its words, of a letter, of its height; and letters for the arrow before
    its name and the gap behind it */
const TAG = { BAR: 26, LETTER: 6.6, HEIGHT: 48, NAME: 4 };
/** m: below this a hand follows well enough */
const WORTH_SAYING = 0.002;
/** m: of an edge that is in tissue */
const WORTH_CUTTING = 2e-5;
/** N: above this a hand feels something */
const WORTH_FEELING = 0.01;

/** What the jaws do with tissue, in words. */
function gripOf(state: HandState): string | undefined {
  if (state.slip === 2) return "tissue slipped out";
  if (state.slip === 1) return `slips · ${(MILLI * state.slip_speed).toFixed(0)} mm/s`;
  return state.tissue >= 0 ? "holds tissue" : undefined;
}

/** What the edge of a scalpel does, and how much of it is in tissue. */
function edgeOf(state: HandState): string {
  const isIn = state.edge_inside > WORTH_CUTTING;
  const inside = `${(MILLI * state.edge_inside).toFixed(1)} mm in`;
  if (isIn) return `${state.closed ? "cuts" : "rests"} · ${inside}`;
  return state.closed ? "scalpel, ready" : "scalpel, lifted";
}

/** What jaws that touch do: which tool it is, and how hard both press or how far they are open. */
function jawsInWords(state: HandState): string {
  const name = TOOLS[state.tool].name.replace(/^.*_/, ""); // a card has room for the last word
  const press = Math.min(state.jaw_force, state.other_jaw_force);
  if (press > WORTH_FEELING) return `${name}, ${state.latched ? "latched" : "grips"} · ${newtons(press)}`;
  const share = Math.round(100 * openingOf(state));
  const open = share < 100 ? `${share} % open` : "open"; // the whole of it has room on a phone
  return `${name}, ${share > 0 ? open : state.latched ? "latched" : "closed"}`;
}

export function describe(state: HandState, view: HandView, threads: { name: string }[]): string {
  if (state.known === 0) return "not recorded";
  if (state.driver === DEVICE) return "led by a device";
  if (view.isOthers) return "driven by another page";
  if (view.isFree) return "free: move it to have it";
  const lag = lagOf(state);
  const behind = lag > WORTH_SAYING ? ` · ${(MILLI * lag).toFixed(0)} mm behind` : "";
  const feels = forceOf(state) > WORTH_FEELING;
  if (state.tool === Tool.probe) return `probe, ${feels ? "presses" : "free"}${behind}`;
  if (state.tool === Tool.scalpel) return edgeOf(state); // there is no room for more: its tag says how far it is behind
  if (state.tool === Tool.hook) return `hook, current ${state.closed ? "on" : "off"}${behind}`;
  if (state.has_jaws) return `${jawsInWords(state)}${behind}`;
  const grip = gripOf(state);
  if (grip) return `${grip}${behind}`;
  if (state.thread >= 0) return behind ? `holds${behind}` : `holds ${threads[state.thread]?.name ?? "a thread"}`;
  if (state.closed) return `closed, empty${behind}`;
  return view.isInReach ? "open, in reach" : `open${behind}`;
}

/** A button that acts while a finger, the mouse or a key is on it. */
function holdButton(icon: IconName, title: string, onHold: (isDown: boolean) => void): HTMLButtonElement {
  const element = button({ icon, label: "", title, className: "outline hold", onClick: () => undefined });
  const isKey = (event: KeyboardEvent) => event.code === "Space" || event.code === "Enter";
  element.addEventListener("pointerdown", () => onHold(true));
  element.addEventListener("keydown", (event) => isKey(event) && !event.repeat && onHold(true));
  element.addEventListener("keyup", (event) => isKey(event) && onHold(false));
  for (const type of ["pointerup", "pointercancel", "pointerleave", "blur"]) {
    element.addEventListener(type, () => onHold(false));
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger that rests asks for one
  return element;
}

class HandCard {
  readonly element: HTMLElement;
  readonly tag: HTMLElement;
  private readonly state = h("div", { class: "state" });
  private readonly force = h("div", { class: "force" });
  private readonly meter = h("i");
  private readonly bar = h("i");
  private readonly tagName = h("span");
  private readonly tagForce = h("span");
  private readonly tagLag = h("small");
  private readonly tagHeight = h("small", { class: "height" });
  private readonly close: HTMLButtonElement;
  private readonly lock: HTMLButtonElement;
  private readonly tools: HTMLButtonElement[];

  /** `called`: what its buttons call it. `hasTools`: there is something for other instruments than the grasper. */
  constructor(
    private readonly info: HandInfo,
    readonly place: number,
    side: "left" | "right",
    called: string,
    hasTools: boolean,
    host: HandCardHost,
  ) {
    const name = sceneLabel(info.name);
    this.close = button({
      label: "Close",
      title: `Close or open the ${called} hand`,
      className: "outline",
      pressed: false,
      onClick: () => host.toggleClosed(place),
    });
    this.lock = button({
      icon: "lock",
      label: "",
      title: `Lock the ${called} hand where it is`,
      className: "outline lock",
      pressed: false,
      onClick: () => host.toggleLock(place),
    });
    this.tools = TOOLS.map(({ name: icon, does }) =>
      button({
        icon,
        label: "",
        title: `${icon[0].toUpperCase()}${spokenTool(icon).slice(1)}: ${does}`,
        pressed: false,
        onClick: () => host.takeTool(place, icon),
      }),
    );
    this.element = h(
      "section",
      { class: `hand card ${side}`, "aria-label": `${name} hand` },
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { class: "title", type: "button", title: `Choose the ${called} hand`, onClick: () => host.choose(place) },
          name,
        ),
        this.state,
      ),
      h("div", { class: "row" }, h("div", { class: "meter" }, this.meter), this.force),
      hasTools &&
        h("div", { class: "tools", role: "group", "aria-label": `Instrument of the ${called} hand` }, ...this.tools),
      h(
        "div",
        { class: "buttons" },
        this.close,
        holdButton("raise", `Lift the ${called} hand, or bring it nearer`, (isDown) => host.holdDepth(place, isDown ? -1 : 0)),
        holdButton("lower", `Lower the ${called} hand, or move it away`, (isDown) => host.holdDepth(place, isDown ? 1 : 0)),
        this.lock,
      ),
    );
    this.tag = h(
      "div",
      { class: `tag ${side}`, "aria-hidden": "true" },
      h("div", { class: "bar" }, this.bar),
      h("div", {}, this.tagName, this.tagForce, this.tagLag, this.tagHeight),
    );
  }

  update(state: HandState, view: HandView, threads: { name: string }[]): void {
    const force = state.known ? forceOf(state) : 0;
    const share = forceShare(force, this.info.force_cap);
    this.element.dataset.active = String(view.isActive);
    setText(this.state, describe(state, view, threads));
    setText(this.force, state.known ? newtons(force) : "–");
    setText(this.tagHeight, view.isActive && state.known ? (view.below ?? "") : "");
    this.meter.style.width = `${100 * share}%`;
    const tool = TOOLS[state.tool] ?? TOOLS[0];
    setText(this.close.querySelector("span")!, state.closed ? tool.open : tool.close);
    this.close.hidden = tool.close === "";
    setPressed(this.close, state.closed !== 0);
    this.tools.forEach((each, place) => setPressed(each, place === state.tool));
    this.element.dataset.slip = String(state.slip);
    setPressed(this.lock, view.isLocked);
    this.bar.style.height = `${100 * share}%`;
    const holds = state.thread >= 0 || state.tissue >= 0;
    const isFelt = holds || (state.tool !== Tool.grasper && force > WORTH_FEELING);
    setText(this.tagForce, isFelt ? newtons(force) : "");
    this.tag.dataset.felt = String(isFelt);
    const lag = lagOf(state);
    const word = state.slip === 1 ? "slips" : state.slip === 2 ? "slipped out" : "";
    setText(this.tagLag, word || (lag > WORTH_SAYING ? `${(MILLI * lag).toFixed(0)} mm behind` : ""));
  }

  /** What its tag asks for, without a look at what the browser laid out. */
  wish(view: HandView): TagWish {
    const [force, lag, below] = [this.tagForce, this.tagLag, this.tagHeight].map(({ textContent }) => textContent?.length ?? 0);
    const widthOf = (first: number) => TAG.BAR + TAG.LETTER * Math.max(first, lag, below);
    const named = this.info.name.length + TAG.NAME + force; // on one line
    return { at: view.at, width: widthOf(force), namedWidth: widthOf(named), height: TAG.HEIGHT, isActive: view.isActive };
  }

  /** Where its hand is not seen, its tag says which one that is and where. */
  placeTag({ x, y, arrow }: TagPlace): void {
    setText(this.tagName, arrow && `${arrow} ${sceneLabel(this.info.name)}`);
    this.tag.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
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
    const hasTools = scene.tissues.length > 0 || scene.hands.some(({ tool }) => tool !== Tool.grasper);
    const [left, right] = sidesOf(scene.hands);
    this.cards = scene.hands.map((info, place) => {
      const side = place === left ? "left" : "right";
      const called = place === left || place === right ? side : info.name; // a third one is neither
      return new HandCard(info, place, side, called, hasTools, this.host);
    });
    const elements = this.cards.map((card) => card.element);
    this.left.replaceChildren(...elements.filter((_, place) => place === left));
    this.right.replaceChildren(...elements.filter((_, place) => place !== left));
    this.tags.replaceChildren(...this.cards.map((card) => card.tag));
  }

  update(
    frame: FrameMessage,
    scene: SceneMessage,
    viewOf: (state: HandState) => HandView,
    placeTags: (wishes: TagWish[]) => TagPlace[],
  ): void {
    const there = frame.hands.filter((state) => this.cards[state.hand]);
    const wishes = there.map((state) => {
      const view = viewOf(state);
      this.cards[state.hand].update(state, view, scene.threads);
      return this.cards[state.hand].wish(view);
    });
    placeTags(wishes).forEach((place, k) => this.cards[there[k].hand].placeTag(place));
    this.showOneOnTheRight();
  }

  /** More hands than two have their cards in the same place: that of the chosen one is shown. */
  private showOneOnTheRight(): void {
    const there = this.cards.filter(({ element }) => element.parentElement === this.right);
    const shown = there.find(({ element }) => element.dataset.active === "true") ?? there[0];
    for (const card of there) card.element.hidden = card !== shown;
  }

  setTagsVisible(isVisible: boolean): void {
    this.tags.hidden = !isVisible;
  }
}
