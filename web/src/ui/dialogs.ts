// What opens over the page: scenes, recordings, lessons, help, controls.

import { actions, bindKey, bindPad, keyLabel, padRoles, spokenTool, type Bindings, type PadRole } from "../input/bindings";
import { TOOLS, type SceneName } from "../base/protocol.generated";
import type { Simulation } from "../net/simulation";
import { readWish, type QualityWish } from "../view/quality";
import { button, h, licencesLink, makeDialog } from "./dom";
import { bytes, sceneId, sceneLabel } from "./format";
import { inGroups, scenePlan, type Group } from "./groups";

/** Scenes with their pictures. */
export class SceneDialog {
  private readonly groups = h("div", { class: "groups" });
  private readonly dialog = makeDialog("Scenes", this.groups);

  constructor(private readonly simulation: Simulation) {}

  open(): void {
    const groups = inGroups(scenePlan, this.simulation.scenes, ({ name }) => sceneId(name), "More scenes");
    this.groups.replaceChildren(
      ...groups.map(({ title, items }) =>
        h("section", {}, h("h3", {}, title), h("div", { class: "scenes" }, ...items.map((each) => this.tile(each)))),
      ),
    );
    this.dialog.showModal();
  }

  private tile({ name, title }: SceneName): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        "data-scene": name,
        "aria-current": String(name === this.simulation.scene?.name),
        onClick: () => {
          this.dialog.close();
          void this.simulation.order({ type: "choose_scene", name });
        },
      },
      pictureOf(name),
      h("div", { class: "text" }, h("b", {}, sceneLabel(name)), h("span", {}, capitalised(title))),
    );
  }
}

const pictures = import.meta.glob<string>("../pictures/*.jpg", { eager: true, query: "?url", import: "default" });

/** The picture of a scene; one without has its plain ground. */
function pictureOf(name: string): HTMLImageElement {
  return h("img", { src: pictures[`../pictures/${sceneId(name)}.jpg`], alt: "", loading: "lazy" });
}

/** Asks before something is lost. */
export class AskDialog {
  private readonly text = h("p", {});
  private readonly yes = h("button", { type: "button", class: "strong", onClick: () => this.end(true) });
  private readonly dialog = makeDialog(
    "Are you sure?",
    this.text,
    h(
      "div",
      { class: "answers" },
      this.yes,
      button({ label: "Cancel", className: "outline", onClick: () => this.end(false) }),
    ),
  );
  private answer: ((isYes: boolean) => void) | undefined;

  constructor() {
    this.dialog.classList.add("small");
    this.dialog.addEventListener("close", () => this.end(false));
  }

  ask(action: string, text: string): Promise<boolean> {
    this.text.textContent = text;
    this.yes.textContent = action;
    this.dialog.showModal();
    this.yes.focus();
    return new Promise((resolve) => (this.answer = resolve));
  }

  private end(isYes: boolean): void {
    const { answer } = this;
    this.answer = undefined;
    if (this.dialog.open) this.dialog.close();
    answer?.(isYes);
  }
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface ListItem {
  name: string;
  label?: string | undefined;
  note: string;
}

/** A list of names to choose from. */
export class ListDialog {
  private readonly list = h("div", { class: "groups" });
  private readonly empty = h("p", {});
  private readonly dialog: HTMLDialogElement;

  constructor(
    title: string,
    empty: string,
    private readonly onChoose: (name: string) => void,
  ) {
    this.empty.textContent = empty;
    this.dialog = makeDialog(title, this.list, this.empty);
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** A group without a title has no heading. */
  fill(groups: Group<ListItem>[]): void {
    this.empty.hidden = groups.some(({ items }) => items.length > 0);
    this.list.replaceChildren(
      ...groups.map(({ title, items }) =>
        h("section", {}, title && h("h3", {}, title), h("div", { class: "list" }, ...items.map((item) => this.row(item)))),
      ),
    );
  }

  private row({ name, label, note }: ListItem): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        "data-name": name,
        onClick: () => {
          this.dialog.close();
          this.onChoose(name);
        },
      },
      h("b", {}, label ?? sceneLabel(name)),
      h("span", {}, note),
    );
  }
}

export function recordingItems(simulation: Simulation): Group<ListItem>[] {
  return [{ title: "", items: simulation.recordings.map(({ name, bytes: size }) => ({ name, note: bytes(size) })) }];
}

/** Help that fits one screen. */
export class HelpDialog {
  private readonly body = h("div", { class: "help" });
  private readonly dialog = makeDialog("How to tie with mouse and keys", this.body);

  constructor(private readonly bindings: () => Bindings) {}

