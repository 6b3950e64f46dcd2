// Two tools with jaws, each through a whole grasp by contact: the example driver takes a thread, a sender of OpenIGTLink
// a needle. Junk, late packets and strangers change nothing; the driver is unplugged in the middle of its pull and
// plugged in again; and the recording has all of it as operations.
//
// Whoever leads a hand looks where it is in the frames and goes on until it is where it should be, as a person does, by
// the time of the world: how fast that runs does not matter. A busy machine may lose a device for a moment at any time;
// then its hand stays where it is until the device is back.
import { execFileSync, spawn } from "node:child_process";
import dgram from "node:dgram";
import net from "node:net";
import { Client, LIMIT, Server, check, run, within } from "./client.mjs";

const server = await Server.start(
    "--scene", `${process.env.CATGUT_SOURCE}/tests/server/devices.json`, "--devices", "0", "--trackers", "0",
    "--record", "devices.cgr",
);
const devicePort = Number((await server.said(/devices: UDP port (\d+) of/))[1]);
const trackerPort = Number((await server.said(/trackers: TCP port (\d+) of/))[1]);

function crc64(bytes) {
    let crc = 0n;
    for (const byte of bytes) {
        crc ^= BigInt(byte) << 56n;
        for (let bit = 0; bit < 8; bit++) {
            crc = crc >> 63n ? ((crc << 1n) & 0xffffffffffffffffn) ^ 0x42f0e1eba9ea3693n : crc << 1n;
        }
    }
    return crc;
}

function igtl(type, name, body) {
    const header = Buffer.alloc(58);
    header.writeUInt16BE(1, 0);
    header.write(type, 2);
    header.write(name, 14);
    header.writeBigUInt64BE(BigInt(body.length), 42);
    header.writeBigUInt64BE(crc64(body), 50);
    return Buffer.concat([header, body]);
}

function transform(name, z) {
    const body = Buffer.alloc(48);
    [1, 0, 0, 0, 1, 0, 0, 0, 1, 100, 200, z].forEach((x, i) => body.writeFloatBE(x, 4 * i));
    return igtl("TRANSFORM", name, body);
}

function sensor(name, value) {
    const body = Buffer.alloc(18);
    body[0] = 1;
    body.writeDoubleBE(value, 10);
    return igtl("SENSOR", name, body);
}

function packet(hand, number, z, flags = 0) {
    const bytes = Buffer.alloc(60);
    bytes.write("cgdv", 0);
    bytes.writeUInt16LE(1, 4);
    bytes[6] = hand;
    bytes.writeUInt32LE(number, 8);
    bytes.writeUInt32LE(flags, 12);
    bytes.writeFloatLE(z, 24);
    bytes.writeFloatLE(1, 40);
    return bytes;
}

// An order for the right hand; resolves to the fault, 0 when it was carried out.
const wish = (order) => client.order(order, { hand: 1 }).then(() => 0, (error) => error.code);

const client = await Client.join(server.port);
const LED = 4294967295; // the driver of a hand that a device leads
const nextFrame = () => client.next((message) => message.type === "frame");
const LONG = 5 * LIMIT; // for what takes seconds of a world that may run at a tenth of its speed
const SETTLED = 0.15; // s of the world, for which what flickers must hold
const hand = (place) => client.frame.hands.find((one) => one.hand === place);
const height = (place) => 1000 * hand(place).position[2]; // mm
// Both jaws press with all they have, on something: closed on nothing they do not, and are not open at all.
const grips = (place) => Math.min(hand(place).jaw_force, hand(place).other_jaw_force) > 4 && hand(place).opening > 0.02;
const pull = (place) => Math.hypot(...hand(place).force);
// mm: of the highest vertex of the thread, and of the lowest part of the needle
const threadHeight = () => 1000 * Math.max(...client.frame.threads[0].positions.filter((_, i) => i % 3 === 2));
const needleHeight = () => 1000 * Math.min(...client.frame.shapes.slice(1).map(({ position }) => position[2]));
const told = (text) => client.next((message) => message.type === "event" && message.message.includes(text));
const reported = (fits) => client.next((message) => message.type === "devices" && message.devices.some(fits));

// Waits until it is so in a frame; `meanwhile` gets the time of the world [s] that passed since the frame before.
function seen(fits, what, meanwhile = () => {}) {
    return within((async () => {
        for (let before = client.frame.time; !fits(); before = client.frame.time) {
            await nextFrame();
            meanwhile(client.frame.time - before);
        }
    })(), what, LONG);
}

// Waits until it is so in all frames of a while.
function steadily(fits, what, meanwhile) {
    let since = client.frame.time;
    return seen(() => {
        if (!fits()) since = client.frame.time;
        return client.frame.time - since > SETTLED;
    }, what, meanwhile);
}

