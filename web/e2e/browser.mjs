// A headless Chromium for the tests, or nothing where there is none, and what it costs.

import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

function find() {
  if (process.env.CATGUT_BROWSER) return process.env.CATGUT_BROWSER;
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

/** Undefined when no browser is installed. */
export async function launchBrowser() {
  const executablePath = find();
  if (!executablePath) return undefined;
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** s of CPU that the browser has used, all its processes together */
export async function cpuSeconds(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
