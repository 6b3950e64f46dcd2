import { Simulation } from "../src/net/simulation";
import { describe, expect, it } from "vitest";
import { Connection, nobody, OrderError, type Incoming, type Socket } from "../src/net/connection";
import { decodeMessage, encodeMessage, Fault, NUMBERS, PROTOCOL_VERSION, type ClientMessage, type ServerMessage } from "../src/base/protocol.generated";
import { frameOf } from "./frames";

class FakeSocket implements Socket {
  binaryType: BinaryType = "blob";
  onopen: Socket["onopen"] = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  readonly sent: ClientMessage[] = [];
  send(bytes: Uint8Array): void {
    this.sent.push(decodeMessage(bytes) as ClientMessage);
  }
  close(): void {
    this.onclose?.({ code: 1000, reason: "" });
  }
  say(message: ServerMessage): void {
    this.onmessage?.({ data: encodeMessage(message).buffer });
  }
}

/** Messages without contents: as many zeros as each takes. */
const zeros = { scene: 0, surface: 0, surface_change: 0 };
for (const type of Object.keys(zeros) as (keyof typeof zeros)[]) {
  for (let size = 2; zeros[type] === 0; size++) if (isWhole(type, size)) zeros[type] = size;
}
function bytesOf(type: keyof typeof zeros, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint16(0, NUMBERS[type], true);
  return bytes;
}
function isWhole(type: keyof typeof zeros, size: number): boolean {
  try {
    return decodeMessage(bytesOf(type, size)) !== undefined;
  } catch {
    return false;
  }
}
const empty = (type: keyof typeof zeros) => decodeMessage(bytesOf(type, zeros[type])) as ServerMessage;

function rig() {
  const sockets: FakeSocket[] = [];
  const pauses: number[] = [];
  const later: (() => void)[] = [];
  const heard: Incoming[] = [];
  const states: string[] = [];
  const connection = new Connection(
    () => {
      sockets.push(new FakeSocket());
      return sockets[sockets.length - 1];
    },
    { ...nobody, token: "secret", key: "mine" },
    {
      onOpen: () => states.push("open"),
      onLost: () => states.push("lost"),
      onMessage: (message) => heard.push(message),
    },
    (action, pause) => {
      pauses.push(pause);
      later.push(action);
    },
  );
  connection.connect();
  return { connection, sockets, pauses, later, heard, states };
}

