// The example driver leads one hand and a sender of OpenIGTLink the other, each through a whole grasp; junk, late
// packets and strangers change nothing; unplugged in the middle of a pull and plugged in again; and the recording has
// all of it as operations.
import { execFile, execFileSync } from "node:child_process";
import dgram from "node:dgram";
import net from "node:net";
import { promisify } from "node:util";
import { Client, Server, check, run, within } from "./client.mjs";

const server = await Server.start(
    "--scene", `${process.env.CATGUT_SOURCE}/tests/server/devices.json`, "--devices", "0", "--trackers", "0",
    "--record", "devices.cgr",
);
const devicePort = Number(/devices: UDP port (\d+)/.exec(server.errors)[1]);
const trackerPort = Number(/trackers: TCP port (\d+)/.exec(server.errors)[1]);

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

function packet(hand, number, z, closes = 0) {
    const bytes = Buffer.alloc(60);
    bytes.write("cgdv", 0);
    bytes.writeUInt16LE(1, 4);
    bytes[6] = hand;
    bytes.writeUInt32LE(number, 8);
    bytes.writeUInt32LE(closes, 12);
    bytes.writeFloatLE(z, 24);
    bytes.writeFloatLE(1, 40);
    return bytes;
}

// An order for the right hand; resolves to the fault, 0 when it was carried out.
const wish = (order) => client.order(order, { hand: 1 }).then(() => 0, (error) => error.code);

// Says what `say` gives every few milliseconds until `done` of a frame.
async function until(client, say, done, what) {
    let number = 0;
    const timer = setInterval(() => say(++number), 2);
    try {
        await within((async () => { while (!done(client.frame)) await nextFrame(); })(), what);
    } finally {
        clearInterval(timer);
    }
}

const client = await Client.join(server.port);
const LED = 4294967295; // the driver of a hand that a device leads
const nextFrame = () => client.next((message) => message.type === "frame");
const hand = (place) => client.frame.hands.find((one) => one.hand === place);

await run({
    async the_example_grasps_and_pulls() {
        const { stdout } = await promisify(execFile)(process.env.CATGUT_EXAMPLE, [String(devicePort), "1"]);
        const most = Number(/greatest force (\S+) N/.exec(stdout)[1]);
        check(most > 0.01 && most <= 3.3, stdout);
        await nextFrame();
        check(hand(1).vertex_count > 0, "the right hand holds the thread");
    },

    async a_tracker_grasps_and_pulls() {
        const socket = net.connect(trackerPort, "127.0.0.1");
        const come = client.next((message) => message.type === "event" && message.message.includes("leads the left hand"));
        let here = false;
        come.then(() => (here = true));
        await until(client, () => socket.write(transform("left", 300)), () => here, "the tracker to lead");
        await until(client, () => socket.write(transform("left", 290)), () => hand(0).position[2] < 0.0005, "down");
        socket.write(sensor("left", 0));
        await until(client, () => socket.write(transform("left", 290)), () => hand(0).vertex_count > 0, "a grasp");
        await until(client, () => socket.write(transform("left", 296)), () => hand(0).position[2] > 0.004, "up");
        socket.destroy();
    },

    async junk_late_packets_and_strangers() {
        const device = dgram.createSocket("udp4"), stranger = dgram.createSocket("udp4");
        const send = (socket, bytes) => socket.send(bytes, devicePort, "127.0.0.1");
        const before = hand(1).position[2], start = Number(client.frame.number);
        await until(client, (number) => {
            send(device, packet(1, 1000 + number, 0));
            send(device, packet(1, 5, 0.05)); // late
            send(stranger, packet(1, 100000 + number, 0.05));
            send(stranger, Buffer.alloc(number % 2000, number)); // junk
            const broken = packet(1, 2000 + number, 0);
            broken.writeFloatLE(NaN, 24);
            send(device, broken);
        }, (frame) => Number(frame.number) > start + 20, "frames");
        check(Math.abs(hand(1).position[2] - before) < 0.002, "the hand stays");
        device.close();
        stranger.close();
        const socket = net.connect(trackerPort, "127.0.0.1");
        socket.on("error", () => {});
        socket.write(Buffer.alloc(5000, 255));
        await within(new Promise((resolve) => socket.on("close", resolve)), "a sender of junk to be closed");
    },

    async unplugged_and_plugged_in_again() {
        for (let i = 0; i < 2; i++) {
            const device = dgram.createSocket("udp4");
            let answers = 0, number = 0;
            device.on("message", (bytes) => (answers += bytes.length === 48 && bytes.toString("latin1", 0, 4) === "cgfo"));
            const timer = setInterval(() => device.send(packet(1, ++number, 1e-5 * number), devicePort, "127.0.0.1"), 2);
            await client.shown((frame) => answers > 20 && frame.hands[1].driver === LED);
            // A machine that is busy may lose a device for a moment: asked until it is here.
            await within((async () => { while ((await wish("take_hand")) !== 3) await wish("leave_hand"); })(), "a refusal");
            clearInterval(timer);
            device.close();
            await client.shown((frame) => frame.hands[1].driver === 0);
            await client.next((message) => message.type === "event" && message.message.includes("right hand is unplugged"));
            await client.order("take_hand", { hand: 1 });
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
