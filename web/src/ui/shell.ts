// The frame of the page: toolbar above, cards at the sides, and the places where other parts go.

import type { Switch } from "./settings";
import { tensionColour, linearColour, TENSION_HIGH, TENSION_LOW } from "../view/theme";
import type { PresetName } from "../view/rig";
import { button, h, setPressed, setText, type IconName } from "./dom";
import { newtons } from "./format";
import { LessonCard, type LessonHost } from "./lesson";
import { placeNow } from "./place";

export interface ShellHost extends LessonHost {
  openScenes(): void;
  openControls(): void;
  openHelp(): void;
  toggle(name: Switch): void;
  toggleTheme(): void;
  showView(name: PresetName): void;
  lookThroughScope(): void;
  /** tells the address by which others watch */
  share(): void;
}

const NOTICE_TIME = 6000; // ms
const MOST_NOTICES = 4;

export class Shell {
  readonly canvas = h("canvas", {
    class: "view",
    tabIndex: 0,
    "aria-label": "The scene. Keys move the hands; F1 shows which.",
  });
  readonly leftHand = h("div", { class: "hand-place" });
  readonly rightHand = h("div", { class: "hand-place" });
  readonly tags = h("div", { class: "tags" });
  readonly roles = h("div", { class: "roles" });
  /** what a task needs in the toolbar while it is done: what it is and how it fares, and what can be done about it */
  readonly trial = h("div", { class: "trial" });
  readonly trialActions = h("div", { class: "trial-actions" });
  readonly root: HTMLElement;
  readonly middle = h("div", { class: "middle" });
  readonly bottom = h("div", { class: "bottom" });
  private readonly sceneName = h("span", {}, "connecting");
  private readonly switches = new Map<Switch, HTMLButtonElement>();
  private readonly toasts = h("div", { class: "toasts", role: "status" });
  private readonly spoken = h("p", { class: "spoken", "aria-live": "polite" });
  private readonly lost: HTMLElement;
  private readonly lostReason = h("p");
  private readonly waitingHead = h("h2");
  private readonly waitingText = h("p");
  private readonly waiting = h("section", { class: "waiting card", role: "status", hidden: true }, this.waitingHead, this.waitingText);
  private readonly legend = legend();
  private hasThreads = true;
  private readonly scope = button({
    label: "Scope",
    title: "Look through the laparoscope",
    onClick: () => this.host.lookThroughScope(),
  });
  readonly lesson: LessonCard;

  constructor(private readonly host: ShellHost) {
    this.lost = h(
      "section",
      { class: "lost card", role: "alert", hidden: true },
      h("h2", {}, "Connection lost"),
      this.lostReason,
    );
    this.lesson = new LessonCard(host);
    this.middle.append(this.legend, this.lesson.element, this.lost, this.waiting, this.toasts, this.spoken);
    this.root = h("main", { id: "app", "aria-label": "Lab" }, this.canvas, this.tags, this.toolbar(), this.middle, this.bottom);
    document.body.append(this.root);
    this.keepFocus(this.root);
  }

  /** What was worked with a pointer gives the focus back: keys are for the hands. Who goes by Tab keeps it. */
  private keepFocus(app: HTMLElement): void {
    let isByPointer = false;
    const giveBack = () => this.canvas.focus({ preventScroll: true });
    app.addEventListener("pointerdown", () => (isByPointer = true), true);
    app.addEventListener("keydown", () => (isByPointer = false), true);
    app.addEventListener("click", (event) => {
      const isButton = (event.target as HTMLElement).closest("button") !== null;
      if (isButton && isByPointer && !document.querySelector("dialog[open]")) giveBack();
    });
    app.addEventListener("change", () => isByPointer && giveBack());
  }

  setScene(title: string, tooltip: string): void {
    setText(this.sceneName, title);
    this.sceneName.parentElement!.title = tooltip || "Choose a scene";
    this.sceneName.parentElement!.setAttribute("aria-label", `${title}: choose a scene`);
    if (placeNow() === "lab") document.title = `${title} – catgut`;
  }

  /** What there is to be seen decides which switches make sense. */
  setContents(hasThreads: boolean, hasTissues: boolean, hasScope: boolean): void {
    this.scope.hidden = !hasScope;
    this.hasThreads = hasThreads;
    this.switches.get("tension")!.hidden = !hasThreads;
    this.switches.get("wire")!.hidden = !hasTissues;
    this.legend.hidden = !hasThreads || this.switches.get("tension")!.getAttribute("aria-pressed") !== "true";
  }

  /** A recording does not know tensions. */
  setHasTension(hasTension: boolean): void {
    this.legend.classList.toggle("unknown", !hasTension);
  }

  setSwitch(name: Switch, isOn: boolean): void {
    const element = this.switches.get(name);
    if (element) setPressed(element, isOn);
    if (name === "tension") this.legend.hidden = !isOn || !this.hasThreads;
    if (name === "charts") document.body.dataset.charts = String(isOn);
  }

