// Shows a person what to do next while they do it themselves, and says so when the cord left its post.

import type { Vector3 } from "three";
import type { FrameMessage, SceneMessage } from "../base/protocol.generated";
import { Guide } from "../teach/guide";
import { PostWatch } from "../teach/post";
import type { Shell } from "../ui/shell";

export class Teacher {
  private guide: Guide | undefined;
  private readonly post = new PostWatch();

  constructor(
    private readonly shell: Shell,
    private readonly showLesson: (name: string | undefined, text?: string) => void,
  ) {}

  get isGuiding(): boolean {
    return this.guide !== undefined;
  }

  /** Guides from now on; the scene is at its beginning. */
  start(): void {
    this.guide = new Guide();
  }

  stop(): void {
    this.guide = undefined;
    this.showLesson(undefined);
  }

  takeScene(isSame: boolean): void {
    this.post.forget();
    if (this.guide && isSame) this.guide = new Guide();
    else this.stop();
  }

  /** Per hand: where it goes next, mm. */
  follow(frame: FrameMessage, scene: SceneMessage): (Vector3 | undefined)[] {
    if (this.post.hasLeft(frame, scene)) {
      this.shell.notice("warning", "The cord has left the post. Undo (Backspace) takes it back.");
    }
    const advice = this.guide?.follow(frame);
    if (!this.guide) return [];
    if (!advice) {
      this.stop();
      this.shell.notice("info", "A square knot, tied by yourself.");
      return [];
    }
    this.showLesson(advice.name, advice.text);
    return advice.goals;
  }
}
