// Who works now: the sessions of this server, each with a link by which one watches it.

import { h } from "../ui/dom";
import type { Made, PageContext } from "./context";
import { link, trouble } from "./parts";

export async function now(context: PageContext): Promise<Made> {
  const element = h("div", { class: "now" }, h("h1", {}, "Who works now"));
  const place = h("div", {});
  element.append(place);
  const fill = async () => {
    try {
      place.replaceChildren(...table(await context.training.sessions()));
    } catch (error) {
      place.replaceChildren(trouble(error));
    }
  };
  await fill();
  return { title: "Who works now", element, refresh: () => void fill() };
}

type Sessions = Awaited<ReturnType<PageContext["training"]["sessions"]>>;

function table({ sessions, most, waiting }: Sessions): HTMLElement[] {
  const rows = sessions
    .filter(({ clients }) => clients > 0)
    .map(({ session, name, scene, clients, idle, is_own }) =>
      h(
        "tr",
        {},
        h("td", {}, name || "Nobody's own"),
        h("td", {}, scene),
        h("td", {}, idle < 60 ? "now" : `${Math.round(idle / 60)} min ago`),
        h("td", {}, String(clients - 1)),
        h("td", {}, is_own ? "yours" : link({ page: "watch", session }, "button", "Watch")),
      ),
    );
  const head = ["Who", "Scene", "Last did something", "Watch it", ""].map((text) => h("th", { scope: "col" }, text));
  const sentence = `${rows.length} of ${most} places to work are taken${waiting > 0 ? `, and ${waiting} wait` : ""}.`;
  return [
    h("p", { class: "lead" }, sentence),
    ...(rows.length > 0 ? [h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows))] : []),
  ];
}
