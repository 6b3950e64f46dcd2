// How force-feedback devices and tracked instruments do: how evenly they are heard, what force goes back, and whether
// energy is in order. Only there when one was ever plugged in; one that is unplugged stays, and says so.

import type { DeviceState } from "../base/protocol.generated";
import { MILLI } from "../base/units";
import { h, setText } from "./dom";
import { newtons, sceneLabel } from "./format";

const TRACKER = "tracker";

/** A port has a period for each sample of a device; trackers are foreseen, a thousand times a second. */
function periodsPerSecond(device: DeviceState): number {
  return device.name === TRACKER || device.rate === 0 ? 1000 : device.rate;
}

/** Below this the port gave more energy than it got: J. */
export const LEAST_ENERGY = -1e-3;

/** What is to be read in the row of a device, by column. */
export function deviceInWords(device: DeviceState): { name: string; time: string; force: string; energy: string } {
  const name = `${device.name}${device.arrivals > 1 ? `, plugged in ${device.arrivals} times` : ""}`;
  if (!device.here) return { name, time: "unplugged", force: "no force", energy: "" };
  const late = `${(MILLI * device.late).toFixed(2)} ms late`;
  const time = `${Math.round(device.rate)}/s, ${late}${device.unread > 0 ? `, ${device.unread} bad` : ""}`;
  if (device.name === TRACKER && device.limit === 0) return { name, time, force: "no force", energy: "" };
  const capped = device.capped > 0 ? `, capped ${(device.capped / periodsPerSecond(device)).toFixed(1)} s` : "";
  const energy = `${(MILLI * device.energy).toFixed(1)} mJ${device.energy < LEAST_ENERGY ? ", too little" : ""}`;
  return { name, time, force: `${newtons(device.force)}${capped}`, energy };
}

class DeviceRow {
  readonly element = h("tr");
  private readonly cells = ["whose", "what", "time", "force", "energy"].map((name) => h("td", { class: name }));

  constructor() {
    this.element.append(...this.cells);
  }

  show(device: DeviceState, hand: string): void {
    const { name, time, force, energy } = deviceInWords(device);
    this.element.dataset.here = String(device.here !== 0);
    [hand, name, time, force, energy].forEach((text, place) => setText(this.cells[place], text));
  }
}

export class DevicesCard {
  readonly element: HTMLElement;
  private readonly rows: DeviceRow[] = [];
  private readonly body = h("tbody");
  private readonly loop = h("p", { class: "loop" });

  constructor() {
    const titles = [
      ["Hand", "the hand that the device leads"],
      ["Device", "what it is"],
      ["Samples", "how many come in a second, and by how much 99.9 % of them are late at most"],
      ["Force", "what its motors get now, and how long it was as great as they bear"],
      ["Energy", "that the device put in; below -1 mJ it would drive the hand"],
    ];
    this.element = h(
      "section",
      { class: "devices card", "aria-label": "Devices", hidden: true },
      h("p", { class: "label" }, "Devices"),
      h("table", {}, h("thead", {}, h("tr", {}, ...titles.map(([name, title]) => h("th", { title }, name)))), this.body),
      this.loop,
    );
  }

  update(devices: DeviceState[], hands: { name: string }[]): void {
    this.element.hidden = devices.length === 0;
    while (this.rows.length < devices.length) this.rows.push(new DeviceRow());
    this.rows.length = devices.length;
    devices.forEach((device, place) => this.rows[place].show(device, sceneLabel(hands[device.hand]?.name ?? "none")));
    this.body.replaceChildren(...this.rows.map(({ element }) => element));
    const late = Math.max(0, ...devices.map(({ loop_late }) => loop_late));
    setText(this.loop, `The server hears them within ${(MILLI * late).toFixed(2)} ms`);
  }
}
