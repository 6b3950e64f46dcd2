// Tasks, attempts and progress: what a page asks for, with a logbook of its own, in lockstep.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client, Server, check, checkEqual, protocol, run } from "./client.mjs";

const { Fault, TrainingKind } = protocol;
const work = process.env.CATGUT_WORK;
const logbook = path.join(work, "book.db");
const start = () => Server.start("--scene", "ball", "--logbook", logbook);
let server = await start();

// What training says: an object.
const read = (message) => JSON.parse(Buffer.from(message.json).toString());

async function ask(client, kind, { task = "", trainee = "", number = 0 } = {}) {
    const request = client.send({ type: "ask_training", kind: TrainingKind[kind], task, trainee, number });
    const answer = await client.next((m) => m.request === request && (m.type === "training" || m.type === "error"));
    if (answer.type === "error") throw Object.assign(new Error(answer.message), { code: answer.code });
    checkEqual(answer.kind, TrainingKind[kind], "kind");
    await client.next((m) => m.request === request && m.type === "done");
    return read(answer);
}

const news = async (client) => read(await client.next((m) => m.type === "training" && m.request === 0));

// A folder of a teacher, with these files of the scenes.
function copyScenes(name, files) {
    const folder = path.join(work, name);
    mkdirSync(path.join(folder, "scenes/tasks"), { recursive: true });
    for (const file of files)
        writeFileSync(path.join(folder, "scenes", file), readFileSync(path.join(process.env.CATGUT_SOURCE, "scenes", file)));
    return folder;
}

async function join(to = server) {
    const client = await Client.join(to.port);
    await client.order("lockstep", { on: 1 });
    return client;
}

// Begins an attempt and makes steps until it is over.
async function attempt(client, task, trainee, script, seed = 1) {
    await client.order("begin_attempt", { task, trainee, seed, script });
    let last = await news(client);
    checkEqual(last.state, "running", "state at first");
    while (last.state === "running") {
        await client.order("advance", { steps: 500 });
        while (client.messages.some((m) => m.type === "training")) last = await news(client);
    }
    return last;
}

