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

// Addresses in the built page are relative, so that it works behind any path. `npm run dev` talks to a `catgut serve`
// on its usual port. The scripts of scenes/ are outside of this folder, and part of the page.
export default defineConfig({
  base: "./",
  plugins: [compressed()],
  build: { target: "es2022", chunkSizeWarningLimit: 1000, assetsInlineLimit: 0 },
  server: { fs: { allow: [".."] }, proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  // Limits that a busy machine does not reach: the usual five seconds a unit are not enough beside other work.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 120_000, hookTimeout: 120_000 },
});
