// A client for tests, without dependencies: a WebSocket over plain sockets, the protocol, and a server to talk to.
// Everything waits for something to happen, with a limit; nothing waits for time to pass.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import net from "node:net";

export const LIMIT = Number(process.env.CATGUT_TEST_LIMIT ?? 60000); // ms, for anything that is waited for
export const { default: unused, ...protocol } = await import(process.env.CATGUT_PROTOCOL);
const { encodeMessage, decodeMessage, encodeOperations, PROTOCOL_VERSION, PROTOCOL_NAME } = protocol;

// Waits for a promise, but not for ever.
export function within(promise, what, limit = LIMIT) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`waited too long for ${what}`)), limit);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class Server {
    // Starts `catgut serve` on a port that the system chooses; resolves when it listens.
    static start(...words) {
        return Server.startIn(process.env.CATGUT_WORK, ...words);
    }

    // The same, in a folder of one's own.
    static async startIn(cwd, ...words) {
        const server = new Server();
        const program = process.env.CATGUT_PROGRAM.split(" ");
        server.process = spawn(program[0], [...program.slice(1), "serve", "--port", "0", ...words], {
            stdio: ["ignore", "pipe", "pipe"],
            cwd,
        });
        server.errors = "";
        server.process.stderr.on("data", (data) => {
            server.errors += data;
            server.heard?.();
        });
        server.ended = new Promise((resolve) => server.process.on("close", (code, signal) => resolve({ code, signal })));
        let said = "";
        await within(
            new Promise((resolve, reject) => {
                server.process.stdout.on("data", (data) => {
                    said += data;
                    if (said.includes("\n")) resolve();
                });
                server.ended.then(() => reject(new Error(`the server ended: ${server.errors}`)));
            }),
            "the server to listen",
        );
        server.addresses = said.trim().split("\n");
        server.url = new URL(server.addresses[0]);
        server.port = Number(server.url.port);
        return server;
    }

    // What its errors have for a pattern, when they have it: they come by another pipe than the addresses.
    said(pattern) {
        const heard = new Promise((resolve) => {
            this.heard = () => pattern.test(this.errors) && resolve(pattern.exec(this.errors));
            this.heard();
        });
        return within(heard, `the server to say ${pattern}`);
    }

    // Ends it as Ctrl-C does; resolves to how long that took [ms].
    async stop(signal = "SIGINT") {
        const begun = performance.now();
        this.process.kill(signal);
        // ThreadSanitizer keeps a signal for later that does not meet a thread which waits, and may forget it.
        const again = process.env.CATGUT_SIGNALS_GET_LOST && setInterval(() => this.process.kill(signal), 3000);
        this.ended.then(() => clearInterval(again));
        const { code, signal: by } = await within(this.ended, "the server to end");
        if (code !== 0) throw new Error(`the server ended with ${code ?? by}: ${this.errors}`);
        return performance.now() - begun;
    }
}

// Bytes that came and were not used yet.
class Bytes {
    chunks = [];
    size = 0;
    add(chunk) {
        this.chunks.push(chunk);
        this.size += chunk.length;
    }
    whole() {
        if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
        return this.chunks[0] ?? Buffer.alloc(0);
    }
    take(count) {
        const all = this.whole();
        this.chunks = [all.subarray(count)];
        this.size -= count;
        return all.subarray(0, count);
    }
}

// A frame of the WebSocket protocol, masked as those of clients are.
export function webSocketFrame(opcode, payload, { final = true, masked = true } = {}) {
    const size = payload.length;
    const head = [(final ? 0x80 : 0) | opcode];
    if (size < 126) head.push((masked ? 0x80 : 0) | size);
    else if (size < 65536) head.push((masked ? 0x80 : 0) | 126, size >> 8, size & 255);
    else head.push((masked ? 0x80 : 0) | 127, 0, 0, 0, 0, size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255);
    if (!masked) return Buffer.concat([Buffer.from(head), payload]);
    const mask = randomBytes(4);
    const body = Buffer.alloc(size);
    for (let i = 0; i < size; i++) body[i] = payload[i] ^ mask[i & 3];
    return Buffer.concat([Buffer.from(head), mask, body]);
}

const FRAME = 135; // the number of the message

export class Client {
    blind = false; // frames are counted, not read
    messages = []; // that nobody asked for yet, frames left out
    waiting = []; // { wanted, resolve, reject }
    frame = null; // the newest
    frames = 0;
    number = 0;
    closed = null; // { code, reason }
    bytes = new Bytes();

