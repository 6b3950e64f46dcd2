// A world for each who works: nobody is in the way of another, shares of processor time are equal, one may watch and ask
// for the hands, there is a queue for one more, and worlds rest while nobody touches them.
import path from "node:path";
import { readFileSync } from "node:fs";
import { Client, Server, check, checkEqual, protocol, run, within } from "./client.mjs";
import { memory, randomFrom } from "./crowd_kit.mjs";

const { Fault, TrainingKind } = protocol;
const scene = `${process.env.CATGUT_SOURCE}/tests/server/bead.json`;
const book = (name) => path.join(process.env.CATGUT_WORK, `${name}.db`);
// Whoever asks again and again asks often.
const start = (...more) => Server.start("--scene", scene, "--messages", "1000000", "--logbook", book(`book-${more.length}`), ...more);
const hold = (z) => ({ type: "hold", thread: 0, vertex: 4, target: [0.02, 0, z] });

// A page of its own key: it comes to the lobby, and to a session when it wants one.
const come = (server, key, name = key) => Client.join(server.port, { session: 0, key, name });

// Goes to its own session; resolves to what the server told of it.
async function work(client, order = "enter", members = { session: 0 }) {
    const request = client.send({ type: order, ...members });
    const welcome = await client.next((m) => m.type === "welcome" && m.session > 0);
    await client.next((m) => m.request === request && m.type === "done");
    client.scene = await client.next((m) => m.type === "scene" && m.name !== "");
    return welcome;
}

async function sessions(client) {
    const request = client.send({ type: "list_sessions" });
    const told = await client.next((m) => m.type === "sessions" && m.request === request);
    await client.next((m) => m.type === "done" && m.request === request);
    return told;
}

// Asks again and again until the list is as it should be.
function settled(client, fits, what) {
    return within((async () => {
        let told = await sessions(client);
        while (!fits(told)) told = await sessions(client);
        return told;
    })(), what);
}

const threadsOf = (server) => Number(/Threads:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))[1]);