  toggle(): void {
    if (this.dialog.open) return this.dialog.close();
    this.body.replaceChildren(...this.sections());
    this.dialog.showModal();
  }

  private sections(): HTMLElement[] {
    const bindings = this.bindings();
    const key = (action: string) => h("kbd", {}, keyLabel(bindings.keys[action]));
    const keys = (...names: string[]) => h("span", {}, ...names.flatMap((name) => [key(name), " "]));
    const mouse = ["Left", "Middle", "Right"];
    const section = (title: string, rows: [Node | string, string][]) =>
      h(
        "section",
        {},
        h("h3", {}, title),
        h("dl", {}, ...rows.flatMap(([what, how]) => [h("dt", {}, what), h("dd", {}, how)])),
      );
    const pad = (role: PadRole) => `button ${bindings.pad[role]}`;
    return [
      section("Mouse", [
        [`${mouse[bindings.mouse.move]} drag`, "moves the chosen hand; from above, along the table"],
        [bindings.wheel === "depth" ? "Wheel" : "Ctrl + wheel", "up lifts it, down lowers it; from the front: away, nearer"],
        ["Shift + drag, wheel", "turns it"],
        ["Double click a hand", "closes or opens it"],
        ["Press the other", "chooses that one"],
        [`${mouse[bindings.mouse.orbit]} drag`, "orbits the camera"],
        [`${mouse[bindings.mouse.pan]} drag`, "shifts the camera"],
        [bindings.wheel === "depth" ? "Ctrl + wheel" : "Wheel", "zooms"],
      ]),
      section("Both hands by keys", [
        [keys("left.moveUp", "left.moveLeft", "left.moveDown", "left.moveRight"), "moves the left hand"],
        [keys("left.nearer", "left.farther", "left.close", "left.lock"), "lift, lower, close, lock"],
        [keys("right.moveUp", "right.moveLeft", "right.moveDown", "right.moveRight"), "moves the right hand"],
        [keys("right.nearer", "right.farther", "right.close", "right.lock"), "lift, lower, close, lock"],
        [keys("active.close", "active.swap"), "close; choose the other hand"],
        ["Shift + these", "turns instead of moving"],
        ["Alt + these", "moves slowly"],
      ]),
      section("Instruments of the chosen hand", [
        ...TOOLS.map(({ name, does }): [Node, string] => [keys(`tool.${name}`), `${spokenTool(name)}: ${does}`]),
        [keys("active.narrower", "active.wider"), "jaws a little, while held"],
      ]),
      section("A needle", [
        [key("active.lineUp"), "jaws go to it, then around it; once held, it goes upright across the wound"],
        [keys("active.drive", "active.driveBack"), "drive it along its arc, on and back; so does Ctrl + drag, right and left"],
      ]),
      section("View and simulation", [
        [keys("camera.left", "camera.right", "camera.up", "camera.down"), "orbit"],
        [keys("camera.front", "camera.top", "camera.side", "camera.corner"), "front, top, side, corner"],
        [keys("camera.scope"), "through a laparoscope"],
        [keys("run.pause", "run.step", "run.slow"), "pause, step, slow motion"],
        [keys("run.undo", "run.reset", "run.record"), "undo, start anew, record"],
        [keys("view.tension", "view.charts", "view.stereo"), "tension, charts, stereo"],
      ]),
      section("Gamepad", [
        ["Sticks", "move the left and the right hand"],
        ["Triggers", `close while held, jaws as far as pulled (${pad("closeLeft")}, ${pad("closeRight")})`],
        ["Shoulders", `stick moves in depth (${pad("depthLeft")}, ${pad("depthRight")})`],
        [pad("turn"), "held: sticks turn the hands"],
        ["Rumble", "how hard the thread pulls"],
      ]),
      section("Touch", [
        ["A finger on a hand", "carries it; two fingers carry both"],
        ["A finger elsewhere", "lifts a carried hand, or orbits; two zoom and shift"],
        ["Two taps on a hand", "close or open it"],
      ]),
      section("To tie a knot", [
        ["1", "Choose the scene Practice and look from the top."],
        ["2", "Wheel up lifts the right end; carry it over the left strand."],
        ["3", "Wheel down, and bring it back under that strand, into the loop."],
        ["4", "Lift it through the loop, out to the right; pull both apart."],
        ["5", "The same with the left end makes it a square knot."],
      ]),
      h("p", { class: "faint" }, "catgut is free software under Apache-2.0. ", licencesLink()),
    ];
  }
}

/** The bindings, to look at and to change. */
export class ControlsDialog {
  private readonly body = h("div", {});
  private readonly dialog = makeDialog("Controls", this.body);

