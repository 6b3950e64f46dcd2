// What opens over the page, put together: scenes, recordings, lessons, help and controls.

import { defaultBindings } from "../input/bindings";
import type { Simulation } from "../net/simulation";
import { AskDialog, ControlsDialog, HelpDialog, ListDialog, recordingItems, SceneDialog } from "../ui/dialogs";
import { inGroups, lessonPlan, lessonTitle } from "../ui/groups";
import { saveSettings, type Settings } from "../ui/settings";
import { lessons } from "./lessons";

/** in the list of lessons: the one that a person ties */
const GUIDED = "guided";

export interface PanelHost {
  /** a person chose how fine pictures are */
  qualityChanged(): void;
  runLesson(name: string): void;
  /** lets a person tie a knot with ghost hands that show the way */
  guide(): void;
  /** the next key, or button of the gamepad, is handed over instead of being acted on */
  captureKey(take: ((code: string) => void) | undefined): void;
  captureButton(take: ((button: number) => void) | undefined): void;
}

export class Panels {
  readonly scenes: SceneDialog;
  readonly lessons: ListDialog;
  readonly help: HelpDialog;
  readonly controls: ControlsDialog;
  private readonly recordings: ListDialog;
  private readonly question = new AskDialog();

  constructor(
    private readonly simulation: Simulation,
    settings: Settings,
    host: PanelHost,
  ) {
    this.scenes = new SceneDialog(simulation);
    this.recordings = new ListDialog(
      "Recordings",
      "No recordings yet. Press Record, tie something, press Stop.",
      (name) => void simulation.order({ type: "open_recording", name }),
    );
    this.lessons = new ListDialog("Lessons", "There are no scripts.", (name) =>
      name === GUIDED ? host.guide() : host.runLesson(name),
    );
    this.fillLessons();
    this.help = new HelpDialog(() => settings.bindings);
    this.controls = new ControlsDialog(
      () => settings.bindings,
      () => saveSettings(settings),
      () => (settings.bindings = defaultBindings()),
      (take) => host.captureKey(take),
      (take) => host.captureButton(take),
      {
        wish: () => settings.quality,
        take: (wish) => {
          settings.quality = wish;
          host.qualityChanged();
        },
      },
    );
  }

  /** Asks before something is lost; true when the person says so. */
  ask(action: string, text: string): Promise<boolean> {
    return this.question.ask(action, text);
  }

  private fillLessons(): void {
    const guided = {
      name: GUIDED,
      label: "Tie a square knot yourself",
      note: "Ghost hands show where yours go next, step by step, in the scene Practice.",
    };
    const watched = lessons.map(({ name, about }) => ({ name, label: lessonTitle(name), note: about }));
    const groups = inGroups(lessonPlan, watched, ({ name }) => name, "More");
    this.lessons.fill([
      { title: "Do it yourself", items: [guided] },
      ...groups.map(({ title, items }) => ({ title: `Watch: ${title.charAt(0).toLowerCase()}${title.slice(1)}`, items })),
    ]);
  }

  fillRecordings(): void {
    this.recordings.fill(recordingItems(this.simulation));
  }

  openRecordings(): void {
    this.fillRecordings();
    void this.simulation.order({ type: "list_recordings" });
    this.recordings.open();
  }
}