// Says what `say` gives every few milliseconds until `fits`.
async function until(say, fits, what) {
    let number = 0;
    const timer = setInterval(() => say(++number), 2);
    try {
        await seen(fits, what);
    } finally {
        clearInterval(timer);
    }
}

// Until no hand goes further.
async function rest() {
    let before = [Infinity, Infinity];
    await steadily(() => {
        const rests = before.every((was, place) => Math.abs(height(place) - was) < 0.3);
        if (!rests) before = [height(0), height(1)];
        return rests;
    }, "the hands to rest");
}

// Who leads a hand, by what it says of its own height [mm] and of its jaws.
class Leader {
    constructor(place) {
        this.place = place;
        this.wanted = 0;
        this.opening = 1;
    }

    // A little nearer to a height of the hand, by at most 18 mm in a second of the world: hands lag, and devices have
    // friction.
    approach(to, seconds) {
        const speed = Math.max(-18, Math.min(18, 3 * (to - height(this.place))));
        this.wanted += speed * Math.min(seconds, 1 / 60);
        this.changed();
    }

    // Goes to a height and is there to stay: what it went too far is taken back.
    async go(to, what) {
        await steadily(() => Math.abs(height(this.place) - to) < 0.5, what, (seconds) => this.approach(to, seconds));
    }

    // Draws up, with no more than so much [N], until `fits`.
    async draw(most, fits, what) {
        await seen(fits, what, (seconds) => pull(this.place) < most && this.approach(40, seconds));
    }

    async close() {
        this.opening = 0;
        this.changed();
        await steadily(() => grips(this.place), "the jaws to grip");
    }
}

// The example driver.
class Driver extends Leader {
    constructor(place, opening) {
        super(place);
        this.opening = opening;
        this.process = spawn(process.env.CATGUT_EXAMPLE, [String(devicePort), String(place), "-"], {
            stdio: ["pipe", "pipe", "inherit"],
        });
        this.process.stdin.on("error", () => {});
        this.said = "";
        this.process.stdout.on("data", (data) => (this.said += data));
        this.ended = new Promise((resolve) => this.process.on("close", resolve));
        this.changed();
    }

    changed() {
        this.process.stdin.write(`${this.wanted} ${this.opening}\n`);
    }

    // N: the greatest force that it was sent.
    async end() {
        this.process.stdin.end();
        await within(this.ended, "the driver to end");
        return Number(/greatest force (\S+) N/.exec(this.said)[1]);
    }

    async unplug() {
        this.process.kill("SIGKILL");
        await within(this.ended, "the driver to end");
    }
}

// An instrument that says by OpenIGTLink where it is and how far it is open.
class Tracker extends Leader {
    constructor(place, name) {
        super(place);
        this.name = name;
        this.socket = net.connect(trackerPort, "127.0.0.1");
        this.forces = 0;
        this.first = Buffer.alloc(0); // the beginning of what came back
        this.socket.on("data", (data) => {
            if (this.first.length < 116) this.first = Buffer.concat([this.first, data]);
            this.forces += data.length / 116;
        });
        this.timer = setInterval(() => {
            this.socket.write(transform(this.name, this.wanted));
            this.socket.write(sensor(this.name, this.opening));
        }, 10);
    }

    changed() {} // it says so a hundred times a second

    end() {
        clearInterval(this.timer);
        this.socket.destroy();
    }
}

let driver, tracker;

