// Starts `catgut serve` for the tests and ends it again.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import path from "node:path";

export const root = path.resolve(fileURLToPath(import.meta.url), "../../..");
let started = 0;
export const usualProgram = process.env.CATGUT_PROGRAM ?? path.join(root, "build/release/catgut");

/** Ends with the address once the server has printed it. Port 0: the system chooses. */
export function startServer({ scene = "scenes/practice.json", port = 0, recordings, logbook, more = [], cwd = root, program = usualProgram }) {
  const words = ["serve", "--scene", path.resolve(root, scene), "--port", String(port), "--recordings", recordings, ...more];
  words.push("--logbook", logbook ?? path.join(recordings, `logbook-${++started}.db`)); // never the person's own
  const process_ = spawn(program, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const ended = new Promise((resolve) => process_.on("close", resolve));
  const address = new Promise((resolve, reject) => {
    const listen = (chunk) => {
      said += chunk;
      const match = /http:\/\/[^\s#]+/.exec(said);
      if (match) resolve(match[0]);
    };
    process_.stdout.on("data", listen);
    process_.stderr.on("data", listen);
    process_.on("error", reject);
    ended.then((code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  address.catch(() => undefined);
  return {
    address,
    said: () => said,
    async stop() {
      process_.kill("SIGTERM");
      await ended;
    },
  };
}