  constructor(
    private readonly bindings: () => Bindings,
    private readonly onChange: () => void,
    private readonly onReset: () => void,
    private readonly captureKey: (take: (code: string) => void) => void,
    private readonly captureButton: (take: (button: number) => void) => void,
    private readonly pictures: { wish: () => QualityWish; take: (wish: QualityWish) => void },
  ) {}

  open(): void {
    this.fill();
    this.dialog.showModal();
  }

  private changed(): void {
    this.onChange();
    this.fill();
  }

  private fill(): void {
    const groups = new Map<string, HTMLElement[]>();
    for (const [id, spec] of Object.entries(actions)) {
      const rows = groups.get(spec.group) ?? [];
      groups.set(spec.group, rows);
      rows.push(h("dt", {}, spec.label), h("dd", {}, this.keyButton(id, spec.label)));
    }
    const padRows = (Object.keys(padRoles) as PadRole[]).flatMap((role) => [
      h("dt", {}, padRoles[role].label),
      h("dd", {}, this.padButton(role)),
    ]);
    this.body.replaceChildren(
      this.options(),
      h(
        "div",
        { class: "columns" },
        ...[...groups].map(([name, rows]) => h("section", {}, h("h3", {}, name), h("dl", {}, ...rows))),
        h("section", {}, h("h3", {}, "Gamepad buttons"), h("dl", {}, ...padRows)),
      ),
    );
  }

  private keyButton(id: string, label: string): HTMLButtonElement {
    const element: HTMLButtonElement = h(
      "button",
      {
        type: "button",
        "data-action": id,
        title: `Change the key for: ${label}`,
        onClick: () => {
          element.replaceChildren(h("kbd", {}, "press a key"));
          this.captureKey((code) => {
            if (code !== "Escape") bindKey(this.bindings(), id, code);
            this.changed();
          });
        },
      },
      h("kbd", {}, keyLabel(this.bindings().keys[id])),
    );
    return element;
  }

  private padButton(role: PadRole): HTMLButtonElement {
    const element: HTMLButtonElement = h(
      "button",
      {
        type: "button",
        title: `Change the button for: ${padRoles[role].label}`,
        onClick: () => {
          element.replaceChildren(h("kbd", {}, "press a button"));
          this.captureButton((number) => {
            bindPad(this.bindings(), role, number);
            this.changed();
          });
        },
      },
      h("kbd", {}, String(this.bindings().pad[role])),
    );
    return element;
  }

  private options(): HTMLElement {
    const bindings = this.bindings();
    const check = (label: string, name: "leftHanded" | "rumble" | "overTable") =>
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: bindings[name],
          onChange: (event: Event) => {
            bindings[name] = (event.target as HTMLInputElement).checked;
            this.changed();
          },
        }),
        label,
      );
    const choice = (label: string, value: string, options: [string, string][], take: (value: string) => void) =>
      h(
        "label",
        {},
        label,
        h(
          "select",
          {
            onChange: (event: Event) => {
              take((event.target as HTMLSelectElement).value);
              this.changed();
            },
          },
          ...options.map(([id, text]) => h("option", { value: id, selected: id === value }, text)),
        ),
      );
    const orders: Record<string, [number, number, number]> = { "0": [0, 2, 1], "2": [2, 0, 1], "1": [1, 2, 0] };
    return h(
      "div",
      { class: "options" },
      check("From above, hands move along the table", "overTable"),
      check("Left-handed", "leftHanded"),
      check("Rumble", "rumble"),
      choice(
        "Pictures",
        this.pictures.wish(),
        [
          ["auto", "as the machine can"],
          ["high", "fine"],
          ["low", "quick"],
        ],
        (value) => this.pictures.take(readWish(value)),
      ),
      choice(
        "Hand moves with",
        String(bindings.mouse.move),
        [
          ["0", "left button"],
          ["2", "right button"],
          ["1", "middle button"],
        ],
        (value) => {
          const [move, orbit, pan] = orders[value];
          bindings.mouse = { move, orbit, pan };
        },
      ),
      choice(
        "Wheel",
        bindings.wheel,
        [
          ["depth", "lifts and lowers"],
          ["zoom", "zooms"],
        ],
        (value) => {
          bindings.wheel = value === "zoom" ? "zoom" : "depth";
        },
      ),
      choice(
        "Speed of hands",
        String(bindings.speed),
        [
          ["0.5", "half"],
          ["1", "normal"],
          ["2", "double"],
        ],
        (value) => {
          bindings.speed = Number(value);
        },
      ),
      button({
        label: "As delivered",
        title: "All controls as they were delivered",
        className: "outline",
        onClick: () => {
          this.onReset();
          this.changed();
        },
      }),
    );
  }
}
