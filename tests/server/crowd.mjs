// Twenty viewers, three that never read, one with garbage, one with ten thousand messages a second: the driver still
// drives, and memory stays bounded.
import { Client, Server, check, run, within } from "./client.mjs";
import { crowd, delays, memory } from "./crowd_kit.mjs";

// Many frames, so that sockets of those who do not read are soon full.
const server = await Server.start("--scene", `${process.env.CATGUT_SOURCE}/scenes/overhand.json`, "--rate", "120", "--messages", "500");
const { pid } = server.process;

await run({
    async the_driver_drives() {
        const driver = await Client.join(server.port);
        await driver.order("take_hand", { hand: 0 });
        const others = await crowd(server.port);
        const before = memory(pid).now;
        const first = driver.frame?.step ?? 0;
        await delays(driver, 30);
        await driver.shown((m) => m.step > first);
        const allSee = async () => {
            while (others.viewers.some((viewer) => viewer.frames === 0)) await driver.next("frame");
        };
        await within(allSee(), "every viewer to see something");
        check(others.bad.thrownOut > 0, "garbage is thrown out");
        check([...others.bad.codes.keys()].every((code) => code === 4000 || code === 4001),
            `close codes of garbage: ${[...others.bad.codes.keys()]}`);
        for (let frames = 0; frames < 1000 && others.fast.thrownOut === 0; frames++) {
            const { number } = driver.frame;
            await driver.shown((m) => m.number > number);
        }
        check(others.fast.thrownOut > 0, "the fast one is thrown out");
        await others.end();
        const after = memory(pid);
        console.log(`memory ${before} kB, then ${after.now} kB, at most ${after.most} kB`);
        // a sanitizer keeps what was freed; 64 MB is far above what the queues may hold for these clients
        check(after.most - before < (process.env.CATGUT_SANITIZED ? 512 : 64) * 1024, "memory is bounded");
        await driver.order("ping", { time: 1 });
    },

    async a_stuck_client_cannot_hold_up_the_end() {
        const stuck = await Client.join(server.port);
        stuck.socket.pause();
        await server.stop();
    },
});