let expert = 0;
await run({
    async all_tasks_are_told_in_the_order_of_the_curriculum() {
        const client = await join();
        const { tasks } = await ask(client, "tasks", { trainee: "ann" });
        checkEqual(tasks.length, 14, "tasks");
        checkEqual(tasks[0].name, "point-and-touch", "the first");
        checkEqual(tasks.at(-1).name, "fls-suture", "the last");
        check(tasks.every(({ title, error, attempts }) => title.length > 0 && error === null && attempts === 0), "titles");
        const task = await ask(client, "task", { task: "point-and-touch", trainee: "ann", number: 7 });
        checkEqual(task.rubric.length, 4, "lines of the rubric");
        checkEqual(task.marks.targets.length, 6, "targets");
        checkEqual(task.has_way, false, "nobody has shown it yet");
        const stitch = await ask(client, "task", { task: "simple-stitch", trainee: "ann", number: 7 });
        checkEqual(stitch.marks.targets.length, 2, "marks of a stitch");
        checkEqual(stitch.expert, "one-stitch", "its expert");
        const fls = await ask(client, "task", { task: "fls-suture", trainee: "ann", number: 7 });
        checkEqual(fls.expert, "fls-well", "the expert of the last");
        const other = await ask(client, "task", { task: "point-and-touch", trainee: "ann", number: 8 });
        check(other.marks.targets[0][0] !== task.marks.targets[0][0], "another seed, other places");
        client.close();
    },

    async an_expert_passes_and_is_noted() {
        const client = await join();
        const last = await attempt(client, "point-and-touch", "expert", "touch-all");
        checkEqual(last.state, "finished", "state");
        checkEqual(last.reached.length, 6, "targets that were reached");
        expert = last.attempt;
        const result = await ask(client, "result", { number: expert });
        check(result.passed && result.noted_passed, "passed");
        checkEqual(result.points, result.noted_points, "points");
        check(result.plot.time.length > 50 && Math.max(...result.plot.speed) > 0.01, "a plot");
        await client.order("open_recording", { name: `attempt:${expert}` });
        await client.next((m) => m.type === "scene" && m.last_step > 1000);
        await client.order("close_recording");
        const way = await ask(client, "way", { task: "point-and-touch" });
        check(way.places.length > 20 && way.places[0].length === 9, "places of two hands");
        check(way.steps.length > 0, "steps");
        client.close();
    },

    async a_mistake_says_what_cost_the_points() {
        const client = await join();
        const { attempt: number } = await attempt(client, "point-and-touch", "examples", "touch-through");
        const result = await ask(client, "result", { number });
        checkEqual(result.passed, false, "passed");
        checkEqual(result.rubric[result.worst].measure, "misses", "what cost most");
        check(result.rubric[result.worst].at > 0, "when");
        check(result.advice.includes("Lift the tip"), "advice");
        client.close();
    },

    async a_script_is_nobodys_pass() {
        const client = await join();
        const { attempt: number } = await attempt(client, "point-and-touch", "ann", "touch-all");
        const result = await ask(client, "result", { number });
        checkEqual(result.trainee, "expert", "whose it is");
        const { tasks } = await ask(client, "progress", { trainee: "ann" });
        checkEqual(tasks.length, 0, "what ann did");
        client.close();
    },

    async results_are_measured_one_a_second() {
        const client = await join();
        const result = () => ask(client, "result", { number: expert }).then((told) => told, (error) => error.code);
        // all at once: one after the other they may take more than a second each
        const answers = await Promise.all(Array.from({ length: 12 }, result));
        check(answers.includes(Fault.refused), "some are refused");
        const told = answers.filter((answer) => typeof answer === "object");
        check(told.length >= 4, "the first ones are told");
        check(told.every((answer) => JSON.stringify(answer) === JSON.stringify(told[0])), "the one that is kept says the same");
        await ask(client, "progress", { trainee: "ann" }); // what measures nothing is told
        client.close();
    },

    async a_refused_attempt_leaves_the_one_under_way() {
        const client = await join();
        const task = { task: "square-knot", trainee: "eve", seed: 1, script: "" };
        await client.order("begin_attempt", task);
        const { attempt: number } = await news(client);
        for (const wrong of [{ task: "no-such-task" }, { script: "no-such-script" }, { trainee: "" }, { trainee: "expert" }])
            checkEqual(await client.refused("begin_attempt", { ...task, ...wrong }), Fault.bad_text, JSON.stringify(wrong));
        // Who began it rules, though nobody has a hand.
        const other = await Client.join(server.port);
        for (const [order, members] of [["reset", {}], ["choose_scene", { name: "ball" }], ["begin_attempt", task], ["end_attempt", { keep: 1 }]])
            checkEqual(await other.refused(order, members), Fault.not_allowed, `${order} of another`);
        await client.order("advance", { steps: 20 });
        await client.order("end_attempt", { keep: 1 });
        let last = await news(client);
        while (last.state === "running") last = await news(client);
        checkEqual(last.state, "finished", "state");
        checkEqual(last.attempt, number, "the same attempt");
        await other.order("end_attempt", { keep: 1 }).then(() => check(false, "nothing is under way"), (error) => checkEqual(error.code, Fault.wrong_mode, "then nobody rules"));
        other.close();
        client.close();
    },

    async nothing_done_is_scored_too() {
        const client = await join();
        await client.order("begin_attempt", { task: "square-knot", trainee: "ann", seed: 1, script: "" });
        await client.order("advance", { steps: 50 });
        await client.order("end_attempt", { keep: 1 });
        let last = await news(client);
        while (last.state === "running") last = await news(client);
        const result = await ask(client, "result", { number: last.attempt });
        checkEqual(result.passed, false, "passed");
        checkEqual(result.rubric[result.worst].measure, "knot_right", "what cost most");
        checkEqual(await client.refused("end_attempt", { keep: 1 }), Fault.wrong_mode, "once");
        client.close();
    },

    async an_attempt_ends_with_its_client_its_world_or_another() {
        const begin = (client) => client.order("begin_attempt", { task: "square-knot", trainee: "bob", seed: 1, script: "" });
        const client = await join();
        await begin(client);
        await begin(client);
        let last = await news(client);
        while (last.state !== "interrupted") last = await news(client);
        const first = last.attempt;
        await client.order("reset");
        while (last.state === "running" || last.attempt === first) last = await news(client);
        checkEqual(last.state, "interrupted", "by a new world");
        await begin(client);
        client.close();
        await client.gone;
        const other = await join();
        checkEqual(await other.refused("end_attempt", { keep: 1 }), Fault.wrong_mode, "it went with its client");
        const { tasks } = await ask(other, "progress", { trainee: "bob" });
        checkEqual(tasks.length, 0, "what was interrupted is no attempt");
        other.close();
    },

    async bad_names_are_refused() {
        const client = await join();
        const begin = (members) => client.refused("begin_attempt", { task: "square-knot", trainee: "ann", seed: 1, script: "", ...members });
        for (const task of ["", "../square-knot", "no-such-task", "/etc/passwd", "a".repeat(300)]) {
            checkEqual(await begin({ task }), Fault.bad_text, `task ${task.slice(0, 20)}`);
            check(await ask(client, "task", { task }).then(() => false, (error) => error.code === Fault.bad_text), "told neither");
        }
        checkEqual(await begin({ trainee: "" }), Fault.bad_text, "no name");
        checkEqual(await begin({ trainee: "expert" }), Fault.bad_text, "the name of the expert");
        checkEqual(await begin({ trainee: "examples" }), Fault.bad_text, "the name of the examples");
        checkEqual(await begin({ trainee: "x".repeat(101) }), Fault.bad_text, "a long name");
        checkEqual(await begin({ script: "touch-all" }), Fault.bad_text, "a script of another task");
        checkEqual(await begin({ script: "../../etc/passwd" }), Fault.bad_text, "a path");
        checkEqual(await client.refused("ask_training", { kind: 9, task: "", trainee: "", number: 0 }), Fault.bad_text, "kind");
        checkEqual(await client.refused("open_recording", { name: "attempt:999" }), Fault.not_found, "no such attempt");
        checkEqual(await client.refused("open_recording", { name: "attempt:../x" }), Fault.not_found, "a path");
        client.close();
    },

    async names_of_people_are_for_those_with_the_token() {
        const guarded = await Server.start("--scene", "ball", "--logbook", logbook, "--token", "secret");
        const viewer = await Client.join(guarded.port);
        const asked = { kind: TrainingKind.tasks, task: "", trainee: "", number: 0 };
        checkEqual(await viewer.refused("ask_training", asked), Fault.not_allowed, "without the token");
        viewer.close();
        await guarded.stop();
    },

    async all_is_there_after_a_restart() {
        await server.stop();
        server = await start();
        const client = await join();
        const { tasks, trainees } = await ask(client, "progress", { trainee: "expert" });
        check(trainees.includes("ann") && trainees.includes("expert"), "trainees");
        checkEqual(tasks.length, 1, "tasks of the expert");
        checkEqual(tasks[0].attempts[0][0], expert, "its attempt");
        check(tasks[0].expert.share > 0.9, "the line to compare with");
        client.close();
    },

    // First a task that varies nothing, as all did once; then with bounds; then with others.
    async an_attempt_is_shown_where_its_goal_was() {
        const folder = copyScenes("bounds", ["ball.json", "tasks/trace-a-line.json", "tasks/trace-well.script", "tasks/trace-off.script", "tasks/trace-half.script"]);
        const file = path.join(folder, "scenes/tasks/trace-a-line.json");
        const text = readFileSync(file, "utf8");
        const teacher = await Server.startIn(folder, "--scene", "ball", "--logbook", path.join(folder, "book.db"));
        const client = await join(teacher);
        const seed = 5;
        const line = async () => (await ask(client, "task", { task: "trace-a-line", number: seed })).marks.line;
        const doNothing = async () => {
            await client.order("begin_attempt", { task: "trace-a-line", trainee: "ann", seed, script: "" });
            await client.order("advance", { steps: 20 });
            await client.order("end_attempt", { keep: 1 });
            let last = await news(client);
            while (last.state === "running") last = await news(client);
            return { number: last.attempt, line: JSON.stringify(await line()) };
        };
        writeFileSync(file, text.replace(/"vary": \[[^]*?\n {4}\],/, ""));
        const first = await doNothing();
        writeFileSync(file, text);
        const second = await doNothing();
        check(first.line !== second.line, "the seed moves the line");
        writeFileSync(file, text.replace('"turn": "30 deg"', '"turn": "90 deg"'));
        check(JSON.stringify(await line()) !== second.line, "other bounds, another place");
        for (const { number, line: shown } of [first, second])
            checkEqual(JSON.stringify((await ask(client, "result", { number })).marks.line), shown, `line of attempt ${number}`);
        client.close();
        await teacher.stop();
    },

    async a_teacher_sees_what_is_wrong_with_a_task() {
        const folder = copyScenes("teacher", ["ball.json", "tasks/point-and-touch.json", "tasks/touch-all.script", "tasks/touch-slowly.script", "tasks/touch-through.script", "tasks/touch-four.script"]);
        const file = path.join(folder, "scenes/tasks/point-and-touch.json");
        const teacher = await Server.startIn(folder, "--scene", "ball", "--logbook", logbook);
        const client = await Client.join(teacher.port);
        const text = readFileSync(file, "utf8");
        checkEqual((await ask(client, "task", { task: "point-and-touch" })).most, 100, "points");
        writeFileSync(file, text.replace('"pass": 0.8', '"pass": 0.5').replace("[1, 40]", "[1, 90]"));
        checkEqual((await ask(client, "task", { task: "point-and-touch" })).most, 150, "points, at once");
        const result = await ask(client, "result", { number: expert });
        check(result.edited && result.points > result.noted_points, "scored by the present rules, and said so");
        writeFileSync(file, text.replace('"misses"', '"missed"'));
        const { tasks } = await ask(client, "tasks");
        check(/point-and-touch\.json:\d+:\d+: .*missed/.test(tasks[0].error), `where it is wrong: ${tasks[0].error}`);
        client.close();
        await teacher.stop();
        await server.stop();
    },
});
