// The line to the server: one WebSocket, made again whenever it breaks.
//
// Orders are promises: they end with `done` or fail with the sentence of `error`. Of frames only the newest is kept, as
// bytes; whoever draws asks for it, so that a page in the background does no work.

import {
  decodeMessage,
  encodeMessage,
  encodeOperations,
  Fault,
  NUMBERS,
  PROTOCOL_VERSION,
  type ClientMessage,
  type FrameMessage,
  type Operation,
  type ServerMessage,
} from "../base/protocol.generated";

const FRAME_NUMBER = NUMBERS.frame;
const FIRST_PAUSE = 250; // ms before the next attempt
const LONGEST_PAUSE = 3000;

type WithoutRequest<T> = T extends ClientMessage ? Omit<T, "request"> : never;
export type Order = WithoutRequest<Exclude<ClientMessage, { type: "hello" | "operate" }>>;

/** What listeners get to see; frames are asked for, and ends of orders are promises. */
export type Incoming = Exclude<ServerMessage, { type: "frame" | "done" }>;

export class OrderError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Who a page is, as it says in hello. */
export interface Identity {
  token: string;
  /** by which the server knows its world again */
  key: string;
  name: () => string;
  /** 0: its own; otherwise the session that it wants to watch */
  session: () => number;
}

export const nobody: Identity = { token: "", key: "", name: () => "", session: () => 0 };

export interface ConnectionListener {
  onOpen(): void;
  onLost(reason: string): void;
  onMessage(message: Incoming): void;
}

/** What of WebSocket is used; tests bring their own. */
export interface Socket {
  binaryType: BinaryType;
  onopen: ((event: unknown) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  order: ClientMessage;
  /** what came before the end of the order, if that is what was asked for */
  answer?: unknown;
}

export function readJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

export class Connection {
  private socket: Socket | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private request = 0;
  private pause = FIRST_PAUSE;
  private newest: Uint8Array | undefined;
  private isOpen = false;
  private session = 0;
  /** orders that need a world, which this page waits for */
  private held: ClientMessage[] = [];
  bytesReceived = 0;

  constructor(
    private readonly makeSocket: () => Socket,
    private readonly who: Identity,
    private readonly listener: ConnectionListener,
    private readonly later: (action: () => void, milliseconds: number) => void = (action, pause) =>
      void setTimeout(action, pause),
  ) {}

  connect(): void {
    const socket = (this.socket = this.makeSocket());
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.isOpen = true;
      const { token, key } = this.who;
      const [name, session] = [this.who.name() || "page", this.who.session()];
      this.send({ type: "hello", request: ++this.request, version: PROTOCOL_VERSION, token, name, session, key });
      this.listener.onOpen();
    };
    socket.onmessage = (event) => {
      if (event.data instanceof ArrayBuffer) this.take(new Uint8Array(event.data));
    };
    socket.onclose = (event) => this.lose(event.reason || `connection closed (${event.code})`);
  }

  /** Sends an order; ends when it was carried out. */
  async order(order: Order): Promise<void> {
    await this.ask(order);
  }

  /** Sends an order that is answered by a JSON object, or by a message; ends with that. */
  ask(order: Order): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(new OrderError(0, "not connected"));
    const request = ++this.request;
    return new Promise((resolve, reject) => {
      const message = { ...order, request } as ClientMessage;
      this.waiting.set(request, { resolve, reject, order: message });
      this.send(message);
    });
  }

  /** Sends operations for the next step; returns the number by which frames acknowledge them, 0 when not connected. */
  operate(operations: Operation[]): number {
    if (!this.isOpen || operations.length === 0) return 0;
    const request = ++this.request;
    this.send({ type: "operate", request, operations: encodeOperations(operations) });
    return request;
  }

  /** The newest frame since the last call, if there was one. */
  takeFrame(): FrameMessage | undefined {
    const bytes = this.newest;
    this.newest = undefined;
    return bytes ? (decodeMessage(bytes) as FrameMessage) : undefined;
  }

  /** Makes this connection anew at once, so that all that the server tells at first is told again. */
  renew(): void {
    if (!this.socket || !this.isOpen) return;
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close();
    this.forget("connecting anew");
    this.connect();
  }

  /** Ends this connection and makes another one. */
  drop(): void {
    this.socket?.close();
  }

  private send(message: ClientMessage): void {
    this.socket?.send(encodeMessage(message));
  }

  private take(bytes: Uint8Array): void {
    this.bytesReceived += bytes.length;
    if (bytes[0] === FRAME_NUMBER && bytes[1] === 0) {
      this.newest = bytes;
      return;
    }
    const message = decodeMessage(bytes) as ServerMessage;
    const asked = message.type === "training" || message.type === "sessions" ? this.waiting.get(message.request) : undefined;
    if (asked) {
      asked.answer = message.type === "training" ? readJson(message.json) : message;
      return;
    }
    if (message.type === "welcome") this.enter(message.session);
    if (message.type === "error" && this.holds(message.code, message.request)) return;
    if (message.type === "done" || message.type === "error") {
      const waiting = this.waiting.get(message.request);
      this.waiting.delete(message.request);
      if (waiting && message.type === "done") return waiting.resolve(waiting.answer);
      if (waiting && message.type === "error") return waiting.reject(new OrderError(message.code, message.message));
    }
    if (message.type !== "done" && message.type !== "frame") this.listener.onMessage(message);
  }

  /** An order that there is no world for yet is given again when there is one. */
  private holds(code: number, request: number): boolean {
    const order = this.waiting.get(request)?.order;
    const isHeld = order !== undefined && code === Fault.full && this.session === 0;
    if (isHeld) this.held.push(order);
    return isHeld;
  }

  private enter(session: number): void {
    this.session = session;
    this.newest = undefined; // of where it was
    if (session > 0) for (const order of this.held.splice(0)) this.send(order);
  }

  private forget(reason: string): void {
    this.isOpen = false;
    this.session = 0;
    this.held = [];
    this.newest = undefined;
    for (const { reject } of this.waiting.values()) reject(new OrderError(0, reason));
    this.waiting.clear();
  }

  private lose(reason: string): void {
    this.forget(reason);
    this.listener.onLost(reason);
    this.later(() => this.connect(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }
}
