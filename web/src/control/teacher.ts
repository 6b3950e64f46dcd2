// Shows a person what to do next while they do it themselves, and says so when the cord left its post.

import type { Vector3 } from "three";
import type { FrameMessage, SceneMessage } from "../base/protocol.generated";
import { Guide } from "../teach/guide";
import { PostWatch } from "../teach/post";
import { WayGuide, type Way } from "../teach/way";
import { placeNow } from "../ui/place";
import type { Shell } from "../ui/shell";

export class Teacher {
  private guide: Guide | WayGuide | undefined;
  /** of a task that is done: the ghosts can be switched off, and the words */
  showsGhost = true;
  showsSteps = true;
  private readonly post = new PostWatch();

  constructor(
    private readonly shell: Shell,
    private readonly showLesson: (name: string | undefined, text?: string) => void,
  ) {}

  get isGuiding(): boolean {
    return this.guide !== undefined;
  }

  /** Guides along the way of an expert; undefined: no longer. */
  followWay(way: Way | undefined): void {
    this.stop();
    this.guide = way && new WayGuide(way);
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
    if (this.guide instanceof WayGuide) return; // it belongs to the task, which has a scene of its own
    if (this.guide && isSame) this.guide = new Guide();
    else this.stop();
  }

  /** Per hand: where it goes next, mm. */
  follow(frame: FrameMessage, scene: SceneMessage): (Vector3 | undefined)[] {
    if (this.guide instanceof WayGuide) return this.followExpert(this.guide, frame);
    if (placeNow() === "lab" && this.post.hasLeft(frame, scene)) {
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

  private followExpert(guide: WayGuide, frame: FrameMessage): (Vector3 | undefined)[] {
    const advice = guide.follow(frame);
    this.showLesson(this.showsSteps && advice.name ? advice.name : undefined, advice.text);
    return this.showsGhost ? advice.goals : [];
  }
}
