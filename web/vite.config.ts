import { defineConfig } from "vitest/config";

// Addresses in the built page are relative, so that it works behind any path. `npm run dev` talks to a `catgut serve`
// on its usual port. The scripts of scenes/ are outside of this folder, and part of the page.
export default defineConfig({
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1000, assetsInlineLimit: 0 },
  server: { fs: { allow: [".."] }, proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  // Limits that a busy machine does not reach: the usual five seconds a unit are not enough beside other work.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 120_000, hookTimeout: 120_000 },
});