await run({
    async the_example_takes_a_thread_by_its_jaws_and_pulls() {
        await nextFrame();
        check(threadHeight() < 6.5, "the thread is stretched below the hand");
        driver = new Driver(1, 1);
        await told("leads the right hand: omni");
        await driver.go(7.5, "the right hand to go down");
        await driver.close();
        await driver.draw(0.7, () => pull(1) > 0.5 && grips(1) && threadHeight() > 7.5, "the thread to be held and lifted");
        await reported(({ hand: place, here, force }) => place === 1 && here === 1 && force > 0.05);
    },

    async unplugged_in_the_middle_of_the_pull_and_plugged_in_again() {
        await driver.unplug();
        await client.shown((frame) => frame.hands[1].driver === 0);
        await told("right hand is unplugged");
        await reported(({ hand: place, here, force }) => place === 1 && here === 0 && force === 0);
        await seen(() => grips(1), "the jaws to hold on");
        check(threadHeight() > 6.5, "to what they have");
        driver = new Driver(1, 0);
        await client.shown((frame) => frame.hands[1].driver === LED);
        const [pulled, lifted] = [pull(1), threadHeight()];
        await driver.draw(pulled + 0.4, () => pull(1) > pulled + 0.2 && grips(1) && threadHeight() > lifted,
            "the thread to be drawn further");
        await reported(({ hand: place, here, arrivals }) => place === 1 && here === 1 && arrivals >= 2);
    },

    async a_tracker_takes_a_needle_by_its_jaws_and_lifts_it() {
        check(needleHeight() < 1, "the needle lies on the table");
        tracker = new Tracker(0, "left");
        await told("leads the left hand: tracker");
        tracker.socket.write(igtl("STT_SENSOR", "left", Buffer.alloc(0)));
        await tracker.go(3.5, "the left hand to go down, to the table");
        await tracker.close();
        await tracker.draw(Infinity, () => needleHeight() > 4, "the needle to be lifted"); // it hangs by its middle
        await seen(() => grips(0) && grips(1), "both to hold what they took");
        await seen(() => tracker.forces >= 100, "forces for the tracker");
        check(tracker.first.toString("latin1", 2, 8) === "SENSOR" && tracker.first.toString("latin1", 14, 18) === "left" &&
            tracker.first.readBigUInt64BE(50) === crc64(tracker.first.subarray(58, 116)), "they are messages");
    },

    async junk_late_packets_and_strangers_do_not_shake_the_grasp() {
        const device = dgram.createSocket("udp4"), stranger = dgram.createSocket("udp4");
        const send = (socket, bytes) => socket.send(bytes, devicePort, "127.0.0.1");
        const junk = net.connect(trackerPort, "127.0.0.1"), liar = net.connect(trackerPort, "127.0.0.1");
        junk.on("error", () => {});
        liar.on("error", () => {});
        await rest();
        const { number: first, time: start } = client.frame, [left, right] = [height(0), height(1)];
        await until((number) => {
            send(stranger, packet(1, 100000 + number, 0.05, 2)); // the hand is another's; closed, too
            send(stranger, Buffer.alloc(number % 2000, number));
            const broken = packet(1, 2000 + number, 0);
            broken.writeFloatLE(NaN, 24);
            send(device, broken);
            liar.write(transform("left", 400)); // so is this one
            const wrong = transform("left", 500);
            wrong[57] ^= 1; // its checksum
            liar.write(wrong);
        }, () => client.frame.number > first + 20 && client.frame.time > start + 0.3, "frames");
        // All of it would draw the hands up. A device that is lost for a moment lets the thread draw its hand down.
        check(Math.abs(height(0) - left) < 2 && height(1) < right + 2, "both hands stay");
        await seen(() => grips(0) && grips(1), "both to hold on");
        check(needleHeight() > 3, "the needle is not dropped");
        device.close();
        stranger.close();
        liar.destroy();
        junk.write(Buffer.alloc(5000, 255));
        await within(new Promise((resolve) => junk.on("close", resolve)), "a sender of junk to be closed");
        check((await driver.end()) > 0.05, "the driver felt the pull again");
        tracker.end();
        await client.shown((frame) => frame.hands.every(({ driver: who }) => who === 0));
    },

    async who_leads_a_hand_has_it_alone_and_late_packets_count_for_nothing() {
        for (let i = 0; i < 2; i++) {
            const device = dgram.createSocket("udp4");
            let answers = 0, number = 10;
            await rest();
            const before = height(1);
            device.on("message", (bytes) => (answers += bytes.length === 48 && bytes.toString("latin1", 0, 4) === "cgfo"));
            const timer = setInterval(() => {
                device.send(packet(1, ++number, 1e-5 * Math.min(number, 100)), devicePort, "127.0.0.1");
                device.send(packet(1, number - 5, 0.05), devicePort, "127.0.0.1"); // late
            }, 2);
            await client.shown((frame) => answers > 20 && frame.hands[1].driver === LED);
            // A machine that is busy may lose a device for a moment: asked until it is here.
            await within((async () => { while ((await wish("take_hand")) !== 3) await wish("leave_hand"); })(), "a refusal");
            check(Math.abs(height(1) - before) < 5, "late packets do not move the hand");
            clearInterval(timer);
            device.close();
            await client.shown((frame) => frame.hands[1].driver === 0);
            await client.next((message) => message.type === "event" && message.message.includes("right hand is unplugged"));
            // What it sent last may still be under way: asked until that has been heard.
            await within((async () => { while ((await wish("take_hand")) !== 0) await nextFrame(); })(), "the hand");
            await client.shown((frame) => frame.hands[1].driver === client.welcome.client);
            await client.order("leave_hand", { hand: 1 });
        }
    },

    async the_recording_has_operations() {
        await server.stop();
        const words = execFileSync(`${process.env.CATGUT_PROGRAM.split(" ").pop()}`, ["replay", "devices.cgr"],
            { cwd: process.env.CATGUT_WORK }).toString();
        const [, hashes, steps] = /agrees: (\d+) state hashes over (\d+) steps/.exec(words) ?? [];
        check(Number(hashes) >= 10 && Number(steps) >= 1000, words);
    },
});
