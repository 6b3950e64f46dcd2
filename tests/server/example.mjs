// The example in C and a client in node see the same world.
import { execFileSync } from "node:child_process";
import { Client, Server, check, checkEqual, run } from "./client.mjs";

const server = await Server.start("--scene", `${process.env.CATGUT_SOURCE}/tests/server/bead.json`);

await run({
    async the_example_drives() {
        const words = execFileSync(process.env.CATGUT_EXAMPLE, [String(server.port)]).toString();
        const found = /after (\d+) steps the first thread ends at \((\S+), (\S+), (\S+)\) mm/.exec(words);
        check(found !== null, words);
        checkEqual(found[1], "200", "steps");
        const client = await Client.join(server.port);
        await client.order("lockstep", { on: 1 });
        await client.order("reset");
        await client.order("advance", { steps: 200 });
        const tip = Array.from(client.frame.threads[0].positions.slice(-3), (x) => (1000 * x).toFixed(2));
        checkEqual(found.slice(2).join(), tip.join(), "where the thread ends");
        await server.stop();
    },
});
