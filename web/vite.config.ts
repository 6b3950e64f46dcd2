import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Texts get a compressed twin beside them, which the server sends to whoever takes it. */
function compressed(): Plugin {
  let folder = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = path.resolve(root, build.outDir)),
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true }) as string[]) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        writeFileSync(path.join(folder, `${name}.gz`), gzipSync(readFileSync(path.join(folder, name)), { level: 9 }));
      }
    },
  };
}

/** licences.txt: what is inside the page and is not ours, with the words of each licence. */
function notices(): Plugin {
  return {
    name: "notices",
    apply: "build",
    generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id);
        if (found?.[1]) folders.add(found[1]);
        // what vite puts into the page itself, to load parts of it ahead
        if (id.startsWith("\0vite/")) folders.add(path.resolve("node_modules/vite"));
      }
      const texts = [...folders].sort().map((folder) => {
        const { name, version, license, homepage } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        if (file === undefined) throw new Error(`${name} says no licence`);
        // of vite's own file only its beginning is about vite: behind it come the parts that build pages
        const words = readFileSync(path.join(folder, file), "utf8").split(/^# Licenses of bundled dependencies/m)[0] ?? "";
        return `${name} ${version} (${license})${homepage ? `, ${homepage}` : ""}\n\n${words.trim()}\n`;
      });
      const source = `The page of catgut contains parts of others:\n\n${texts.join(`\n${"-".repeat(72)}\n\n`)}`;
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

// Addresses in the built page are relative, so that it works behind any path. `npm run dev` talks to a `catgut serve`
// on its usual port. The scripts of scenes/ are outside of this folder, and part of the page.
export default defineConfig({
  base: "./",
  plugins: [compressed(), notices()],
  build: { target: "es2022", chunkSizeWarningLimit: 1000, assetsInlineLimit: 0 },
  server: { fs: { allow: [".."] }, proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  // Limits that a busy machine does not reach: the usual five seconds a unit are not enough beside other work.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 120_000, hookTimeout: 120_000 },
});
