// Who trains: names on this machine. Nothing of it leaves the machine.

import { button, h, makeDialog } from "../ui/dom";

const MOST_BYTES = 100;

/** A field for a new name, and those that are known. */
export function traineeForm(known: string[], onChoose: (name: string) => void): HTMLElement {
  const field = h("input", { type: "text", id: "trainee-name", autocomplete: "off", maxLength: 60, placeholder: "Your name" });
  const take = () => {
    const name = readName(field.value);
    if (name) onChoose(name);
    else field.focus();
  };
  const form = h(
    "form",
    {
      class: "trainee-form",
      onSubmit: (event: Event) => {
        event.preventDefault();
        take();
      },
    },
    h("label", { htmlFor: "trainee-name" }, "Who is training?"),
    h("div", { class: "row" }, field, h("button", { type: "submit", class: "strong" }, "Start")),
    known.length > 0 &&
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "Trainees on this machine" },
        ...known.map((name) => button({ label: name, className: "chip", onClick: () => onChoose(name) })),
      ),
    h("p", { class: "faint small" }, "Your attempts are kept on this machine, under this name. Nothing is sent anywhere."),
  );
  return form;
}

/** As the logbook takes it: not empty, not longer than its column; undefined otherwise. */
export function readName(text: string): string | undefined {
  const name = text.replace(/\s+/g, " ").trim();
  return name && new TextEncoder().encode(name).length <= MOST_BYTES ? name : undefined;
}

export function openTraineeDialog(known: string[], onChoose: (name: string) => void): void {
  const form = traineeForm(known, (name) => {
    dialog.close();
    onChoose(name);
  });
  const dialog = makeDialog("Who is training?", form);
  dialog.classList.add("small");
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  form.querySelector("input")?.focus();
}
