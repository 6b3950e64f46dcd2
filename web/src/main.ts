// Starts the page and shows what its address asks for. Words of the address: ?quality=low or high, ?theme=dark, ?lockstep
// (the world moves only when told to), and #token=... when the server asks for one. The picture of the simulation is
// large; it is loaded when a page needs it.

import type { App } from "./app";
import { Coach, type Stage } from "./coach";
import type { Socket } from "./net/connection";
import { Simulation } from "./net/simulation";
import { PROTOCOL_NAME } from "./base/protocol.generated";
import { loadSettings, saveSettings, storage, themeOf } from "./ui/settings";
import { readRoute, sessionOf } from "./train/route";
import "./style.css";
import { chooseQuality, drawsInSoftware, readWish } from "./view/quality";

performance.mark("catgut: script"); // what opening costs is read from these marks (bench/picture.mjs)
const words = new URLSearchParams(location.search);
const address = new URL("ws", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
address.search = address.hash = "";

/** What the server asks for stands in the address at first; it is kept for as long as the window is open. */
function readToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) window.sessionStorage?.setItem("catgut.token", given);
  return given ?? window.sessionStorage?.getItem("catgut.token") ?? "";
}

/** By it the server knows the world of this window again, after the line broke or the page was opened anew. */
function readKey(): string {
  const kept = window.sessionStorage?.getItem("catgut.key");
  if (kept) return kept;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  window.sessionStorage?.setItem("catgut.key", key);
  return key;
}

const settings = loadSettings();
const theme = words.get("theme");
if (theme === "light" || theme === "dark") settings.theme = theme;
document.documentElement.dataset.theme = themeOf(settings);

const simulation: Simulation = new Simulation(() => new WebSocket(address, PROTOCOL_NAME) as Socket, {
  token: readToken(),
  key: readKey(),
  name: () => coach.trainee,
  session: () => sessionOf(readRoute(location.hash)),
});

/** The picture, with hands and instruments. */
async function loadStage(): Promise<Stage> {
  const [{ App }, { middleOfLoop }, { needlesOf, placeAlong }, control] = await Promise.all([
    import("./app"),
    import("./teach/loop"),
    import("./input/needle"),
    import("./control/attempt"),
  ]);
  performance.mark("catgut: loaded");
  const wish = readWish(words.get("quality") ?? settings.quality);
  const app = new App(simulation, settings, chooseQuality(wish, wish === "auto" && drawsInSoftware()));
  app.stage.isFixed = wish !== "auto";
  const needles = () => needlesOf(simulation.frame!, simulation.scene!);
  Object.assign(catgut, { app, middleOfLoop, needles, placeAlong });
  simulation.catchUp();
  performance.mark("catgut: made");
  app.run();
  return { app, attempt: (host) => new control.AttemptController(simulation, app.view, host) };
}

/** For tests and for the console of the browser. */
const catgut = {
  app: undefined as App | undefined,
  simulation,
  /** Makes steps and shows the frame after them. */
  async advance(steps: number): Promise<void> {
    catgut.app?.tick(performance.now());
    await simulation.connection.order({ type: "advance", steps });
    catgut.app?.tick(performance.now());
  },
};
export type PageHandle = typeof catgut;
Object.assign(window, { catgut });

if (words.has("lockstep")) {
  // a new connection begins with a world at step 0
  const begin = async () => {
    await simulation.order({ type: "lockstep", on: 1 });
    await simulation.order({ type: "reset" });
  };
  simulation.prepare = begin;
}

const coach: Coach = new Coach(simulation, loadStage, storage(), words.has("lockstep"), {
  toggleTheme() {
    if (catgut.app) return catgut.app.view.toggleTheme();
    settings.theme = themeOf(settings) === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = themeOf(settings);
    saveSettings(settings);
  },
});
for (const kind of ["pointerdown", "keydown", "wheel"]) window.addEventListener(kind, () => simulation.wake(), { passive: true });
simulation.start();
coach.start();