    // Connects and shakes hands. `headers` take the place of the usual ones; undefined leaves one out.
    static async open(port, { path = "/ws", headers = {} } = {}) {
        const client = new Client();
        const key = randomBytes(16).toString("base64");
        const all = {
            Host: `127.0.0.1:${port}`,
            Upgrade: "websocket",
            Connection: "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": PROTOCOL_NAME,
            ...headers,
        };
        client.socket = net.connect(port, "127.0.0.1");
        client.socket.setNoDelay(true);
        client.gone = new Promise((resolve) => client.socket.on("close", resolve));
        client.gone.then(() => client.end({ code: 1006, reason: "the socket closed" }));
        client.socket.on("error", () => {});
        const lines = Object.entries(all).filter(([, value]) => value !== undefined);
        client.socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`);
        client.answer = await within(client.readHead(), "the handshake");
        if (!client.answer.startsWith("HTTP/1.1 101")) {
            client.socket.destroy();
            const error = new Error(client.answer.split("\r\n")[0] || "the connection was closed");
            error.status = Number(client.answer.split(" ")[1]);
            throw error;
        }
        const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
        if (!client.answer.includes(accept)) throw new Error("the handshake has a wrong key");
        client.socket.on("data", (data) => client.receive(data));
        client.receive(Buffer.alloc(0));
        return client;
    }

    // Connects and says hello; resolves when the scene is known. Session 1 is the one that all share.
    static async join(port, { token = "", session = 1, key = "", name = "test", ...options } = {}) {
        const client = await Client.open(port, options);
        client.send({ type: "hello", version: PROTOCOL_VERSION, token, name, session, key });
        client.welcome = await client.next("welcome");
        client.scenes = (await client.next("scenes")).scenes;
        client.scene = await client.next("scene");
        return client;
    }

    readHead() {
        return new Promise((resolve) => {
            const look = (data) => {
                this.bytes.add(data);
                const end = this.bytes.whole().indexOf("\r\n\r\n");
                if (end >= 0) {
                    this.socket.off("data", look);
                    resolve(this.bytes.take(end + 4).toString());
                }
            };
            this.socket.on("data", look);
            this.gone.then(() => resolve(""));
        });
    }

    receive(data) {
        this.bytes.add(data);
        for (;;) {
            const all = this.bytes.whole();
            if (all.length < 2) return;
            let size = all[1] & 127;
            let head = 2;
            if (size === 126) {
                if (all.length < 4) return;
                size = all.readUInt16BE(2);
                head = 4;
            } else if (size === 127) {
                if (all.length < 10) return;
                size = Number(all.readBigUInt64BE(2));
                head = 10;
            }
            if (all.length < head + size) return;
            const opcode = all[0] & 15;
            const payload = Buffer.from(this.bytes.take(head + size).subarray(head));
            if (opcode === 2 && this.blind && payload.readUInt16LE(0) === FRAME) this.frames++;
            else if (opcode === 2) this.take(decodeMessage(payload));
            else if (opcode === 8) {
                const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
                this.end({ code, reason: payload.subarray(2).toString() });
                this.socket.end(webSocketFrame(8, payload.subarray(0, 2)));
            } else if (opcode === 9) this.socket.write(webSocketFrame(10, payload));
        }
    }

    take(message) {
        if (message.type === "frame") {
            this.frame = message;
            this.frames++;
        }
        const index = this.waiting.findIndex((waiter) => waiter.wanted(message));
        if (index >= 0) this.waiting.splice(index, 1)[0].resolve(message);
        else if (message.type !== "frame") {
            this.messages.push(message);
            if (this.messages.length > 10000) this.messages.shift();
        }
    }

    end(how) {
        this.closed ??= how;
        for (const waiter of this.waiting.splice(0)) waiter.reject(new Error(`closed: ${this.closed.code} ${this.closed.reason}`));
    }

    // Sends a message and returns its request number.
    send(message) {
        const request = ++this.number;
        this.socket.write(webSocketFrame(2, Buffer.from(encodeMessage({ request, ...message }))));
        return request;
    }

    operate(...operations) {
        return this.send({ type: "operate", operations: encodeOperations(operations.map((o) => ({ step: 0, ...o }))) });
    }

    // The next message that fits, from those that came already or will come.
    next(wanted, limit = LIMIT) {
        const fits = typeof wanted === "string" ? (message) => message.type === wanted : wanted;
        const index = this.messages.findIndex(fits);
        if (index >= 0) return Promise.resolve(this.messages.splice(index, 1)[0]);
        if (this.closed) return Promise.reject(new Error(`closed: ${this.closed.code} ${this.closed.reason}`));
        const come = new Promise((resolve, reject) => this.waiting.push({ wanted: fits, resolve, reject }));
        return within(come, `a message (${wanted})`, limit);
    }

    // The first frame that fits, beginning with the newest that came.
    shown(fits) {
        return this.frame && fits(this.frame) ? Promise.resolve(this.frame) : this.next((m) => m.type === "frame" && fits(m));
    }

    // Sends an order and waits until it is carried out; throws the server's words when it is not.
    async order(type, members = {}) {
        const request = this.send({ type, ...members });
        const answer = await this.next((m) => m.request === request && (m.type === "done" || m.type === "error"));
        if (answer.type === "error") throw Object.assign(new Error(answer.message), { code: answer.code });
        return request;
    }

    // Sends an order that must be refused; resolves to the fault.
    async refused(type, members = {}) {
        try {
            await this.order(type, members);
        } catch (error) {
            if (error.code !== undefined) return error.code;
            throw error;
        }
        throw new Error(`${type} was carried out, and should not have been`);
    }

    // Resolves to the code with which the server hangs up.
    async hungUp(limit = LIMIT) {
        await within(this.gone, "the server to hang up", limit);
        return this.closed.code;
    }

    close() {
        this.socket.destroy();
    }
}

let failures = 0;
export function check(condition, what) {
    if (!condition) {
        failures++;
        console.error(`failed: ${what}\n${new Error().stack.split("\n")[2]}`);
    }
    return condition;
}
export function checkEqual(actual, expected, what) {
    return check(actual === expected, `${what}: found ${actual}, expected ${expected}`);
}

// Runs cases one after the other; the process ends with their result.
export async function run(cases) {
    for (const [name, body] of Object.entries(cases)) {
        const before = failures;
        try {
            await body();
        } catch (error) {
            failures++;
            console.error(`failed: ${name}: ${error.stack}`);
        }
        console.log(`${failures === before ? "ok" : "FAILED"} ${name}`);
    }
    process.exit(failures > 0 ? 1 : 0);
}
