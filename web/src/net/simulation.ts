// What the page knows of the simulation: scene, newest frame, lists, and what happened. Others listen for changes.

import {
  EventKind,
  Mode,
  type DeviceState,
  type EventMessage,
  type FrameMessage,
  type HandsAskedMessage,
  type RecordingName,
  type SceneMessage,
  type SceneName,
  type SurfaceChangeMessage,
  type SurfaceMessage,
} from "../base/protocol.generated";
import { Connection, OrderError, readJson, type Identity, type Incoming, type Order, type Socket } from "./connection";

/** messages about a world that are kept for listeners who come late: a scene, its surfaces, and some cuts in them */
const MOST_KEPT = 64;

export type ConnectionState = "connecting" | "open" | "lost";

type WorldMessage = SceneMessage | SurfaceMessage | SurfaceChangeMessage;

export interface Notice {
  kind: "info" | "warning";
  text: string;
}

export interface SimulationListener {
  onConnection?(state: ConnectionState, reason: string): void;
  onScene?(scene: SceneMessage): void;
  /** False when it does not go with the surface before: the line is made anew then, and whole surfaces come again. */
  onSurface?(surface: SurfaceMessage | SurfaceChangeMessage): boolean;
  onFrame?(frame: FrameMessage): void;
  onLists?(): void;
  /** how force-feedback devices and tracked instruments do */
  onDevices?(devices: DeviceState[]): void;
  onEvent?(event: EventMessage): void;
  onNotice?(notice: Notice): void;
  /** how the attempt at a task fares that this page began */
  onAttempt?(news: AttemptNews): void;
  /** this page waits for a world, or its world rests; undefined: neither any more */
  onWaiting?(waiting: Waiting | undefined): void;
  /** somebody who watches asks for the hands */
  onHandsAsked?(asked: HandsAskedMessage): void;
}

export interface Waiting {
  /** in the queue, from 1; 0: the world rests, and goes on when one does something */
  place: number;
  text: string;
}

/** As docs/training.md has it. */
export interface AttemptNews {
  attempt: number;
  state: "running" | "finished" | "interrupted" | "failed";
  /** s since the first motion, or the first touch of a target */
  time: number;
  targets: number;
  /** places of those that were reached */
  reached: number[];
  why: string;
}

export class Simulation {
  readonly connection: Connection;
  state: ConnectionState = "connecting";
  client = 0;
  mayControl = true;
  /** the session that this page is in; 0: none, until it needs a world; undefined: it was not told yet */
  session: number | undefined;
  /** the session is somebody else's */
  isGuest = false;
  waiting: Waiting | undefined;
  program = "";
  scenes: SceneName[] = [];
  recordings: RecordingName[] = [];
  devices: DeviceState[] = [];
  scene: SceneMessage | undefined;
  frame: FrameMessage | undefined;
  /** what is done first on every new connection, before all that waits for it */
  prepare: () => Promise<void> = () => Promise.resolve();
  private readonly listeners: SimulationListener[] = [];
  /** what was told of the present world, until `catchUp`; undefined: not all of it, or told already */
  private kept: WorldMessage[] | undefined = [];
  private wanting: (() => void)[] = [];
  private isReady = false;
  /** counts connections: what one of them waited for does not make the next one ready */
  private connections = 0;

  constructor(makeSocket: () => Socket, who: Identity) {
    this.connection = new Connection(makeSocket, who, {
      onOpen: () => void this.takeOpen(),
      onLost: (reason) => {
        this.isReady = false;
        this.connections++;
        this.kept &&= [];
        this.setState("lost", reason);
      },
      onMessage: (message) => this.take(message),
    });
  }

  /** From now on, until the function that comes back is called. */
  listen(listener: SimulationListener): () => void {
    this.listeners.push(listener);
    return () => {
      const place = this.listeners.indexOf(listener);
      if (place >= 0) this.listeners.splice(place, 1);
    };
  }

  start(): void {
    this.connection.connect();
  }

  /** Ends when there is a connection. */
  whenOpen(): Promise<void> {
    return this.isReady ? Promise.resolve() : new Promise((resolve) => this.wanting.push(resolve));
  }

  /** Tells what the server told already to those who began to listen late. The first picture waits for no other
      connection then, and the server does not tell it all again; only when too much happened meanwhile it has to. */
  catchUp(): void {
    const { kept } = this;
    this.kept = undefined;
    if (!kept) return this.renew();
    if (this.state !== "open") return; // all of it is still to come
    this.setState("open", "");
    for (const listener of this.listeners) {
      listener.onLists?.();
      if (this.devices.length > 0) listener.onDevices?.(this.devices);
    }
    for (const message of kept) this.take(message);
  }

  /** Makes the line anew, as one who wants to be elsewhere. */
  renew(): void {
    this.isReady = false;
    this.connections++;
    this.connection.renew();
  }

  private keep(message: WorldMessage): void {
    if (message.type === "scene") this.kept &&= [];
    this.kept?.push(message);
    if (this.kept && this.kept.length > MOST_KEPT) this.kept = undefined;
  }

  private async takeOpen(): Promise<void> {
    const mine = ++this.connections;
    this.setState("open", "");
    await this.prepare();
    if (mine !== this.connections) return;
    this.isReady = true;
    for (const resolve of this.wanting.splice(0)) resolve();
  }

