// Small help for making elements.

import { TOOLS } from "../base/protocol.generated";

export type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element. Props that start with "on" are listeners, "class" and those with "-" are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    else if (name === "class" || name.includes("-") || !(name in element)) element.setAttribute(name, String(value));
    else (element as unknown as Props)[name] = value;
  }
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const drawings = {
  play: '<path class="solid" d="M5 3l9 5-9 5z"/>',
  pause: '<path class="solid" d="M4 3h3v10H4zM9 3h3v10H9z"/>',
  step: '<path class="solid" d="M3 3l7 5-7 5zM11 3h2v10h-2z"/>',
  reset: '<path d="M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5.5H6"/>',
  undo: '<path d="M6 3L2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6"/>',
  redo: '<path d="M10 3l3.5 3.5L10 10M13 6.5H6.5a3.5 3.5 0 0 0 0 7H10"/>',
  record: '<circle class="solid" cx="8" cy="8" r="5"/>',
  keep: '<path d="M8 2v7M5 6.5L8 9.5l3-3M3 11v2.5h10V11"/>',
  open: '<path d="M2 13V4h4l1.5 2H14v7z"/>',
  lesson: '<path d="M8 4C6 3 4 3 2 3.5v9c2-.5 4-.5 6 .5 2-1 4-1 6-.5v-9C12 3 10 3 8 4zM8 4v9"/>',
  charts: '<path d="M2 2v12h12M5 10l3-4 2 2 3-5"/>',
  controls:
    '<path d="M3 4h10M3 8h10M3 12h10"/><circle class="solid" cx="6" cy="4" r="2"/><circle class="solid" cx="10" cy="8" r="2"/><circle class="solid" cx="5" cy="12" r="2"/>',
  help: '<circle cx="8" cy="8" r="6"/><path d="M6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.3M8 11.4v.1"/>',
  theme: '<path class="solid" d="M8 2a6 6 0 0 0 0 12z"/><circle cx="8" cy="8" r="6"/>',
  stereo: '<circle cx="4.5" cy="8" r="3"/><circle cx="11.5" cy="8" r="3"/>',
  tension: '<path d="M2 8h3M11 8h3M5 8c1-4 2 4 3 0s2 4 3 0"/>',
  sound: '<path class="solid" d="M2 6h3l4-3v10L5 10H2z"/><path d="M11 5.5a3.5 3.5 0 0 1 0 5"/>',
  close: '<path d="M4 4l8 8M12 4l-8 8"/>',
  down: '<path d="M4 6l4 4 4-4"/>',
  raise: '<path d="M8 13V3M4 7l4-4 4 4"/>',
  lower: '<path d="M8 3v10M4 9l4 4 4-4"/>',
  lock: '<path d="M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2"/>',
  wire: '<path d="M2 4l6-2 6 2v8l-6 2-6-2zM2 4l6 4 6-4M8 8v6M2 12l6-4 6 4"/>',
  person: '<circle cx="8" cy="5.2" r="2.7"/><path d="M2.8 14c.4-3 2.6-4.6 5.2-4.6s4.8 1.6 5.2 4.6"/>',
  view: '<path d="M8 2l5.5 3v6L8 14l-5.5-3V5zM8 8l5.5-3M8 8v6M8 8L2.5 5"/>',
} as const;

/** A tool's drawing is the one of the list of tools. */
export type IconName = keyof typeof drawings | (typeof TOOLS)[number]["name"];

const drawingOf: Record<string, string> = { ...drawings, ...Object.fromEntries(TOOLS.map(({ name, drawing }) => [name, drawing])) };

export function icon(name: IconName): SVGElement {
  const holder = document.createElement("div");
  holder.innerHTML = `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${drawingOf[name]}</svg>`;
  return holder.firstElementChild as SVGElement;
}

export interface ButtonOptions {
  icon?: IconName;
  label: string;
  /** shown as a tooltip and read aloud; the label when absent */
  title?: string;
  className?: string;
  /** only the icon is shown in narrow windows */
  canShrink?: boolean;
  pressed?: boolean;
  onClick: () => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: options.className,
      title: options.title ?? options.label,
      onClick: options.onClick,
      // what is written on a button is its name, and its title says more; one without words is called by its title
      "aria-label": options.label ? undefined : options.title,
      "aria-pressed": options.pressed === undefined ? undefined : String(options.pressed),
    },
    options.icon && icon(options.icon),
    options.label && h("span", { class: options.canShrink ? "word" : "" }, options.label),
  );
}

/** To the licences of what is inside the page; it opens beside it. */
export function licencesLink(): HTMLElement {
  return h("a", { class: "licences", href: "./licences.txt", target: "_blank", rel: "noopener" }, "What is inside the page");
}

export function setPressed(element: HTMLElement, isPressed: boolean): void {
  element.setAttribute("aria-pressed", String(isPressed));
}

/** Writes a text only when it differs, so that nothing is laid out anew for nothing. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A dialog with a title and a button to close it. */
export function makeDialog(title: string, ...body: Child[]): HTMLDialogElement {
  const dialog = h("dialog", { "aria-label": title });
  dialog.append(
    h(
      "header",
      {},
      h("h2", {}, title),
      button({ icon: "close", label: "", title: "Close", onClick: () => dialog.close() }),
    ),
    h("div", { class: "body" }, ...body),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
