// Undo: states of the world that the server keeps for this page, in a ring. One is kept now and then while the hands
// move, before a hand closes or opens or takes another instrument, and before the scene starts anew.

import { OrderError } from "../net/connection";
import type { Simulation } from "../net/simulation";
import { Fault, Mode, type FrameMessage } from "../base/protocol.generated";

/** places that the server has; the last is for the way back */
const SLOTS = 15;
const AHEAD = 15;
/** s of simulated time between two states that are kept while hands move */
const PAUSE = 4;
/** s: undo goes back by more than this, so that pressing it twice goes farther */
const WORTH_GOING = 0.6;

interface Mark {
  slot: number;
  /** simulated, s */
  time: number;
  /** of the world it was in */
  generation: number;
}

export class History {
  private marks: Mark[] = [];
  private ahead: Mark | undefined;
  /** all that was kept when the first undo was made: redo gives it back, so that undo goes the same way again */
  private known: Mark[] = [];
  /** the state that undo or redo went to last, until another one is kept */
  private arrived: Mark | undefined;
  /** s: the time that was left for it; frames that are under way still tell of that */
  private left = 0;
  /** s: how far the world went on from there, once frames tell */
  private goneOn = 0;
  private isTold = false;
  private next = 0;
  private scene = "";

  constructor(private readonly simulation: Simulation) {}

  /** States of another scene are gone. */
  takeScene(name: string): void {
    if (name !== this.scene) this.marks = [];
    this.scene = name;
    this.ahead = this.arrived = undefined;
  }

  /** The first frame that is nearer to the state that was gone to than to the one that was left tells of it. */
  takeFrame(frame: FrameMessage): void {
    if (!this.arrived) return;
    const goneOn = frame.time - this.arrived.time;
    this.isTold ||= Math.abs(goneOn) < Math.abs(frame.time - this.left);
    if (this.isTold) this.goneOn = goneOn;
  }

  /** While hands move a state is kept now and then. */
  follow(frame: FrameMessage): void {
    const last = this.marks[this.marks.length - 1];
    if (!last || Math.abs(frame.time - last.time) >= PAUSE) this.mark();
  }

  /** Keeps the present state. What is sent after this call comes after it. */
  mark(): void {
    const { frame, connection } = this.simulation;
    if (!frame || frame.mode === Mode.watching || frame.recording) return;
    const slot = this.next;
    this.next = (slot + 1) % SLOTS;
    this.marks = this.marks.filter((mark) => mark.slot !== slot);
    this.marks.push({ slot, time: frame.time, generation: frame.generation });
    this.ahead = this.arrived = undefined;
    connection.order({ type: "snapshot", slot }).catch(() => (this.marks = this.marks.filter((m) => m.slot !== slot)));
  }

  get canUndo(): boolean {
    return this.find() !== undefined && this.isAllowed;
  }

  get canRedo(): boolean {
    return this.ahead !== undefined && this.isAllowed;
  }

  /** Goes back to the last state that was kept. True when there was one. */
  async undo(): Promise<boolean> {
    const mark = this.find();
    const { present } = this;
    if (!mark || !present || !this.isAllowed) return false;
    const before = this.ahead ?? { slot: AHEAD, time: present.time, generation: present.generation };
    if (!this.ahead && !(await this.simulation.order({ type: "snapshot", slot: AHEAD }))) return false;
    if (!(await this.restore(mark))) return false;
    if (!this.ahead) this.known = this.marks;
    if (this.marks.includes(mark)) this.marks = this.marks.slice(0, this.marks.indexOf(mark));
    this.ahead = before;
    return true;
  }

  /** Goes to where the first undo was made. */
  async redo(): Promise<boolean> {
    const { ahead } = this;
    if (!ahead || !this.isAllowed || !(await this.restore(ahead))) return false;
    this.ahead = undefined;
    this.marks = this.known;
    return true;
  }

  /** The server keeps no states of a scene that was chosen anew, though it has the same name: those before are gone. */
  private async restore(mark: Mark): Promise<boolean> {
    const left = this.simulation.frame?.time ?? mark.time; // a frame may come before the answer
    try {
      await this.simulation.connection.order({ type: "restore", slot: mark.slot });
      this.arrived = mark;
      this.left = left;
      this.goneOn = 0;
      this.isTold = false;
      return true;
    } catch (error) {
      if (!(error instanceof OrderError) || error.code !== Fault.not_found) this.simulation.tell(error);
      else {
        this.marks = this.marks.slice(this.marks.indexOf(mark) + 1);
        this.ahead = this.arrived = undefined;
      }
      return false;
    }
  }

  private get isAllowed(): boolean {
    const { frame } = this.simulation;
    return frame !== undefined && frame.mode !== Mode.watching && !frame.recording && !this.simulation.isViewer;
  }

  private get present(): Omit<Mark, "slot"> | undefined {
    const { arrived, goneOn } = this;
    return arrived ? { time: arrived.time + goneOn, generation: arrived.generation } : this.simulation.frame;
  }

  /** The newest state that is not the present one. That which undo went to is one again when the world went on from it
      by as much as lies between two states that are kept: pressed again before, undo goes farther. */
  private find(): Mark | undefined {
    const { present, arrived } = this;
    if (arrived && arrived.slot !== AHEAD && this.goneOn >= PAUSE) return arrived;
    const isAway = (mark: Mark) =>
      mark.generation !== present?.generation || Math.abs(present.time - mark.time) > WORTH_GOING;
    return [...this.marks].reverse().find(isAway);
  }
}