  setLost(isLost: boolean, reason: string): void {
    this.lost.hidden = !isLost;
    setText(this.lostReason, `${reason}. Trying again by itself.`);
  }

  /** In the queue for a world, or with one that rests. */
  setWaiting(waiting: { place: number; text: string } | undefined): void {
    this.waiting.hidden = !waiting;
    setText(this.waitingHead, waiting?.place === 0 ? "Your world rests" : "Please wait");
    setText(this.waitingText, waiting?.text ?? "");
  }

  /** Something that one may grant, for as long as it stands there. */
  askFor(text: string, yes: string, grant: () => void): void {
    const close = () => card.remove();
    const give = button({
      label: yes,
      className: "strong",
      onClick: () => {
        close();
        grant();
      },
    });
    const card = h("div", { class: "toast card asked" }, text, h("div", { class: "row" }, give, button({ label: "Not now", onClick: close })));
    this.toasts.append(card);
  }

  /** Says something to those who hear the page. */
  say(text: string): void {
    setText(this.spoken, text);
  }

  notice(kind: "info" | "warning", text: string): void {
    const toast = h("div", { class: `toast card ${kind}` }, text);
    this.toasts.append(toast);
    while (this.toasts.children.length > MOST_NOTICES) this.toasts.firstElementChild!.remove();
    setTimeout(() => toast.remove(), NOTICE_TIME);
  }

  private toolbar(): HTMLElement {
    const { host } = this;
    const moreButton = button({
      icon: "down",
      label: "More",
      title: "Views, switches and controls",
      className: "more-button",
      pressed: false,
      onClick: () => {
        const isOpen = header.dataset.more !== "true";
        header.dataset.more = String(isOpen);
        setPressed(moreButton, isOpen);
      },
    });
    const sceneButton = button({
      icon: "view",
      label: "",
      title: "Choose a scene",
      className: "scene-button",
      onClick: () => host.openScenes(),
    });
    sceneButton.append(this.sceneName);
    const header = h(
      "div",
      { class: "top card", role: "toolbar", "aria-label": "View" },
      h("a", { class: "brand", href: "#/", title: "Tasks and progress" }, "catgut"),
      sceneButton,
      this.trial,
      this.roles,
      h("span", { class: "spacer" }),
      this.more(),
      button({ icon: "help", label: "Help", canShrink: true, onClick: () => host.openHelp() }),
      this.trialActions,
      moreButton,
    );
    return header;
  }

  /** Views, switches and controls; on a phone they are folded away. */
  private more(): HTMLElement {
    const { host } = this;
    const toggle = (name: Switch, icon: IconName, label: string, title: string) => {
      const element = button({ icon, label, title, canShrink: true, pressed: false, onClick: () => host.toggle(name) });
      this.switches.set(name, element);
      return element;
    };
    const view = (name: PresetName, label: string) =>
      button({ label, title: `Look from: ${label.toLowerCase()}`, onClick: () => host.showView(name) });
    return h(
      "div",
      { class: "more" },
      h(
        "div",
        { class: "group views", role: "group", "aria-label": "Views" },
        view("front", "Front"),
        view("top", "Top"),
        view("side", "Side"),
        view("corner", "Corner"),
        this.scope,
      ),
      h("span", { class: "divider" }),
      toggle("tension", "tension", "Tension", "Colour along the thread shows tension"),
      toggle("stereo", "stereo", "Stereo", "Two pictures side by side"),
      toggle("charts", "charts", "Charts", "Live charts"),
      toggle("wire", "wire", "Wire", "Wireframe of tissue"),
      toggle("sound", "sound", "", "Hear the force, tears and breaks"),
      h("span", { class: "divider" }),
      button({
        icon: "controls",
        label: "Controls",
        title: "Controls: look and change",
        canShrink: true,
        onClick: () => host.openControls(),
      }),
      button({ icon: "person", label: "", title: "Let somebody watch", onClick: () => host.share() }),
      button({ icon: "theme", label: "", title: "Light or dark", onClick: () => host.toggleTheme() }),
    );
  }
}

/** From the colour of a slack thread to that of a hard pull. */
function legend(): HTMLElement {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const rgb = new Uint8Array(3);
    tensionColour(TENSION_LOW * Math.pow(TENSION_HIGH / TENSION_LOW, share), linearColour(0x6b7f9e), rgb);
    return `color(srgb-linear ${Array.from(rgb, (c) => (c / 255).toFixed(3)).join(" ")})`;
  });
  return h(
    "div",
    { class: "legend card" },
    newtons(TENSION_LOW),
    h("i", { style: `background: linear-gradient(90deg, ${stops.join(", ")})` }),
    newtons(TENSION_HIGH),
    " tension",
  );
}
