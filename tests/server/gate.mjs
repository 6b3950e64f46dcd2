// Who is let in, and what happens to those who do not keep to the rules.
import http from "node:http";
import net from "node:net";
import os from "node:os";
import zlib from "node:zlib";
import { Client, Server, check, checkEqual, protocol, run, webSocketFrame, within } from "./client.mjs";

const { Fault } = protocol;
const scene = `${process.env.CATGUT_SOURCE}/tests/server/bead.json`;

// The status of a handshake with other headers; 101 when it succeeds.
async function handshake(port, headers, path) {
    try {
        const client = await Client.open(port, { headers, path });
        client.close();
        return 101;
    } catch (error) {
        return error.status;
    }
}

// The status of a plain request.
function get(port, path, headers = {}, method = "GET") {
    return within(
        new Promise((resolve, reject) => {
            const request = http.request({ port, host: "127.0.0.1", path, method, headers, agent: false }, (response) => {
                const chunks = [];
                response.on("data", (chunk) => chunks.push(chunk));
                response.on("end", () =>
                    resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks), body: Buffer.concat(chunks).toString() }),
                );
            });
            request.on("error", reject);
            request.end();
        }),
        path,
    );
}

const plain = await Server.start("--scene", scene);

await run({
    async the_page_is_served() {
        const page = await get(plain.port, "/");
        checkEqual(page.status, 200, "status");
        check(page.body.includes("catgut"), "it is our page");
        check(page.headers["content-security-policy"].includes("default-src 'self'"), "policy");
        checkEqual((await get(plain.port, "/index.html")).body, page.body, "the same by name");
        for (const path of ["/nothing", "/../README.md", "/..%2f..%2fREADME.md", "/index.html/", "/ws"]) {
            const { status } = await get(plain.port, path);
            check(status === 404 || status === 403, `${path}: ${status}`);
        }
        checkEqual((await get(plain.port, "/", {}, "POST")).status, 405, "POST");
    },

    async files_are_compressed_and_kept() {
        const page = await get(plain.port, "/");
        checkEqual(page.headers["cache-control"], "no-cache", "the page is asked for anew");
        const { etag } = page.headers;
        check(/^"[0-9a-f]{16}"$/.test(etag), `a tag: ${etag}`);
        const again = await get(plain.port, "/", { "If-None-Match": etag });
        checkEqual(again.status, 304, "nothing changed");
        checkEqual(again.body, "", "and nothing is sent");
        checkEqual(again.headers["content-length"], undefined, "nor is the file said to be empty");
        checkEqual(again.headers.etag, etag, "the tag of what is known");
        checkEqual((await get(plain.port, "/", { "If-None-Match": '"0000000000000000"' })).status, 200, "another state");
        const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1];
        if (!script) return; // the plain page has none
        const whole = await get(plain.port, script);
        const small = await get(plain.port, script, { "Accept-Encoding": "br, gzip" });
        checkEqual(small.headers["content-encoding"], "gzip", "compressed");
        checkEqual(small.headers["content-type"], whole.headers["content-type"], "of the same type");
        checkEqual(zlib.gunzipSync(small.bytes).toString(), whole.body, "the same text");
        check(small.bytes.length < 0.4 * whole.bytes.length, `${small.bytes.length} of ${whole.bytes.length} bytes`);
        check(small.headers["cache-control"].includes("immutable"), "kept for ever");
        for (const [taken, encoding] of [["gzip;q=0", undefined], ["gzip; q=0", undefined], ["gzip ; q=0.0, br", undefined],
            ["gzip;q=0.5", "gzip"], ["gzip; q=1, br;q=0", "gzip"]]) {
            const { headers } = await get(plain.port, script, { "Accept-Encoding": taken });
            checkEqual(headers["content-encoding"], encoding, `taken: ${taken}`);
        }
    },

    // 127.0.0.2 is this machine too: whoever listens to everybody answers there.
    async only_the_address_asked_for_listens() {
        const answers = (port, host) =>
            within(new Promise((resolve) => {
                const socket = net.connect({ port, host });
                socket.on("connect", () => resolve(true));
                socket.on("error", () => resolve(false));
                socket.on("close", () => socket.destroy());
            }), host);
        checkEqual(await answers(plain.port, "127.0.0.1"), true, "127.0.0.1");
        checkEqual(await answers(plain.port, "127.0.0.2"), false, "127.0.0.2");
        checkEqual(await answers(plain.port, "::1"), false, "::1");
        const open = await Server.start("--scene", scene, "--bind", "0.0.0.0");
        checkEqual(await answers(open.port, "127.0.0.2"), true, "127.0.0.2 of a server for all");
        await open.stop();
    },

    async other_names_are_refused() {
        const { port } = plain;
        for (const host of [`evil.example:${port}`, "evil.example", `127.0.0.1.evil.example:${port}`, "127.0.0.1:1",
            `192.168.1.1:${port}`, `lo:${port}`, `[::1:${port}`, "x".repeat(500)]) {
            checkEqual((await get(port, "/", { host })).status, 403, `page called as ${host}`);
            checkEqual(await handshake(port, { Host: host }), 403, `WebSocket called as ${host}`);
        }
        for (const host of [`localhost:${port}`, `LocalHost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
            checkEqual((await get(port, "/", { host })).status, 200, `page called as ${host}`);
            checkEqual(await handshake(port, { Host: host }), 101, `WebSocket called as ${host}`);
        }
    },

    async other_pages_are_refused() {
        const { port } = plain;
        for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`, "http://127.0.0.1",
            `http://127.0.0.1:${port}.evil.example`, `http://localhost:${port}`, "file://", "x".repeat(300)]) {
            checkEqual(await handshake(port, { Origin: origin }), 403, `from ${origin}`);
        }
        checkEqual(await handshake(port, { Origin: `http://127.0.0.1:${port}` }), 101, "from our page");
        checkEqual(await handshake(port, { Origin: `http://localhost:${port}`, Host: `localhost:${port}` }), 101, "localhost");
    },

    async other_protocols_are_refused() {
        const { port } = plain;
        checkEqual(await handshake(port, { "Sec-WebSocket-Protocol": undefined }), 400, "none");
        checkEqual(await handshake(port, { "Sec-WebSocket-Protocol": "chat" }), 400, "another");
        checkEqual(await handshake(port, {}, "/other"), 404, "another path");
    },

    async rules_have_close_codes() {
        const { port } = plain;
        const cases = [
            [4001, "no hello", (c) => c.send({ type: "pause" })],
            [4000, "garbage", (c) => c.socket.write(webSocketFrame(2, Buffer.from("garbage")))],
            [4000, "an empty message", (c) => c.socket.write(webSocketFrame(2, Buffer.alloc(0)))],
            [4000, "a message of the server", (c) => c.send({ type: "done" })],
            [4002, "another version", (c) => c.send({ type: "hello", version: 99, token: "", name: "", session: 0, key: "" })],
            [1003, "text", (c) => c.socket.write(webSocketFrame(1, Buffer.from("hello")))],
            [1009, "300 kB", (c) => c.socket.write(webSocketFrame(2, Buffer.alloc(300000)))],
            [1009, "300 kB in pieces", (c) => {
                c.socket.write(webSocketFrame(2, Buffer.alloc(60000), { final: false }));
                for (let i = 0; i < 5; i++) c.socket.write(webSocketFrame(0, Buffer.alloc(60000), { final: i === 4 }));
            }],
        ];
        for (const [code, what, act] of cases) {
            const client = await Client.open(port);
            act(client);
            checkEqual(await client.hungUp(), code, what);
        }
    },

    // With a limit so low that a server which needs a minute to read them has too many as well.
    async who_says_too_much_is_thrown_out() {
        const server = await Server.start("--scene", scene, "--messages", "10");
        const client = await Client.join(server.port);
        checkEqual(client.welcome.most_messages, 10, "told");
        const one = webSocketFrame(2, Buffer.from(protocol.encodeMessage({ type: "operate", request: 1, operations: [] })));
        client.socket.write(Buffer.concat(Array.from({ length: 2000 }, () => one)));
        checkEqual(await client.hungUp(), 1008, "two thousand messages at once");
        const other = await Client.join(server.port);
        await other.order("ping", { time: 1 });
        await server.stop();
    },

    async a_page_of_the_version_before_is_told_to_reload() {
        const old = await Client.open(plain.port, { headers: { "Sec-WebSocket-Protocol": "catgut.7" } });
        checkEqual(await old.hungUp(), 4002, "close code");
        check(old.closed.reason.includes("reload the page"), `what the person sees: ${old.closed.reason}`);
    },

    async a_message_may_come_in_pieces() {
        const client = await Client.join(plain.port);
        const bytes = Buffer.from(protocol.encodeMessage({ type: "ping", request: 9, time: 5 }));
        const frame = Buffer.concat([
            webSocketFrame(2, bytes.subarray(0, 3), { final: false }),
            webSocketFrame(9, Buffer.from("between")), // a ping of the WebSocket may stand between the pieces
            webSocketFrame(0, bytes.subarray(3, 7), { final: false }),
            webSocketFrame(0, bytes.subarray(7)),
        ]);
        for (const byte of frame) client.socket.write(Buffer.from([byte]));
        checkEqual((await client.next("pong")).time, 5, "pong");
        client.close();
    },

    async too_many_clients_are_told() {
        const clients = [];
        // who says nothing for long is thrown out, so they say hello; and they ask for no frames
        for (let i = 0; i < 64; i++) {
            clients.push(await Client.join(plain.port));
            await clients[i].order("watch", { rate: 0 });
        }
        const late = await Client.open(plain.port);
        checkEqual(await late.hungUp(), 1013, "the 65th");
        for (const client of clients) client.close();
        // places become free again
        for (let i = 0; i < 64; i++) {
            try {
                const client = await Client.join(plain.port);
                client.close();
            } catch {
                i--; // the server has not seen yet that the others went
            }
        }
    },

    async a_token_is_needed_for_orders() {
        const server = await Server.start("--scene", scene, "--token", "secret word");
        const { port } = server;
        check(server.url.hash.includes("token="), "the address has the token");
        for (const token of ["", "secret", "secret word ", "Secret word"]) {
            const client = await Client.join(port, { token });
            checkEqual(client.welcome.may_control, 0, `with "${token}"`);
            await client.shown(() => true);
            await client.order("ping", { time: 1 });
            await client.order("list_scenes");
            await client.order("watch", { rate: 10 });
            client.operate({ type: "set_gravity", gravity: [0, 0, 0] });
            checkEqual((await client.next("error")).code, Fault.not_allowed, "operate");
            for (const order of [["pause"], ["go"], ["reset"], ["choose_scene", { name: "bead" }], ["take_hand", { hand: 0 }],
                ["snapshot", { slot: 0 }], ["start_recording", { name: "x" }], ["open_recording", { name: "x" }],
                ["lockstep", { on: 1 }], ["advance", { steps: 1 }], ["slow_motion", { factor: 1 }], ["seek", { step: 0 }],
                ["play", { speed: 1 }], ["branch"], ["close_recording"], ["end_recording"], ["leave_hand", { hand: 0 }],
                ["restore", { slot: 0 }], ["stop_script"], ["run_script", { name: "", script: new Uint8Array() }],
                ["start_lesson", { scene: "", name: "", script: new Uint8Array() }]]) {
                checkEqual(await client.refused(...order), Fault.not_allowed, order[0]);
            }
            client.close();
        }
        const driver = await Client.join(port, { token: "secret word" });
        checkEqual(driver.welcome.may_control, 1, "with the token");
        await driver.order("pause");
        await server.stop();
    },

    async bound_elsewhere_a_token_is_made() {
        const server = await Server.start("--scene", scene, "--bind", "0.0.0.0");
        const own = Object.values(os.networkInterfaces()).flat()
            .filter((at) => at.family === "IPv4" && !at.internal).map((at) => at.address);
        const told = server.addresses.map((address) => new URL(address).hostname);
        for (const address of own) check(told.includes(address), `tells ${address}, which others can call`);
        checkEqual(told.at(-1), "127.0.0.1", "the last address");
        const token = server.url.hash.replace("#token=", "");
        check(/^[0-9a-f]{32}$/.test(token), "a token of 128 bits");
        const { port } = server;
        checkEqual((await Client.join(port)).welcome.may_control, 0, "without it");
        checkEqual((await Client.join(port, { token })).welcome.may_control, 1, "with it");
        checkEqual(await handshake(port, { Host: `192.168.1.1:${port}` }), 101, "called by an address");
        checkEqual(await handshake(port, { Host: `evil.example:${port}` }), 403, "called by a name");
        await server.stop("SIGTERM");
    },

    async a_busy_port_gives_the_next() {
        const blocker = net.createServer().listen(0, "127.0.0.1");
        await within(new Promise((resolve) => blocker.on("listening", resolve)), "a port");
        const { port } = blocker.address();
        if (port < 65000) {
            const server = await Server.start("--scene", scene, "--port", String(port));
            check(server.port > port && server.port <= port + 20, "the next free port");
            await server.stop();
            check(server.errors.includes(`port ${port} is taken`), `a clear message: ${server.errors}`);
        }
        blocker.close();
    },

    async the_server_still_serves() {
        const client = await Client.join(plain.port);
        checkEqual(client.welcome.most_messages, 4000, "messages a second, unless it is told otherwise");
        await client.shown((m) => m.step > 0);
        await plain.stop();
    },
});
