// Starts `catgut serve` for the tests and ends it again.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import path from "node:path";

/** ms for anything that is waited for. It ends what hangs; a busy machine that draws without a graphics card stays below. */
export const LONGEST = 180000;
/** What a browser may complain of when a test ends its server. */
export const complaintsOfLoss = [/WebSocket connection .* failed/, /ERR_(CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/];
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
  /** What it says for a pattern, once it says it: its words come by two pipes, in any order. */
  const hear = (pattern) => {
    const heard = new Promise((resolve, reject) => {
      const listen = () => pattern.test(said) && resolve(pattern.exec(said));
      process_.stdout.on("data", listen);
      process_.stderr.on("data", listen);
      process_.on("error", reject);
      ended.then((code) => reject(new Error(`the server ended with ${code}: ${said}`)));
      const late = setTimeout(() => reject(new Error(`the server never said ${pattern}: ${said}`)), LONGEST);
      late.unref(); // keeps nobody waiting who has heard it
      listen();
    });
    heard.catch(() => undefined); // for those who do not wait
    return heard;
  };
  for (const pipe of [process_.stdout, process_.stderr]) pipe.on("data", (chunk) => (said += chunk));
  return {
    address: hear(/http:\/\/[^\s#]+(?=\s|#)/).then(([address]) => address),
    hear,
    /** Ends it in good order, or says that it would not. */
    async stop() {
      process_.kill("SIGTERM");
      const late = setTimeout(() => process_.kill("SIGKILL"), LONGEST);
      const code = await ended;
      clearTimeout(late);
      if (code !== 0) throw new Error(`the server ended with ${code}: ${said}`);
    },
  };
}
