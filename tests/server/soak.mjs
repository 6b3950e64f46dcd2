// Clients of all kinds come and go at random for as long as is asked for: viewers, drivers, stuck ones, garbage, floods.
// A line a minute; in the end the driver must still drive, memory must not have grown, and the server must end at once.
import { readdirSync } from "node:fs";
import { Client, Server, check, run } from "./client.mjs";
import { delays, flood, garbage, memory, middle, randomFrom, stuck } from "./crowd_kit.mjs";

const minutes = Number(process.env.CATGUT_MINUTES);
const seed = Number(process.env.CATGUT_SEED);
const random = randomFrom(seed);
const server = await Server.start("--scene", `${process.env.CATGUT_SOURCE}/scenes/overhand.json`, "--rate", "60");
const { pid } = server.process;
const { port } = server;
const openFiles = () => readdirSync(`/proc/${pid}/fd`).length;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const counts = { visits: 0, thrownOut: 0, orders: 0 };

// One visitor: comes, does what its kind does for a while, goes, politely or not.
async function visit() {
    const kind = random();
    const stay = 3000 * random();
    try {
        if (kind < 0.1) {
            const client = await stuck(port);
            await pause(stay);
            client.close();
        } else if (kind < 0.2) {
            const work = garbage(port, Math.floor(1e9 * random()));
            await pause(stay);
            work.going = false;
            await work.done;
        } else if (kind < 0.25) {
            const work = flood(port, 10000);
            await pause(Math.min(stay, 1000));
            work.going = false;
            await work.done;
        } else if (kind < 0.4) {
            const client = await Client.open(port); // never says hello
            await pause(stay);
            client.close();
        } else {
            const client = await Client.join(port);
            for (const end = performance.now() + stay; performance.now() < end; ) {
                const orders = [["ping", { time: 1 }], ["snapshot", { slot: Math.floor(8 * random()) }],
                    ["restore", { slot: Math.floor(8 * random()) }], ["reset"], ["list_scenes"], ["watch", { rate: 100 * random() }],
                    ["slow_motion", { factor: 1 }], ["list_recordings"]];
                await client.order(...orders[Math.floor(orders.length * random())]).catch((error) => {
                    if (error.code === undefined) throw error;
                });
                counts.orders++;
                await pause(200 * random());
            }
            if (random() < 0.5) client.close();
            else client.socket.end();
        }
        counts.visits++;
    } catch {
        counts.thrownOut++;
    }
}

await run({
    async it_goes_on() {
        const driver = await Client.join(port);
        await driver.order("take_hand", { hand: 0 });
        let going = true;
        const visitors = Array.from({ length: 25 }, async () => {
            while (going) await visit();
        });
        await pause(5000);
        const start = memory(pid).now;
        console.log(`seed ${seed}; memory at the start ${start} kB`);
        for (let minute = 1; minute <= minutes; minute++) {
            const end = performance.now() + 60000;
            const all = [];
            while (performance.now() < end) all.push(...(await delays(driver, 20, 50)));
            const { now } = memory(pid);
            console.log(`minute ${minute}: memory ${now} kB, ${openFiles()} files, ${counts.visits} visits, ` +
                `${counts.thrownOut} thrown out, ${counts.orders} orders, delay ${middle(all).toFixed(1)} ms, ` +
                `real time ${driver.frame.real_time.toFixed(2)}`);
        }
        going = false;
        await Promise.all(visitors);
        await delays(driver, 20);
        const end = memory(pid);
        console.log(`memory at the end ${end.now} kB, most ${end.most} kB, ${openFiles()} files`);
        check(end.now < start + 8 * 1024, "memory did not grow by more than 8 MB");
        driver.close();
        const took = await server.stop();
        console.log(`ended in ${took.toFixed(0)} ms`);
        check(took < 1000, "the server ends within a second");
    },
});
