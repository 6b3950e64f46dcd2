// A class at once: two stitches, two knots, two replays, a lesson and a lab, each in a session of its own, and a device
// that leads a hand beside them. A row for each: its share of processor time, its pace and its pictures.
import { spawn } from "node:child_process";
import { Client, Server } from "./client.mjs";
import { memory, middle } from "./crowd_kit.mjs";

const seconds = Number(process.env.CATGUT_SECONDS ?? 30);
const work = process.env.CATGUT_WORK;
const server = await Server.start("--logbook", `${work}/book.db`, "--recordings", work, "--devices", "0", "--cores", "2");
const device = Number((await server.said(/devices: UDP port (\d+) of/))[1]);
const lesson = (scene, script) => ["start_lesson", { scene, name: script, script: new Uint8Array() }];
const attempt = (trainee, script) => ["begin_attempt", { task: "square-knot", trainee, seed: 1, script }];
const roles = [
    ["stitch", lesson("one-stitch", "one-stitch")], ["stitch", lesson("interrupted-stitch", "interrupted-stitch")],
    ["lab", ["choose_scene", { name: "practice" }]], ["lesson", lesson("practice", "overhand")],
    ["knot", attempt("ann", "tie-square")], ["knot", attempt("ben", "tie-granny")], ["replay"], ["replay"],
];
const clients = [];
for (const [i, [name, order]] of roles.entries()) {
    const client = await Client.join(server.port, { session: 0, key: `key ${i}`, name });
    const request = client.send({ type: "enter", session: 0 });
    client.session = (await client.next((m) => m.type === "welcome" && m.session > 0)).session;
    await client.next((m) => m.request === request && m.type === "done");
    if (name === "replay") {
        await client.order("choose_scene", { name: "practice" });
        await client.order("start_recording", { name: `replay-${i}` });
        await client.order("go");
        await client.shown((m) => m.recording === 1 && m.time > 2);
        await client.order("end_recording");
        await client.order("open_recording", { name: `replay-${i}` });
        await client.order("play", { speed: 1 });
    } else await client.order(...order);
    clients.push(client);
}
const example = spawn(process.env.CATGUT_EXAMPLE, [String(device), `${clients[2].session}:0`, "-"], { stdio: ["pipe", "ignore", "inherit"] });
example.stdin.write("0 1\n");
const processor = async () => {
    const request = clients[0].send({ type: "list_sessions" });
    const told = await clients[0].next((m) => m.type === "sessions" && m.request === request);
    return new Map(told.sessions.map((s) => [s.session, s.processor]));
};
const [before, frames] = [await processor(), clients.map((client) => client.frames)];
const paces = clients.map(() => []);
const begun = performance.now();
while (performance.now() - begun < 1000 * seconds) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const [i, client] of clients.entries()) {
        if (roles[i][0] === "replay" && client.frame.factor === 0) {
            await client.order("seek", { step: 0 });
            await client.order("play", { speed: 1 });
        }
        if (roles[i][0] === "knot" && client.frame.recording === 0) await client.order(...roles[i][1]); // and another
        paces[i].push(client.frame.real_time / (client.frame.factor || 1));
    }
}
const [after, took] = [await processor(), (performance.now() - begun) / 1000];
console.log("| session | what | processor time | pace, median | frames/s |\n|---|---|---|---|---|");
for (const [i, client] of clients.entries()) {
    const used = after.get(client.session) - before.get(client.session);
    const pace = roles[i][0] === "replay" ? "-" : middle(paces[i]).toFixed(2);
    console.log(`| ${client.session} | ${roles[i][0]} | ${used.toFixed(2)} s | ${pace} | ${((client.frames - frames[i]) / took).toFixed(0)} |`);
}
const told = clients[2].messages.filter((m) => m.type === "devices").at(-1)?.devices[0];
console.log(`device: ${told?.rate.toFixed(0)} samples/s, late by ${(1000 * (told?.late ?? NaN)).toFixed(2)} ms (99.9 %), its loop by ${(1000 * (told?.loop_late ?? NaN)).toFixed(2)} ms`);
console.log(`memory: ${(memory(server.process.pid).most / 1024 / clients.length).toFixed(0)} MB a session at most`);
example.kill();
await server.stop();
process.exit(0);
