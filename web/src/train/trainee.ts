// Who trains: names on this machine. Nothing of it leaves the machine.

import { button, h, makeDialog, setText } from "../ui/dom";
import { people } from "./data";

const MOST_BYTES = 100;

/** A field for a new name, and those that are known. */
export function traineeForm(known: string[], onChoose: (name: string) => void): HTMLElement {
  const field = h("input", { type: "text", id: "trainee-name", autocomplete: "off", maxLength: 60, placeholder: "Your name", "aria-describedby": "trainee-refusal" });
  const refusal = h("p", { class: "refusal small", id: "trainee-refusal", role: "alert" });
  const take = () => {
    const name = readName(field.value);
    setText(refusal, refuseName(field.value));
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
    refusal,
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

/** As the logbook takes it; undefined when it does not. */
export function readName(text: string): string | undefined {
  return refuseName(text) === "" ? trim(text) : undefined;
}

/** Why the logbook does not take a name; empty when it does. */
export function refuseName(text: string): string {
  const name = trim(text);
  if (!name) return "Say a name.";
  if (new TextEncoder().encode(name).length > MOST_BYTES) return "This name is too long.";
  const isScripts = people([name.toLowerCase()]).length === 0;
  return isScripts ? `"${name}" stands for the scripts that show a task. Choose another name.` : "";
}

function trim(text: string): string {
  return text.replace(/\s+/g, " ").trim();
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
