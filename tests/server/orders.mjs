// Everything that a client can ask for, asked for once.
import { Client, Server, check, checkEqual, protocol, run } from "./client.mjs";

const { Fault, Mode } = protocol;
const scene = `${process.env.CATGUT_SOURCE}/tests/server/bead.json`;
const server = await Server.start("--scene", scene);

// The lowest vertex of the first thread, or what is wanted of it.
const tip = (frame) => frame.threads[0].positions.at(-1);
const hold = (x) => ({ type: "hold", thread: 0, vertex: 10, target: [x, 0, 0] });

// Steps made in lockstep, and the frame after them.
async function advance(client, steps) {
    await client.order("advance", { steps });
    advance.step += steps;
    return client.shown((m) => m.step === advance.step);
}

await run({
    async hello_tells_all() {
        const client = await Client.join(server.port);
        checkEqual(client.welcome.version, protocol.PROTOCOL_VERSION, "version");
        checkEqual(client.welcome.may_control, 1, "may control");
        checkEqual(client.scene.name, "bead", "name of the scene");
        checkEqual(client.scene.threads.length, 1, "threads");
        checkEqual(client.scene.hands.length, 2, "hands");
        check(client.scenes.some((one) => one.name === "bead"), "the scene is in the list");
        const topology = await client.next("topology");
        checkEqual(topology.arcs.length, client.scene.threads[0].vertex_count, "vertices");
        check(Math.abs(topology.arcs.at(-1) - 0.1) < 1e-6, "length of the thread");
        const frame = await client.next("frame");
        checkEqual(frame.threads[0].positions.length, 3 * topology.arcs.length, "coordinates");
        checkEqual(frame.generation, client.scene.generation, "generation");
        check(frame.stage_seconds.length >= 8, "times of stages");
        // The first frame may be of a world that has made no step yet.
        await client.shown((m) => m.stage_seconds.some((seconds) => seconds > 0));
        checkEqual(await client.refused("hello", { version: protocol.PROTOCOL_VERSION, token: "", name: "again", session: 1, key: "" }), Fault.wrong_mode, "again");
        client.close();
    },

    async pause_stands_still_and_go_goes_on() {
        const client = await Client.join(server.port);
        await client.order("pause");
        const paused = await client.shown((m) => m.mode === Mode.paused);
        await client.order("ping", { time: 7 });
        checkEqual((await client.next("pong")).time, 7, "pong");
        const step = client.frame.step;
        await client.order("take_hand", { hand: 0 }); // makes a frame
        const later = await client.shown((m) => m.number > paused.number);
        checkEqual(later.step, step, "steps while paused");
        await client.order("advance", { steps: 3 });
        checkEqual(client.frame.step, step + 3, "single steps");
        await client.order("go");
        await client.shown((m) => m.step > step + 3 && m.mode === Mode.running);
        checkEqual(await client.refused("advance", { steps: 1 }), Fault.wrong_mode, "advance while running");
        client.close();
    },

    async slow_motion_is_slow() {
        const client = await Client.join(server.port);
        await client.order("slow_motion", { factor: 0.25 });
        await client.shown((m) => m.factor === 0.25); // one from before may still be under way
        checkEqual(await client.refused("slow_motion", { factor: 0 }), Fault.refused, "factor 0");
        await client.order("slow_motion", { factor: 1 });
        client.close();
    },

    async lockstep_repeats_to_the_bit() {
        const client = await Client.join(server.port);
        const other = await Client.join(server.port);
        await client.order("lockstep", { on: 1 });
        checkEqual(await other.refused("advance", { steps: 1 }), Fault.wrong_mode, "advance by another");
        checkEqual(await other.refused("go"), Fault.wrong_mode, "go by another");
        const results = [];
        for (let round = 0; round < 2; round++) {
            await client.order("reset");
            advance.step = 0;
            client.operate(hold(0.01));
            const acknowledged = client.number;
            await advance(client, 50);
            client.operate({ type: "push_vertex", thread: 0, vertex: 20, force: [1e-3, 0, 0] });
            const frame = await advance(client, 50);
            checkEqual(frame.step, 100, "steps");
            check(frame.acknowledged > acknowledged, "operations are acknowledged");
            results.push(Array.from(frame.threads[0].positions).join());
        }
        checkEqual(results[0], results[1], "two rounds");
        await client.order("lockstep", { on: 0 });
        other.close();
        client.close();
    },

    async leaving_ends_lockstep() {
        const client = await Client.join(server.port);
        await client.order("lockstep", { on: 1 });
        const other = await Client.join(server.port);
        client.close();
        await other.shown((m) => m.mode === Mode.paused);
        await other.order("go");
        other.close();
    },

    async a_snapshot_takes_back() {
        const client = await Client.join(server.port);
        await client.order("lockstep", { on: 1 });
        await client.order("reset");
        advance.step = 0;
        await advance(client, 20);
        checkEqual(await client.refused("restore", { slot: 5 }), Fault.not_found, "an empty slot");
        checkEqual(await client.refused("snapshot", { slot: 16 }), Fault.not_found, "slot 16");
        await client.order("snapshot", { slot: 3 });
        const once = await advance(client, 30);
        await client.order("restore", { slot: 3 });
        advance.step = 20;
        const again = await advance(client, 30);
        checkEqual(again.step, 50, "step");
        checkEqual(tip(again), tip(once), "the same motion");
        await client.order("lockstep", { on: 0 });
        await client.order("go");
        client.close();
    },

    async what_a_client_keeps_is_its_own() {
        const [one, other] = [await Client.join(server.port), await Client.join(server.port)];
        await one.order("lockstep", { on: 1 });
        await one.order("reset");
        advance.step = 0;
        await advance(one, 20);
        await one.order("snapshot", { slot: 3 });
        checkEqual(await other.refused("restore", { slot: 3 }), Fault.not_found, "the slot of another");
        await advance(one, 10);
        await other.order("snapshot", { slot: 3 });
        await one.order("restore", { slot: 3 });
        advance.step = 20;
        checkEqual((await advance(one, 1)).step, 21, "its own state, though another used that slot since");
        await one.order("lockstep", { on: 0 });
        await one.order("go");
        one.close();
        other.close();
    },

    async a_hand_has_one_driver() {
        const left = await Client.join(server.port);
        const right = await Client.join(server.port);
        const move = { type: "move_hand", hand: 0, position: [0, 0, 0.1], rotation: [0, 0, 0, 1], time: 0.01 };
        left.operate(move);
        checkEqual((await left.next("error")).code, Fault.not_allowed, "a hand that nobody drives");
        await left.order("take_hand", { hand: 0 });
        checkEqual(await right.refused("take_hand", { hand: 0 }), Fault.not_allowed, "a hand that is driven");
        checkEqual(await right.refused("take_hand", { hand: 9 }), Fault.not_found, "a hand that is not there");
        await right.order("take_hand", { hand: 1 });
        right.operate(move);
        checkEqual((await right.next("error")).code, Fault.not_allowed, "the hand of another");
        left.operate(move);
        await left.shown((m) => Math.abs(m.hands[0].position[2] - 0.1) < 1e-3);
        checkEqual(left.frame.hands[0].driver, left.welcome.client, "driver in the frame");
        left.close();
        await right.shown((m) => m.hands[0].driver === 0);
        await right.order("take_hand", { hand: 0 });
        await right.order("leave_hand", { hand: 0 });
        checkEqual(await right.refused("leave_hand", { hand: 0 }), Fault.not_allowed, "left already");
        right.close();
    },

    async operations_are_checked() {
        const client = await Client.join(server.port);
        client.operate({ type: "hold", thread: 7, vertex: 0, target: [0, 0, 0] });
        checkEqual((await client.next("error")).code, Fault.refused, "no such thread");
        await client.shown((m) => m.step > 10);
        client.operate({ type: "release", thread: 0, vertex: 0, step: 1 });
        checkEqual((await client.next("error")).code, Fault.late, "too late");
        client.send({ type: "operate", operations: new Uint8Array([1, 2, 3]) });
        checkEqual((await client.next("error")).code, Fault.bad_message, "no operation");
        client.operate({ type: "move_camera", position: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1] });
        const request = client.number;
        const frame = await client.shown((m) => m.acknowledged === request);
        checkEqual(frame.camera_position.join(), "1,2,3", "camera");
        client.close();
    },

    async a_reset_acknowledges() {
        const client = await Client.join(server.port);
        const other = await Client.join(server.port);
        const request = client.operate({ type: "set_gravity", gravity: [0, 0, -9.81], step: client.frame?.step + 1e6 || 1e7 });
        await client.order("ping", { time: 0 });
        await other.order("reset");
        await client.shown((m) => m.acknowledged === request);
        other.close();
        client.close();
    },

    async another_scene() {
        const client = await Client.join(server.port);
        const viewer = await Client.join(server.port);
        checkEqual(await client.refused("choose_scene", { name: "../README" }), Fault.not_found, "no path");
        await client.order("choose_scene", { name: "hanging" });
        const scene = await viewer.next((m) => m.type === "scene" && m.name === "hanging");
        check(scene.generation > client.scene.generation, "another generation");
        await viewer.shown((m) => m.generation === scene.generation);
        await client.order("choose_scene", { name: "bead" });
        await client.order("list_scenes");
        check((await client.next("scenes")).scenes.length > 3, "list of scenes");
        viewer.close();
        client.close();
    },

    async a_recording_is_made_and_watched() {
        const client = await Client.join(server.port);
        checkEqual(await client.refused("start_recording", { name: "../x" }), Fault.failed, "a path as a name");
        await client.order("pause");
        await client.order("snapshot", { slot: 3 });
        await client.order("start_recording", { name: "one" });
        const request = client.operate(hold(0.02), { type: "move_camera", position: [3, 2, 1], target: [0, 0, 0], up: [0, 0, 1] });
        await client.order("advance", { steps: 100 });
        check(client.frame.acknowledged === request && client.frame.recording === 1, "recording");
        await client.order("advance", { steps: 60 });
        const last = client.frame;
        checkEqual(last.hands[0].known, 1, "what its hands do is known");
        checkEqual(await client.refused("restore", { slot: 3 }), Fault.wrong_mode, "restore while recording");
        await client.order("end_recording");
        checkEqual(await client.refused("end_recording"), Fault.wrong_mode, "ended already");
        await client.order("list_recordings");
        check((await client.next("recordings")).recordings.some((one) => one.name === "one"), "list of recordings");
        checkEqual(await client.refused("open_recording", { name: "two" }), Fault.not_found, "no such recording");
        await client.order("open_recording", { name: "one" });
        const scene = await client.next((m) => m.type === "scene" && m.last_step === 160);
        await client.shown((m) => m.generation === scene.generation && m.step === 0);
        checkEqual(client.frame.mode, Mode.watching, "watching");
        checkEqual(client.frame.has_camera, 0, "the camera was not moved yet");
        checkEqual(await client.refused("go"), Fault.wrong_mode, "go while watching");
        await client.order("seek", { step: 100 });
        await client.shown((m) => m.step === 96);
        checkEqual(client.frame.camera_position.join(), "3,2,1", "the camera as it was moved");
        await client.order("play", { speed: 1 });
        const shown = await client.shown((m) => m.step === 160);
        const off = shown.threads[0].positions.map((x, i) => Math.abs(x - last.threads[0].positions[i]));
        check(Math.max(...off) < 1e-8, "the recorded shape is the one that was seen");
        const [then, now] = [last.hands, shown.hands].map((hands) => JSON.stringify(hands.map((hand) => ({ ...hand, driver: 0 }))));
        checkEqual(now, then, "the hands are as they were");
        await client.order("seek", { step: 99 });
        await client.order("branch");
        await client.shown((m) => m.mode === Mode.paused && m.step === 96);
        await client.order("advance", { steps: 64 });
        checkEqual(client.frame.step, 160, "step after the branch");
        checkEqual(tip(client.frame), tip(last), "a branch without new operations goes the same way");
        await client.order("open_recording", { name: "one" });
        await client.order("close_recording");
        await client.order("go");
        await client.shown((m) => m.mode === Mode.running && m.step > 0);
        client.close();
    },

    async a_script_runs() {
        const client = await Client.join(server.port);
        const script = (text) => ({ name: "mine", script: new TextEncoder().encode(text) });
        const event = (kind) => client.next((m) => m.type === "event" && m.kind === kind);
        checkEqual(await client.refused("run_script", { name: "../orders", script: new Uint8Array() }), Fault.not_found, "a path");
        checkEqual(await client.refused("run_script", script("left dance")), Fault.bad_text, "no script");
        await client.order("pause");
        await client.order("reset");
        await client.order("run_script", script('step "go": "The left hand goes up."\nleft move to (0, 0, 30) mm in 20 ms\n'));
        await client.order("advance", { steps: 1 });
        checkEqual(client.frame.script, 1, "a script in the frame");
        checkEqual((await event(protocol.EventKind.script_step)).message, "go: The left hand goes up.", "its step");
        await client.order("advance", { steps: 100 });
        await event(protocol.EventKind.script_end);
        check(Math.abs(client.frame.hands[0].target[2] - 0.03) < 1e-6, "the hand was told to go there");
        checkEqual(await client.refused("stop_script"), Fault.wrong_mode, "it is over");
        await client.order("run_script", script("wait 5 s"));
        await client.order("stop_script");
        await client.order("go");
        client.close();
    },

    async a_lesson_begins_with_its_scene() {
        const client = await Client.join(server.port);
        const lesson = (scene, text) => ({ scene, name: "mine", script: new TextEncoder().encode(text) });
        const text = 'step "up": "It goes up."\nleft move to (0, 0, 30) mm in 20 ms\n';
        await client.order("choose_scene", { name: "hanging" });
        checkEqual(await client.refused("start_lesson", lesson("nowhere", text)), Fault.not_found, "no such scene");
        checkEqual(await client.refused("start_lesson", lesson("bead", "left dance")), Fault.bad_text, "no script");
        await client.order("pause");
        await client.order("start_lesson", lesson("bead", text));
        checkEqual((await client.next((m) => m.type === "scene" && m.name === "bead")).hands.length, 2, "its scene");
        const step = await client.next((m) => m.type === "event" && m.kind === protocol.EventKind.script_step);
        checkEqual(step.step, 1, "before the first step, though the world was paused");
        await client.next((m) => m.type === "event" && m.kind === protocol.EventKind.script_end);
        await client.order("start_lesson", lesson("", "wait 1 s"));
        await client.shown((m) => m.script === 1 && m.step > 0);
        await client.order("pause");
        await client.shown((m) => m.mode === Mode.paused && m.script === 1);
        await client.order("go");
        await client.next((m) => m.type === "event" && m.kind === protocol.EventKind.script_end);
        client.close();
    },

    async what_just_happened_becomes_a_recording() {
        const client = await Client.join(server.port);
        await client.order("choose_scene", { name: "bead" });
        await client.order("lockstep", { on: 1 });
        const kept = async () => {
            await client.order("list_recordings");
            return (await client.next("recordings")).recordings.map(({ name }) => name);
        };
        const before = await kept();
        client.operate(hold(0.02));
        await client.order("advance", { steps: 1500 });
        await client.order("save_past");
        await client.order("advance", { steps: 10 });
        const made = (await kept()).filter((name) => !before.includes(name));
        check(made.length >= 1, "it is kept");
        await client.order("lockstep", { on: 0 });
        const watched = [];
        for (const name of made) {
            await client.order("open_recording", { name });
            const scene = await client.next((m) => m.type === "scene" && m.last_step > 0); // not one of a world
            await client.order("seek", { step: scene.last_step });
            const { frame } = await client.shown((m) => m.mode === Mode.watching).then(() => client);
            watched.push({ name, first: scene.first_step, last: scene.last_step, tip: tip(frame) });
            await client.order("close_recording");
        }
        check(watched.some((one) => one.last >= 1500), `what just happened is among ${JSON.stringify(watched)}`);
        client.close();
    },

    async who_only_watches_replaces_nothing() {
        const driver = await Client.join(server.port);
        const viewer = await Client.join(server.port);
        await driver.order("choose_scene", { name: "bead" });
        await driver.order("take_hand", { hand: 0 });
        await viewer.shown((m) => m.clients === 2 && m.hands[0].driver === driver.welcome.client);
        for (const order of [["reset"], ["choose_scene", { name: "hanging" }], ["start_recording", { name: "his" }],
            ["open_recording", { name: "one" }], ["restore", { slot: 3 }], ["run_script", { name: "x", script: new Uint8Array() }],
            ["start_lesson", { scene: "", name: "x", script: new Uint8Array() }], ["snapshot", { slot: 3 }], ["save_past"],
            ["advance", { steps: 1 }]]) {
            checkEqual(await viewer.refused(...order), Fault.not_allowed, order[0]);
        }
        for (const operation of [hold(0.01), { type: "set_gravity", gravity: [0, 0, 0] }, { type: "remove_thread", thread: 0 },
            { type: "move_camera", position: [7, 7, 7], target: [0, 0, 0], up: [0, 0, 1] }]) {
            const request = viewer.operate(operation);
            await viewer.order("ping", { time: 0 });
            const told = viewer.messages.find((m) => m.type === "error" && m.request === request);
            checkEqual(told?.code, Fault.not_allowed, `${operation.type} of one who only watches`);
        }
        checkEqual(viewer.frame.threads.length, 1, "the thread is still there");
        const mine = driver.operate({ type: "set_gravity", gravity: [0, 0, -9.81] });
        await driver.shown((m) => m.acknowledged === mine);
        const { generation } = viewer.frame;
        await driver.order("choose_scene", { name: "bead" });
        await viewer.shown((m) => m.generation > generation && m.hands[0].driver === driver.welcome.client);
        checkEqual(await viewer.refused("take_hand", { hand: 0 }), Fault.not_allowed, "the driver keeps its hand in another scene");
        driver.close();
        await viewer.shown((m) => m.clients === 1 && m.hands[0].driver === 0);
        const free = viewer.operate({ type: "set_gravity", gravity: [0, 0, -9.81] });
        await viewer.shown((m) => m.acknowledged === free);
        await viewer.order("snapshot", { slot: 3 });
        await viewer.order("take_hand", { hand: 0 });
        await viewer.order("reset");
        viewer.close();
    },

    async the_end_is_told() {
        const client = await Client.join(server.port);
        const took = server.stop();
        checkEqual(await client.hungUp(), 1001, "close code");
        const milliseconds = await took;
        console.log(`ended in ${milliseconds.toFixed(0)} ms`);
    },
});
