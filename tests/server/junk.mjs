// Bytes that are no HTTP, HTTP that is not quite right, and handshakes with holes: the server answers or hangs up, and
// goes on serving.
import net from "node:net";
import { Client, Server, check, protocol, run, within } from "./client.mjs";
import { memory, randomBytes, randomFrom } from "./crowd_kit.mjs";

const server = await Server.start("--scene", `${process.env.CATGUT_SOURCE}/tests/server/bead.json`);
const { port } = server;
const rounds = Number(process.env.CATGUT_FULL ? 20000 : 300);
const seed = Number(process.env.CATGUT_SEED ?? 1);

const good = [
    `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
        `Sec-WebSocket-Protocol: ${protocol.PROTOCOL_NAME}\r\n\r\n`,
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 10\r\n\r\n0123456789`,
    `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    `GET / HTTP/1.0\r\n\r\n`,
    `HEAD / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
    `GET /index.html?a=b&c=d HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nRange: bytes=0-10\r\n\r\n`,
];

// One of the good ones with some damage.
function damaged(random) {
    let bytes = Buffer.from(good[Math.floor(random() * good.length)]);
    for (let i = Math.floor(random() * 4); i >= 0; i--) {
        const at = Math.floor(random() * bytes.length);
        const kind = Math.floor(random() * 5);
        if (kind === 0) bytes[at] = Math.floor(256 * random());
        else if (kind === 1) bytes = bytes.subarray(0, at + 1);
        else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), randomBytes(random, 20), bytes.subarray(at)]);
        else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(Math.floor(random() * 9000), 65), bytes.subarray(at)]);
        else bytes = Buffer.concat([bytes, bytes.subarray(at)]);
    }
    return bytes;
}

// Sends bytes and half closes; resolves when the server is done with it, or after a look when it waits for more.
function send(bytes) {
    return within(
        new Promise((resolve) => {
            const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: false });
            socket.on("error", () => {});
            socket.on("close", resolve);
            socket.on("data", () => socket.destroy()); // an answer is all we want
            socket.end(bytes);
        }),
        "the server to answer or to hang up",
    );
}

await run({
    async junk_does_no_harm() {
        const random = randomFrom(seed);
        await send(Buffer.from(good[0]));
        const before = memory(server.process.pid).now;
        for (let i = 0; i < rounds; i++) {
            const batch = Array.from({ length: 4 }, () =>
                send(random() < 0.3 ? randomBytes(random, Math.floor(random() * 2000)) : damaged(random)));
            await Promise.all(batch);
        }
        const after = memory(server.process.pid);
        console.log(`${4 * rounds} requests; memory ${before} kB, then ${after.now} kB, at most ${after.most} kB`);
        check(after.most - before < (process.env.CATGUT_SANITIZED ? 512 : 32) * 1024, "memory is bounded");
    },

    // After a good handshake anything may come: masked or not, reserved bits, lengths that lie.
    async junk_in_a_websocket_does_no_harm() {
        const random = randomFrom(seed + 1);
        for (let i = 0; i < rounds / 10; i++) {
            const client = random() < 0.5 ? await Client.open(port) : await Client.join(port);
            client.socket.end(randomBytes(random, 1 + Math.floor(random() * 600)));
            await within(client.gone, "the server to hang up");
        }
    },

    async the_server_still_serves() {
        const client = await Client.join(port);
        await client.shown((m) => m.step > 0);
        client.close();
        await server.stop();
    },
});