describe("connection", () => {
  it("says hello with the token", () => {
    const { sockets } = rig();
    sockets[0].onopen?.({});
    expect(sockets[0].sent[0]).toMatchObject({ type: "hello", version: PROTOCOL_VERSION, token: "secret" });
  });

  it("gives an order again when there is a world for it", async () => {
    const { connection, sockets } = rig();
    const [socket] = sockets;
    const welcome = (session: number) =>
      socket.say({ type: "welcome", request: 1, version: PROTOCOL_VERSION, program: "", client: 1, may_control: 1, frame_rate: 60, most_bytes: 9, most_messages: 9, session, is_guest: 0 });
    socket.onopen?.({});
    expect(socket.sent[0]).toMatchObject({ type: "hello", session: 0, key: "mine" });
    welcome(0);
    let isOver = false;
    const order = connection.order({ type: "reset" }).then(() => (isOver = true));
    const { request } = socket.sent[1];
    socket.say({ type: "error", request, code: Fault.full, message: "all are taken" });
    await Promise.resolve();
    expect(isOver).toBe(false);
    welcome(3);
    expect(socket.sent[2]).toEqual({ type: "reset", request });
    socket.say({ type: "done", request });
    await order;
    const refused = connection.order({ type: "reset" }); // with a world "full" is an answer
    socket.say({ type: "error", request: request + 1, code: Fault.full, message: "too much" });
    await expect(refused).rejects.toThrow("too much");
  });

  it("answers a question with the JSON that came before its done", async () => {
    const { connection, sockets, heard } = rig();
    sockets[0].onopen?.({});
    const answer = connection.ask({ type: "ask_training", kind: 0, task: "", trainee: "", number: 0 });
    const { request } = sockets[0].sent[1];
    const json = new TextEncoder().encode('{"tasks": ["ö"]}');
    sockets[0].say({ type: "training", request, kind: 0, json });
    sockets[0].say({ type: "training", request: 0, kind: 5, json });
    sockets[0].say({ type: "done", request });
    expect(await answer).toEqual({ tasks: ["ö"] });
    expect(heard).toHaveLength(1); // the one that nobody asked for
  });

  it("connects anew at once, without a word of a loss", async () => {
    const { connection, sockets, states, pauses } = rig();
    sockets[0].onopen?.({});
    const pause = connection.order({ type: "pause" });
    connection.renew();
    await expect(pause).rejects.toThrow("connecting anew");
    expect(sockets).toHaveLength(2);
    sockets[1].onopen?.({});
    expect(states).toEqual(["open", "open"]);
    expect(pauses).toEqual([]);
  });

  it("is ready when the newest connection is, whatever an older one waited for", async () => {
    const sockets: FakeSocket[] = [];
    const simulation = new Simulation(() => {
      sockets.push(new FakeSocket());
      return sockets[sockets.length - 1];
    }, nobody);
    const ends: (() => void)[] = [];
    simulation.prepare = () => new Promise((resolve) => ends.push(resolve));
    simulation.start();
    sockets[0].onopen?.({});
    let isReady = false;
    void simulation.whenOpen().then(() => (isReady = true));
    sockets[0].onclose?.({ code: 1006, reason: "" });
    simulation.start();
    ends[0]();
    await Promise.resolve().then(() => undefined);
    expect(isReady).toBe(false);
    sockets[1].onopen?.({});
    ends[1]();
    await simulation.whenOpen();
    expect(isReady).toBe(true);
  });

  /** A simulation that was told a world before anybody listened to it: what a late listener hears then. */
  function lateListener(cuts: number) {
    const sockets: FakeSocket[] = [];
    const simulation = new Simulation(() => {
      sockets.push(new FakeSocket());
      return sockets[sockets.length - 1];
    }, nobody);
    simulation.start();
    sockets[0].onopen?.({});
    const tell = (generation: number) => {
      sockets[0].say({ ...empty("scene"), generation } as ServerMessage);
      sockets[0].say({ ...empty("surface"), generation } as ServerMessage);
    };
    tell(1);
    tell(2);
    for (let cut = 0; cut < cuts; cut++) sockets[0].say({ ...empty("surface_change"), generation: 2 } as ServerMessage);
    const heard: string[] = [];
    simulation.listen({
      onConnection: (state) => heard.push(state),
      onScene: ({ generation }) => heard.push(`scene ${generation}`),
      onSurface: ({ type }) => heard.push(type) > 0,
    });
    simulation.catchUp();
    return { sockets, heard };
  }

  it("is told to late listeners without another connection: the present world, and what was cut in it", () => {
    const { sockets, heard } = lateListener(2);
    expect(heard).toEqual(["open", "scene 2", "surface", "surface_change", "surface_change"]);
    expect(sockets).toHaveLength(1);
    sockets[0].say({ ...empty("surface_change"), generation: 2 } as ServerMessage);
    expect(heard).toHaveLength(6); // and heard at once from then on
  });

  it("is asked for again when more was cut than is kept", () => {
    const { sockets, heard } = lateListener(500);
    expect(heard).toEqual([]);
    expect(sockets).toHaveLength(2);
  });

  it("is left by one listener only once", () => {
    const simulation = new Simulation(() => new FakeSocket(), nobody);
    const heard: string[] = [];
    const stop = simulation.listen({ onNotice: () => heard.push("first") });
    simulation.listen({ onNotice: () => heard.push("second") });
    stop();
    stop();
    simulation.notice({ kind: "info", text: "" });
    expect(heard).toEqual(["second"]);
  });

  it("ends orders with done and fails them with the sentence of the server", async () => {
    const { connection, sockets } = rig();
    sockets[0].onopen?.({});
    const pause = connection.order({ type: "pause" });
    const choose = connection.order({ type: "choose_scene", name: "nowhere" });
    const [, first, second] = sockets[0].sent;
    sockets[0].say({ type: "error", request: second.request, code: 5, message: "no such scene" });
    sockets[0].say({ type: "done", request: first.request });
    await expect(pause).resolves.toBeUndefined();
    await expect(choose).rejects.toEqual(new OrderError(5, "no such scene"));
  });

  it("keeps only the newest frame", () => {
    const { connection, sockets } = rig();
    sockets[0].onopen?.({});
    for (let number = 1; number <= 5; number++) sockets[0].say(frameOf(number));
    expect(connection.takeFrame()?.number).toBe(5);
    expect(connection.takeFrame()).toBeUndefined();
  });

  it("comes back after a loss, waiting longer each time, and fails what was under way", async () => {
    const { connection, sockets, pauses, later, states } = rig();
    sockets[0].onopen?.({});
    const order = connection.order({ type: "reset" });
    sockets[0].close();
    await expect(order).rejects.toBeInstanceOf(OrderError);
    await expect(connection.order({ type: "go" })).rejects.toBeInstanceOf(OrderError);
    expect(connection.operate([{ type: "open_hand", step: 0, hand: 0 }])).toBe(0);
    for (let attempt = 1; attempt < 6; attempt++) {
      later[attempt - 1]();
      sockets[attempt].close();
    }
    later[5]();
    sockets[6].onopen?.({});
    expect(pauses).toEqual([250, 500, 1000, 2000, 3000, 3000]);
    expect(states).toEqual(["open", "lost", "lost", "lost", "lost", "lost", "lost", "open"]);
    sockets[6].close();
    expect(pauses[6]).toBe(250);
  });

  it("numbers operations, so that frames can say which they contain", () => {
    const { connection, sockets } = rig();
    sockets[0].onopen?.({});
    const first = connection.operate([{ type: "open_hand", step: 0, hand: 0 }]);
    const second = connection.operate([{ type: "close_hand", step: 0, hand: 1 }]);
    expect(second).toBeGreaterThan(first);
    expect(connection.operate([])).toBe(0);
    expect(sockets[0].sent.filter((message) => message.type === "operate").length).toBe(2);
  });
});