  /** Takes the newest frame from the line. True when there was one of the present scene. */
  poll(): boolean {
    const frame = this.connection.takeFrame();
    if (!frame || frame.generation !== this.scene?.generation) return false;
    this.frame = frame;
    for (const listener of this.listeners) listener.onFrame?.(frame);
    return true;
  }

  /** Sends an order; trouble becomes a notice. True when it was carried out. */
  async order(order: Order): Promise<boolean> {
    try {
      await this.connection.order(order);
      return true;
    } catch (error) {
      this.tell(error);
      return false;
    }
  }

  /** Tells why an order was refused; a lost connection is shown already. */
  tell(error: unknown): void {
    if (error instanceof OrderError && error.code === 0) return;
    this.notice({ kind: "warning", text: (error as Error).message });
  }

  /** Becomes the driver of a hand; another page that has it already may keep it. True when it is this page's now. */
  takeHand(hand: number): Promise<boolean> {
    return this.tryOrder({ type: "take_hand", hand });
  }

  async leaveHand(hand: number): Promise<boolean> {
    return this.tryOrder({ type: "leave_hand", hand });
  }

  /** An order whose refusal is nothing to tell. */
  private tryOrder(order: Order): Promise<boolean> {
    return this.connection.order(order).then(
      () => true,
      () => false,
    );
  }

  notice(notice: Notice): void {
    for (const listener of this.listeners) listener.onNotice?.(notice);
  }

  /** A world that rests goes on. */
  wake(): void {
    if (this.waiting?.place !== 0) return;
    this.setWaiting(undefined);
    void this.order({ type: "enter", session: 0 });
  }

  /** Asks those who work in this session for their hands. */
  async askForHands(): Promise<void> {
    if (await this.order({ type: "ask_hands" })) this.notice({ kind: "info", text: "You asked. Whoever works here gives you the hands, or does not." });
  }

  /** Gives the hands to one that asked; 0: takes them back. */
  async giveHands(client: number): Promise<boolean> {
    return this.order({ type: "give_hands", client });
  }

  /** This page drives a hand. */
  get hasHands(): boolean {
    return this.frame?.hands.some(({ driver }) => driver === this.client) ?? false;
  }

  /** Another page has the hands, the session is another's, or orders need a token that this one has not: this page only
      watches. */
  get isViewer(): boolean {
    if (!this.mayControl) return true;
    return !this.hasHands && (this.isGuest || (this.frame?.hands.some(({ driver }) => driver !== 0) ?? false));
  }

  get isWatching(): boolean {
    return this.frame?.mode === Mode.watching;
  }

  get isPaused(): boolean {
    return this.frame?.mode === Mode.paused;
  }

  private setWaiting(message: { place: number; message: string } | undefined): void {
    this.waiting = message && { place: message.place, text: message.message };
    for (const listener of this.listeners) listener.onWaiting?.(this.waiting);
  }

  private setState(state: ConnectionState, reason: string): void {
    this.state = state;
    for (const listener of this.listeners) listener.onConnection?.(state, reason);
  }

  private take(message: Incoming): void {
    switch (message.type) {
      case "welcome":
        this.client = message.client;
        this.mayControl = message.may_control !== 0;
        this.program = message.program;
        this.session = message.session;
        this.isGuest = message.is_guest !== 0;
        if (message.session > 0) this.setWaiting(undefined);
        break;
      case "queue":
        this.setWaiting(message);
        break;
      case "hands_asked":
        for (const listener of this.listeners) listener.onHandsAsked?.(message);
        break;
      case "scenes":
        this.scenes = message.scenes;
        for (const listener of this.listeners) listener.onLists?.();
        break;
      case "recordings":
        this.recordings = message.recordings;
        for (const listener of this.listeners) listener.onLists?.();
        break;
      case "scene":
        if (this.session === 0 && message.name === "") break; // nobody works there
        this.keep(message);
        this.scene = message;
        this.frame = undefined;
        for (const listener of this.listeners) listener.onScene?.(message);
        break;
      case "surface":
      case "surface_change":
        if (message.generation !== this.scene?.generation) break;
        this.keep(message);
        // all hear it before the line is dropped
        if (this.listeners.map((each) => each.onSurface?.(message)).includes(false)) this.connection.drop();
        break;
      case "devices":
        this.devices = message.devices;
        for (const listener of this.listeners) listener.onDevices?.(message.devices);
        break;
      case "event":
        this.takeEvent(message);
        break;
      case "training":
        for (const listener of this.listeners) listener.onAttempt?.(readJson(message.json) as AttemptNews);
        break;
      case "error":
        this.notice({ kind: "warning", text: message.message });
        break;
    }
  }

  private takeEvent(event: EventMessage): void {
    for (const listener of this.listeners) listener.onEvent?.(event);
    const warns = [EventKind.refused, EventKind.script_error, EventKind.tear, EventKind.broke] as number[];
    if (warns.includes(event.kind)) {
      this.notice({ kind: "warning", text: event.message });
    } else if (event.kind === EventKind.note || event.kind === EventKind.recording) {
      this.notice({ kind: "info", text: event.message });
    }
  }
}