await run({
    async nobody_has_a_world_before_one_is_wanted() {
        const server = await start();
        const [one, other] = [await come(server, "one"), await come(server, "other")];
        checkEqual(one.welcome.session, 0, "the lobby");
        checkEqual(one.scene.name, "", "with nothing in it");
        const request = one.send({ type: "ask_training", kind: TrainingKind.tasks, task: "", trainee: "one", number: 0 });
        await one.next((m) => m.type === "training" && m.request === request);
        await one.order("list_scenes");
        await one.order("watch", { rate: 0 });
        const told = await sessions(other);
        checkEqual(told.sessions.length, 1, "the first session alone");
        checkEqual(told.sessions[0].clients, 0, "and nobody in it");
        checkEqual((await work(one, "watch", { rate: 60 })).session, 1, "whoever comes first has the first");
        checkEqual((await work(other, "pause", {})).session, 2, "and the next another, with its order carried out");
        await one.shown((m) => m.mode === protocol.Mode.running);
        await other.shown((m) => m.mode === protocol.Mode.paused);
        await server.stop();
    },

    async what_one_does_nobody_else_sees() {
        const server = await start();
        const [one, other] = [await come(server, "one"), await come(server, "other")];
        await work(one);
        await work(other);
        for (const client of [one, other]) await client.order("take_hand", { hand: 0 });
        await one.order("choose_scene", { name: "hanging" });
        await one.next((m) => m.type === "scene" && m.name === "hanging");
        await other.order("lockstep", { on: 1 });
        await other.order("reset");
        await other.order("advance", { steps: 40 });
        checkEqual(other.frame.step, 40, "its own steps");
        checkEqual(other.messages.some((m) => m.type === "scene" && m.name === "hanging"), false, "the scene of the other");
        const begin = { seed: 1, script: "" };
        await one.order("begin_attempt", { ...begin, task: "square-knot", trainee: "ann" });
        await other.order("begin_attempt", { ...begin, task: "square-knot", trainee: "bob" });
        await other.order("advance", { steps: 20 });
        await one.order("end_attempt", { keep: 1 });
        await other.order("end_attempt", { keep: 1 });
        const numbers = [];
        for (const client of [one, other]) {
            const news = () => client.next((m) => m.type === "training" && m.request === 0).then((m) => JSON.parse(Buffer.from(m.json)));
            let last = await news();
            while (last.state === "running") last = await news();
            checkEqual(last.state, "finished", "two attempts at once");
            numbers.push(last.attempt);
        }
        check(numbers[0] !== numbers[1], "each with its own number");
        await server.stop();
    },

    async who_comes_back_finds_its_world() {
        const server = await start();
        const one = await come(server, "secret");
        await work(one);
        await one.order("lockstep", { on: 1 });
        await one.order("advance", { steps: 123 });
        one.close();
        await one.gone;
        const thief = await come(server, "secret?");
        checkEqual((await work(thief)).session, 2, "another key, another world");
        const again = await come(server, "secret");
        await work(again);
        await again.shown((m) => m.step >= 123);
        await server.stop();
    },

    async one_may_watch_and_is_given_the_hands() {
        const server = await start();
        const owner = await come(server, "ann");
        const { session } = await work(owner);
        await owner.order("take_hand", { hand: 0 });
        const guest = await Client.join(server.port, { session, key: "ben", name: "Ben" });
        checkEqual(guest.welcome.is_guest, 1, "it watches");
        await guest.shown((m) => m.hands[0].driver === owner.welcome.client || m.hands[0].driver > 0);
        for (const order of [["pause"], ["reset"], ["take_hand", { hand: 1 }], ["slow_motion", { factor: 1 }], ["give_hands", { client: 0 }]])
            checkEqual(await guest.refused(...order), Fault.not_allowed, order[0]);
        checkEqual(await owner.refused("give_hands", { client: guest.welcome.client }), Fault.not_allowed, "to one that did not ask");
        await guest.order("ask_hands");
        const asked = await owner.next("hands_asked");
        checkEqual(asked.name, "Ben", "who asks");
        await owner.order("give_hands", { client: asked.client });
        await guest.shown((m) => m.hands[0].driver === guest.welcome.client);
        const move = guest.operate({ type: "move_hand", hand: 0, position: [0, 0, 0.1], rotation: [0, 0, 0, 1], time: 0.01 });
        await guest.shown((m) => m.acknowledged >= move && Math.abs(m.hands[0].position[2] - 0.1) < 1e-3);
        checkEqual(await owner.refused("reset"), Fault.not_allowed, "meanwhile the owner watches");
        checkEqual(await guest.refused("give_hands", { client: 0 }), Fault.not_allowed, "what is lent is not the guest's");
        await owner.order("give_hands", { client: 0 });
        await guest.shown((m) => m.hands[0].driver !== guest.welcome.client && m.hands[0].driver !== 0);
        checkEqual(await guest.refused("pause"), Fault.not_allowed, "it watches again");
        await owner.order("reset");
        checkEqual((await Client.join(server.port, { session: 9, key: "x" }).then((c) => c.next("error"))).code, Fault.not_found, "no such session");
        await server.stop();
    },

    async one_too_many_waits_in_a_queue() {
        const server = await start("--sessions", "2");
        const clients = [];
        for (const key of ["a", "b", "c", "d"]) clients.push(await come(server, key));
        const [a, , c, d] = clients;
        for (const client of clients.slice(0, 2)) await work(client);
        checkEqual(await c.refused("pause"), Fault.full, "a third");
        const told = await c.next("queue");
        checkEqual(told.place, 1, "its place");
        check(/^All 2 places/.test(told.message) && told.seconds > 0, `a sentence: ${told.message}`);
        checkEqual(await d.refused("reset"), Fault.full, "a fourth");
        checkEqual((await d.next("queue")).place, 2, "behind it");
        const request = d.send({ type: "ask_training", kind: TrainingKind.tasks, task: "", trainee: "d", number: 0 });
        await d.next((m) => m.type === "training" && m.request === request); // the other pages go on
        a.close();
        await c.next((m) => m.type === "welcome" && m.session > 0);
        await d.next((m) => m.type === "queue" && m.place === 1);
        c.close();
        await d.next((m) => m.type === "welcome" && m.session > 0);
        // The first comes back: its world rests, and it waits now.
        const again = await come(server, "a");
        checkEqual(await again.refused("go"), Fault.full, "it is the one too many");
        d.close();
        await again.next((m) => m.type === "welcome" && m.session > 0);
        await server.stop();
    },

    async a_world_that_nobody_touches_rests_and_goes_on() {
        const server = await start("--idle", "0.01");
        const one = await come(server, "one");
        await work(one);
        await one.order("pause");
        one.operate(hold(0.02));
        await one.order("advance", { steps: 2500 });
        const before = one.frame;
        const other = await come(server, "other"); // alone, nothing is given back
        await work(other);
        const rests = await one.next((m) => m.type === "queue" && m.place === 0);
        check(rests.message.includes("rests"), rests.message);
        await one.next((m) => m.type === "welcome" && m.session === 0);
        await settled(one, (told) => told.kept >= 1, "the world to rest");
        await work(one, "watch", { rate: 100 });
        const after = await one.shown((m) => m.step >= before.step);
        checkEqual(after.step, before.step, "steps");
        checkEqual(after.mode, protocol.Mode.paused, "mode");
        checkEqual(after.threads[0].positions.join(), before.threads[0].positions.join(), "the shape, to the bit");
        await one.order("save_past"); // what had happened is there still
        await server.stop();
    },

    async those_who_want_more_get_equal_shares() {
        const server = await start("--cores", "2");
        const clients = [];
        for (let i = 0; i < 6; i++) {
            clients.push(await come(server, `key ${i}`));
            await work(clients[i]);
            await clients[i].order("choose_scene", { name: ["overhand", "loose", "reef", "granny", "bead", "bead"][i] });
        }
        // more than any of them can have
        for (const client of clients.slice(0, 4)) await client.order("slow_motion", { factor: 10 });
        const own = await Promise.all(clients.map(async (client) => (await sessions(client)).sessions.find((s) => s.is_own).session));
        const took = async () => {
            const told = await sessions(clients[0]);
            return own.map((number) => told.sessions.find((s) => s.session === number).processor);
        };
        const begun = await took();
        let shares;
        await within((async () => {
            do shares = (await took()).map((now, i) => now - begun[i]);
            while (Math.max(...shares) < 2);
        })(), "processor time");
        console.log(`processor time [s]: ${shares.map((s) => s.toFixed(3)).join(" ")}`);
        const hungry = shares.slice(0, 4);
        check(Math.max(...hungry) < 1.2 * Math.min(...hungry), `within 20 %: ${hungry}`);
        check(Math.max(...shares.slice(4)) < Math.min(...hungry), "the others took what they needed");
        await server.stop();
    },

    async a_session_that_cannot_begin_says_why() {
        const server = await start("--memory", "16"); // it has more already
        const [one, other] = [await come(server, "one"), await come(server, "other")];
        await work(one);
        checkEqual(await other.refused("pause"), Fault.full, "there is no memory for another");
        checkEqual((await other.next("queue")).place, 1, "it waits");
        await server.stop();
    },

    async comings_goings_and_kills_leave_nothing_behind() {
        const server = await start("--sessions", "5", "--cores", "2");
        const random = randomFrom(Number(process.env.CATGUT_SEED ?? 1));
        const visits = Number(process.env.CATGUT_VISITS ?? (process.env.CATGUT_SANITIZED ? 60 : 200));
        const watcher = await come(server, "watcher");
        const threads = threadsOf(server);
        let warm = 0;
        const visit = async (number) => {
            const client = await come(server, `key ${Math.floor(40 * random())}`);
            const orders = [["watch", { rate: 60 }], ["pause"], ["go"], ["reset"], ["snapshot", { slot: 1 }], ["take_hand", { hand: 0 }],
                ["choose_scene", { name: "hanging" }], ["choose_scene", { name: "bead" }], ["enter", { session: 0 }],
                ["enter", { session: 1 + Math.floor(5 * random()) }], ["list_sessions"], ["ask_hands"], ["save_past"],
                ["begin_attempt", { task: "square-knot", trainee: "ann", seed: number, script: "" }], ["end_attempt", { keep: number % 2 }]];
            for (let i = Math.floor(5 * random()); i >= 0; i--) {
                const order = orders[Math.floor(orders.length * random())];
                if (random() < 0.15) {
                    client.send({ type: order[0], ...order[1] }); // and goes before it is answered
                    break;
                }
                await client.order(...order).catch((error) => {
                    if (error.code === undefined) throw error;
                });
            }
            if (random() < 0.5) client.close();
            else client.socket.resetAndDestroy(); // killed
            await client.gone;
        };
        for (let done = 0; done < visits; done += 10) {
            await Promise.all(Array.from({ length: 10 }, (_, i) => visit(done + i)));
            if (done === 40) warm = memory(server.process.pid).now;
        }
        // Whoever comes next is let in, so places of those who went are free again, and their worlds with them.
        const last = [];
        for (let i = 0; i < 5; i++) {
            const client = await come(server, `last ${i}`);
            client.send({ type: "enter", session: 0 });
            last.push(client.next((m) => m.type === "welcome" && m.session > 0).then(() => client));
        }
        for (const client of await Promise.all(last)) client.close();
        const told = await settled(watcher, ({ sessions: all }) => all.reduce((sum, s) => sum + s.clients, 0) === 0, "all to have gone");
        check(told.sessions.length <= 5 && told.waiting === 0, "worlds");
        checkEqual(threadsOf(server), threads, "threads");
        const { now } = memory(server.process.pid);
        console.log(`${visits} visits; memory ${warm} kB after 50, ${now} kB at the end; ${told.kept} worlds rest`);
        // the worlds that rest, 40 at most, are there to be taken up; a sanitizer keeps what was freed
        check(now - warm < (process.env.CATGUT_SANITIZED ? 512 : 48) * 1024, "memory");
        await server.stop();
    },
});
