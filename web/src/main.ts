// Starts the page. Words of the address: ?quality=low or high, ?theme=dark, ?lockstep (the world moves only when told to), and
// #token=... when the server asks for one.

import { App } from "./app";
import type { Socket } from "./net/connection";
import { Simulation } from "./net/simulation";
import { PROTOCOL_NAME } from "./base/protocol.generated";
import { middleOfLoop } from "./teach/loop";
import { loadSettings } from "./ui/settings";
import "./style.css";
import { chooseQuality, drawsInSoftware, readWish } from "./view/quality";

const words = new URLSearchParams(location.search);
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
const address = new URL("ws", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
address.search = address.hash = "";

const settings = loadSettings();
const theme = words.get("theme");
if (theme === "light" || theme === "dark") settings.theme = theme;

const wish = readWish(words.get("quality") ?? settings.quality);
const quality = chooseQuality(wish, wish === "auto" && drawsInSoftware());
const simulation = new Simulation(() => new WebSocket(address, PROTOCOL_NAME) as Socket, token);
const app = new App(simulation, settings, quality);
app.stage.isFixed = wish !== "auto";

/** For tests and for the console of the browser. */
const catgut = {
  app,
  simulation,
  middleOfLoop,
  /** Makes steps and shows the frame after them. */
  async advance(steps: number): Promise<void> {
    app.tick(performance.now());
    await simulation.connection.order({ type: "advance", steps });
    app.tick(performance.now());
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
  simulation.listen({ onConnection: (state) => void (state === "open" && begin()) });
}
simulation.start();
app.run();
