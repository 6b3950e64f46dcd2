// Small parts that pages of training share: rings, bars, links, pictures, words for numbers.

import { MILLI } from "../base/milli";
import { h, type Child } from "../ui/dom";
import { addressOf, type Route } from "./route";

const NAMESPACE = "http://www.w3.org/2000/svg";

export function svg(name: string, attributes: Record<string, string | number>, ...children: (SVGElement | string)[]): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export function link(route: Route, className: string, ...children: Child[]): HTMLAnchorElement {
  return h("a", { class: className, href: addressOf(route) }, ...children);
}

/** A ring that is full at 1, with words in its middle. */
export function ring(share: number, big: string, small: string, tone: "good" | "bad" | "plain" = "plain"): HTMLElement {
  const radius = 54;
  const around = 2 * Math.PI * radius;
  const filled = Math.min(Math.max(share, 0), 1) * around;
  const drawing = svg(
    "svg",
    { viewBox: "0 0 128 128", "aria-hidden": "true" },
    svg("circle", { class: "track", cx: 64, cy: 64, r: radius }),
  );
  // its ends are round: of nothing a dot would be left
  const dashes = `${filled.toFixed(2)} ${around.toFixed(2)}`;
  if (filled > 0) drawing.append(svg("circle", { class: "fill", cx: 64, cy: 64, r: radius, "stroke-dasharray": dashes }));
  return h("div", { class: `ring ${tone}` }, drawing, h("div", { class: "ring-text" }, h("strong", {}, big), h("span", {}, small)));
}

export function bar(share: number, tone: "good" | "bad" | "plain" = "plain"): HTMLElement {
  const width = 100 * Math.min(Math.max(share, 0), 1);
  return h("div", { class: `bar ${tone}`, "aria-hidden": "true" }, h("i", { style: `width: ${width.toFixed(1)}%` }));
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

export function points(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

export function shortSeconds(value: number): string {
  if (value < 60) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** s since 1970, as people here write it. */
export function moment(started: number): string {
  return new Date(MILLI * started).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

const pictures = import.meta.glob<string>("../pictures/*.jpg", { eager: true, query: "?url", import: "default" });

/** Of a task; of its scene where it has none of its own. */
export function taskPicture(task: string, scene: string | null): HTMLElement {
  const source = pictures[`../pictures/task-${task}.jpg`] ?? pictures[`../pictures/${scene ?? ""}.jpg`];
  return source ? h("img", { class: "picture", src: source, alt: "" }) : h("div", { class: "picture" });
}

export function heading(title: string, ...more: Child[]): HTMLElement {
  return h("div", { class: "heading" }, h("h1", {}, title), ...more);
}

/** Something that could not be told: a sentence of the server. */
export function trouble(error: unknown): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  return h("div", { class: "trouble", role: "alert" }, h("strong", {}, "This cannot be shown"), h("p", {}, text));
}
