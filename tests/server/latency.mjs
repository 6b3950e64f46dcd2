// How long it takes from an input message to the state frame that contains it, alone and in a crowd; a table.
import { fork } from "node:child_process";
import { Client, Server } from "./client.mjs";
import { crowd, delays, memory, middle } from "./crowd_kit.mjs";

const count = Number(process.env.CATGUT_COUNT ?? 400);

// The crowd has a process of its own, so that the driver's clock is not theirs.
if (process.argv[2] === "crowd") {
    const others = await crowd(Number(process.argv[3]));
    process.send("ready");
    process.on("message", async () => {
        await others.end();
        process.exit(0);
    });
} else {
    console.log("| scene | frames/s asked for | clients | delay, median | 99 % | two steps and a frame | frames/s | steps/s | memory |");
    console.log("|---|---|---|---|---|---|---|---|---|");
    for (const [name, rate, crowded] of [
        ["swing", 60, false], ["swing", 60, true], ["swing", 240, false], ["overhand", 60, false], ["overhand", 60, true],
    ]) {
        const server = await Server.start("--scene", `${process.env.CATGUT_SOURCE}/scenes/${name}.json`, "--rate", String(rate));
        const driver = await Client.join(server.port);
        await driver.order("take_hand", { hand: 0 });
        let others;
        if (crowded) {
            others = fork(process.argv[1], ["crowd", String(server.port)]);
            await new Promise((resolve) => others.on("message", resolve));
        }
        const first = await driver.shown(() => true);
        const [begun, frames] = [performance.now(), driver.frames];
        const milliseconds = await delays(driver, count);
        const seconds = (performance.now() - begun) / 1000;
        const bound = 2000 * driver.scene.time_step + 1000 / rate;
        const { most } = memory(server.process.pid);
        console.log(`| ${name} | ${rate} | ${crowded ? "driver, 20 viewers, 3 stuck, garbage, flood" : "driver"} ` +
            `| ${middle(milliseconds).toFixed(1)} ms | ${middle(milliseconds, 0.99).toFixed(1)} ms | ${bound.toFixed(1)} ms ` +
            `| ${((driver.frames - frames) / seconds).toFixed(0)} | ${((driver.frame.step - first.step) / seconds).toFixed(0)} ` +
            `| ${(most / 1024).toFixed(0)} MB |`);
        if (others) {
            others.send("end");
            await new Promise((resolve) => others.on("exit", resolve));
        }
        driver.close();
        await server.stop();
    }
}
