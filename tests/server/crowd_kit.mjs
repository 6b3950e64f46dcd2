// All kinds of clients at once, for the test, the bench and the soak.
import { readFileSync } from "node:fs";
import { Client, protocol, webSocketFrame } from "./client.mjs";

// [kB] of memory that a process has now, and the most it had.
export function memory(pid) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { now: Number(/VmRSS:\s+(\d+)/.exec(status)[1]), most: Number(/VmHWM:\s+(\d+)/.exec(status)[1]) };
}

// Random numbers that can be had again.
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

export function randomBytes(random, size) {
    return Buffer.from(Array.from({ length: size }, () => Math.floor(256 * random())));
}

// A client that says hello and never reads again.
export async function stuck(port) {
    const client = await Client.join(port);
    client.socket.pause();
    return client;
}

// Sends garbage in good frames again and again, connecting anew when it is thrown out. Returns what stops it.
export function garbage(port, seed) {
    const random = randomFrom(seed);
    const work = { going: true, thrownOut: 0, codes: new Map() };
    work.done = (async () => {
        while (work.going) {
            try {
                const client = random() < 0.5 ? await Client.join(port) : await Client.open(port);
                client.socket.write(webSocketFrame(2, randomBytes(random, Math.floor(random() * 300))));
                const code = await client.hungUp();
                work.codes.set(code, (work.codes.get(code) ?? 0) + 1);
                work.thrownOut++;
            } catch {
                // there was no place for it
            }
        }
    })();
    return work;
}

// Sends `rate` messages a second, connecting anew when it is thrown out.
export function flood(port, rate) {
    const work = { going: true, sent: 0, thrownOut: 0 };
    const message = webSocketFrame(2, Buffer.from(protocol.encodeMessage({ type: "ping", request: 1, time: 0 })));
    const batch = Buffer.concat(Array.from({ length: 100 }, () => message));
    work.done = (async () => {
        while (work.going) {
            try {
                const client = await Client.join(port);
                client.blind = true;
                const begun = performance.now();
                let sent = 0;
                const timer = setInterval(() => {
                    for (; sent < ((performance.now() - begun) / 1000) * rate && !client.closed; sent += 100) {
                        client.socket.write(batch);
                        work.sent += 100;
                    }
                    if (!work.going) client.close();
                }, 10);
                await client.gone;
                clearInterval(timer);
                work.thrownOut++;
            } catch {
                // there was no place for it
            }
        }
    })();
    return work;
}

// Twenty viewers, three stuck, one with garbage, one with ten thousand messages a second.
export async function crowd(port) {
    const viewers = [];
    for (let i = 0; i < 20; i++) {
        const viewer = await Client.join(port);
        viewer.blind = true;
        viewers.push(viewer);
    }
    const stopped = [];
    for (let i = 0; i < 3; i++) stopped.push(await stuck(port));
    const bad = garbage(port, 1);
    const fast = flood(port, 10000);
    return {
        viewers,
        bad,
        fast,
        async end() {
            bad.going = fast.going = false;
            await Promise.all([bad.done, fast.done]);
            for (const client of [...viewers, ...stopped]) client.close();
        },
    };
}

export const middle = (numbers, share = 0.5) =>
    [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))];

// Sends an operation and waits for the frame that contains it, `count` times; resolves to the delays [ms].
export async function delays(driver, count, pause = 7) {
    const results = [];
    for (let i = 0; i < count; i++) {
        const begun = performance.now();
        const request = driver.operate({
            type: "move_hand", hand: 0, position: [0.001 * Math.sin(i), 0, 0.05], rotation: [0, 0, 0, 1], time: 0.016,
        });
        await driver.next((m) => m.type === "frame" && m.acknowledged >= request);
        results.push(performance.now() - begun);
        // not in step with the frames
        await new Promise((resolve) => setTimeout(resolve, pause * ((i * 0.618) % 1)));
    }
    return results;
}
