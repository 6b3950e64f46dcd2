// What a trainee and a teacher must be able to do: choose a task, see it done, try it, and find out what to do better.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { seriousFindings } from "./access.mjs";
import { noteNotices, noticed } from "./person.mjs";
import { complaintsOfLoss, root, startServer } from "./server.mjs";
import { misplaced } from "./troubles.mjs";

const words = "lockstep&quality=low&theme=light";

/** Opens a page of training, as a person of this name. */
async function open(page, address, hash = "", trainee = "Ann", how = words) {
  await page.addInitScript((name) => name && localStorage.setItem("catgut.trainee", name), trainee);
  await page.goto(`${address}?${how}${hash}`);
  await page.locator("#pages main > div").waitFor();
}

/** Nothing is drawn: without a graphics card that takes most of the time. */
const closeEyes = (page) => page.evaluate(() => (window.catgut.app.view.isDrawing = false));

/** Waits for an attempt to begin. */
async function begun(page) {
  await page.waitForFunction(() => document.body.dataset.place === "attempt" && window.catgut.simulation.frame?.recording === 1);
  await closeEyes(page);
}

/** Makes steps until the result is shown. */
async function toTheEnd(page) {
  for (let i = 0; i < 400 && !page.url().includes("#/result/"); i++) {
    await page.evaluate(() => window.catgut.advance(500).catch(() => undefined));
  }
  await page.locator(".verdict").waitFor();
}

export const tests = {
  "trains: chooses a task, lets the expert do it, sees result and replay, and finds it after a restart": {
    async run({ page, server, recordings }) {
      const logbook = path.join(recordings, "restart.db");
      await server.stop();
      const first = startServer({ recordings, logbook });
      await open(page, await first.address, "", "");
      await page.locator("#trainee-name").fill("Ann");
      await page.locator(".trainee-form button[type=submit]").click();
      await page.locator(".next-card").waitFor();
      await page.locator("nav a", { hasText: "Tasks" }).click();
      await page.locator(".task-card").first().waitFor();
      assert.equal(await page.locator(".task-card").count(), 14);
      await page.locator('[data-task="point-and-touch"]').click();
      assert.match(await page.locator(".steps").textContent(), /Touch each of the six targets/);
      await page.getByText("Watch the expert").click();
      await begun(page);
      assert.match(await page.locator(".trial").textContent(), /Point and touch.*expert/);
      await toTheEnd(page);
      assert.equal(await page.locator(".verdict .badge").textContent(), "Passed");
      assert.match(await page.locator(".ring-text").textContent(), /100/);
      // the replay is there, and can be scrubbed
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      assert.ok(await page.locator(".replay-place canvas").isVisible());
      await page.getByLabel("Moment of the attempt").evaluate((element) => {
        element.value = "3";
        element.dispatchEvent(new Event("input"));
      });
      await page.waitForFunction(() => Math.abs(window.catgut.simulation.frame.time - 3) < 0.05);
      await page.waitForFunction(() => /^3\.0 of/.test(document.querySelector(".player-bar .clock").textContent));
      await first.stop();

      const again = startServer({ recordings, logbook });
      await open(page, await again.address, "#/progress/expert");
      await page.locator('.curve-card[data-task="point-and-touch"]').waitFor();
      assert.match(await page.locator(".curve-card").textContent(), /1 attempt, 1 passed, best 100 %/);
      await page.locator(".attempts a").click();
      await page.locator(".verdict").waitFor();
      await page.waitForFunction(() => window.catgut.app && window.catgut.simulation.frame?.mode === 3);
      await again.stop();
    },
    mayComplain: complaintsOfLoss,
  },

  "trains: a failing attempt shows what cost the points, and the replay goes there": {
    async run({ page, address }) {
      await open(page, address, "#/task/point-and-touch");
      await page.getByText("What goes wrong").click();
      await page.getByTitle("Watch a script that fails: touch-through").click();
      await begun(page);
      await toTheEnd(page);
      assert.equal(await page.locator(".verdict .badge").textContent(), "Not passed");
      assert.match(await page.locator(".advice").textContent(), /Lift the tip off the ball/);
      const worst = page.locator(".cost.is-lost").first();
      assert.equal(await worst.getAttribute("data-measure"), "misses");
      const at = Number(/at ([\d.]+) s/.exec(await worst.textContent())[1]);
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      await closeEyes(page);
      await page.getByText("Show me").click();
      await page.waitForFunction((time) => Math.abs(window.catgut.simulation.frame.time - time) < 1.5, at);
      await page.waitForFunction(() => window.catgut.simulation.frame.factor === 1); // it plays
    },
  },

  "trains: nothing done is told too, guidance can be switched off, and giving up leaves no score": {
    async run({ page, address }) {
      await open(page, address, "#/task/square-knot");
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      await page.evaluate(() => window.catgut.advance(200));
      await page.getByRole("button", { name: "Give up" }).click();
      await page.locator(".briefing").waitFor();
      assert.match(await page.locator(".begin").textContent(), /not tried it yet/);
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      await page.evaluate(() => window.catgut.advance(200));
      await page.getByRole("button", { name: "Finish" }).click();
      await page.locator(".verdict").waitFor();
      assert.equal(await page.locator(".verdict .badge").textContent(), "Not passed");
      const first = page.locator(".cost.is-lost").first();
      assert.match(await first.textContent(), /The right knot.*0 of 40/);
      // targets can be drawn or not
      await open(page, address, "#/task/point-and-touch");
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      const marks = () => page.evaluate(() => window.catgut.app.stage.taskMarks.group.children.length);
      assert.equal(await marks(), 6);
      await page.getByRole("button", { name: "Marks" }).click();
      assert.equal(await marks(), 0);
    },
  },

  "trains: the expert's ghost goes ahead and waits, with the next step in words": {
    async run({ page, address }) {
      await open(page, address, "#/task/point-and-touch");
      await page.getByText("Watch the expert").click();
      await begun(page);
      await toTheEnd(page);
      // a replay ends lockstep, and there is none while one is shown
      await page.evaluate(() => (location.hash = "#/lab"));
      await page.waitForFunction(() => window.catgut.simulation.scene?.name === "practice");
      await open(page, address, "#/task/point-and-touch");
      await page.reload();
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      const ghost = page.getByRole("button", { name: "Ghost" });
      if ((await ghost.getAttribute("aria-pressed")) === "false") await ghost.click();
      for (let i = 0; i < 20; i++) await page.evaluate(() => window.catgut.advance(100));
      const seen = await page.evaluate(() => window.catgut.app.stage.ghosts.hands.map(({ group }) => group.visible));
      assert.deepEqual(seen, [false, true], "the hand that the expert moved");
      assert.match(await page.locator(".lesson").textContent(), /Step/);
      await ghost.click();
      await page.evaluate(() => window.catgut.advance(50));
      assert.ok(await page.evaluate(() => window.catgut.app.stage.ghosts.hands.every(({ group }) => !group.visible)));
    },
  },

  "trains: a teacher edits a task and sees the effect, or what is wrong and where": {
    async run({ page, server, recordings }) {
      await server.stop();
      const folder = path.join(recordings, "teacher");
      mkdirSync(path.join(folder, "scenes/tasks"), { recursive: true });
      copyFileSync(path.join(root, "scenes/ball.json"), path.join(folder, "scenes/ball.json"));
      for (const name of readdirSync(path.join(root, "scenes/tasks")).filter((each) => /touch/.test(each))) {
        copyFileSync(path.join(root, "scenes/tasks", name), path.join(folder, "scenes/tasks", name));
      }
      const again = startServer({ recordings, scene: path.join(folder, "scenes/ball.json"), cwd: folder });
      const file = path.join(folder, "scenes/tasks/point-and-touch.json");
      const text = readFileSync(file, "utf8");
      await open(page, await again.address, "#/task/point-and-touch");
      assert.match(await page.locator(".rubric").textContent(), /Quick30/);
      writeFileSync(file, text.replace('["6 s", 30]', '["6 s", 45]'));
      await page.evaluate(() => window.dispatchEvent(new Event("focus"))); // back from the editor
      await page.waitForFunction(() => /Quick45/.test(document.querySelector(".rubric")?.textContent ?? ""));
      writeFileSync(file, text.replace('"time", "bands"', '"tme", "bands"'));
      await page.evaluate(() => window.dispatchEvent(new Event("focus")));
      await page.locator(".trouble").waitFor();
      assert.match(await page.locator(".trouble").textContent(), /point-and-touch\.json:\d+:\d+: .*tme/);
      await page.locator("nav a", { hasText: "Tasks" }).click();
      assert.match(await page.locator(".task-card.broken").textContent(), /point-and-touch\.json:\d+:\d+/);
      await again.stop();
    },
    mayComplain: complaintsOfLoss,
  },

  "trains: a connection that is lost ends the attempt, says so, and leads back to the briefing": {
    async run({ page, server, address, recordings }) {
      await open(page, address, "#/task/point-and-touch");
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      await noteNotices(page);
      await server.stop();
      await noticed(page, "not scored");
      await page.locator(".page-lost").waitFor();
      const again = startServer({ recordings, port: Number(new URL(address).port) });
      assert.equal(new URL(await again.address).port, new URL(address).port, "the port was taken meanwhile");
      await page.locator(".page-lost").waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Begin" }).waitFor();
      assert.match(page.url(), /#\/task\/point-and-touch$/);
      await again.stop();
    },
    mayComplain: complaintsOfLoss,
  },

  "trains: keys and screen readers are told of a new page, keep their place on it, and choose before they go on": {
    async run({ page, address }) {
      await open(page, address, "", "");
      await page.locator("#trainee-name").fill("expert");
      await page.keyboard.press("Enter");
      assert.match(await page.locator(".refusal").textContent(), /stands for the scripts/);
      await page.locator("#trainee-name").fill("Ann");
      await page.keyboard.press("Enter");
      const isTold = (text) => page.waitForFunction((wanted) => document.activeElement.matches("h1") && document.activeElement.textContent.includes(wanted), text);
      await isTold("Ann");
      await page.locator("nav a", { hasText: "Tasks" }).press("Enter");
      await isTold("Tasks");
      await page.locator('[data-task="point-and-touch"]').press("Enter");
      await isTold("touch");
      const wrong = page.locator("summary", { hasText: "What goes wrong" });
      await wrong.press("Enter");
      await page.evaluate(async () => {
        window.dispatchEvent(new Event("focus")); // back from another window
        await new Promise((resolve) => setTimeout(resolve, 500));
      });
      assert.ok(await wrong.evaluate((element) => element.parentElement.open && document.activeElement === element));
      await page.evaluate(() => (location.hash = "#/progress/expert"));
      await isTold("Progress");
      await page.locator(".choose select").evaluate((element) => {
        element.append(new Option("Bob"));
        element.value = "Bob";
        element.dispatchEvent(new Event("change"));
      });
      assert.match(page.url(), /expert$/);
      await page.locator(".choose button").press("Enter");
      await page.waitForFunction(() => location.hash === "#/progress/Bob");
    },
  },

  "trains: a picture that cannot be loaded is told, and asked for again": {
    async run({ page, address }) {
      await page.route(/assets\/app-.*\.js/, (route) => route.abort());
      await open(page, address);
      await noteNotices(page);
      await page.locator("nav a", { hasText: "Lab" }).click();
      await noticed(page, "could not be loaded");
      await page.locator(".home").waitFor();
      assert.match(await page.locator(".ring").textContent(), /^0 of/);
      assert.equal(await page.locator(".ring .fill").count(), 0, "nothing is passed, and nothing of the ring is full");
      assert.match(await page.locator(".lead").textContent(), /stitches last/, "as the tasks come");
      await page.unroute(/assets\/app-.*\.js/);
      await page.locator("nav a", { hasText: "Lab" }).click();
      await page.waitForFunction(() => document.body.dataset.place === "lab");
    },
    mayComplain: [/ERR_FAILED/],
  },

  "trains: pages are light, every control is in its place, and axe finds nothing serious": {
    async run({ page, address }) {
      let bytes = 0;
      page.on("response", async (response) => {
        const head = await response.allHeaders();
        bytes += Number(head["content-length"] ?? 0);
      });
      await open(page, address, "#/task/point-and-touch", "Ann", words);
      await page.locator(".picture").first().waitFor();
      assert.ok(bytes < 300000, `${bytes} bytes before the first page`);
      assert.equal(await page.evaluate(() => window.catgut.app), undefined, "the picture is not loaded before it is needed");
      await page.getByRole("button", { name: "Begin" }).click();
      await begun(page);
      await page.evaluate(() => window.catgut.advance(50));
      for (const [width, height] of [[360, 640], [390, 844], [768, 1024], [1024, 768], [1280, 720], [2560, 1440], [844, 390]]) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        assert.deepEqual(await page.evaluate(misplaced), [], `the task, ${width} x ${height}`);
      }
      await page.getByRole("button", { name: "Finish" }).click();
      await page.locator(".verdict").waitFor();
      await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
      await closeEyes(page);
      const found = [];
      const hashes = [page.url().replace(/^[^#]*/, ""), "#/", "#/tasks", "#/task/point-and-touch", "#/progress", "#/report/Ann"];
      for (const hash of hashes) {
        await page.evaluate((to) => (location.hash = to), hash);
        await page.waitForFunction((to) => document.querySelector("#pages main").dataset.page === (to.split("/")[1] || "home"), hash);
        for (const [width, height] of [[360, 640], [390, 844], [768, 1024], [1280, 720], [2560, 1440]]) {
          await page.setViewportSize({ width, height });
          found.push(...(await page.evaluate(outOfPlace)).map((text) => `${hash} ${width}: ${text}`));
          if (width !== 390 && width !== 1280) continue;
          for (const theme of ["light", "dark"]) {
            await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
            for (const finding of await seriousFindings(page)) found.push(`${hash} ${width} ${theme}: ${finding}`);
          }
        }
      }
      assert.deepEqual(found, []);
    },
  },
};

/** In a page that scrolls: what sticks out to the side, is too small, or lies under another control. */
function outOfPlace() {
  const pages = document.querySelector("#pages");
  const found = [];
  if (pages.scrollWidth > pages.clientWidth + 1) found.push(`the page is ${pages.scrollWidth} wide`);
  const controls = [...pages.querySelectorAll("button, select, input, a, summary")].filter((each) => each.getClientRects().length > 0 && !each.matches(".skip"));
  const name = (element) => element.title || element.textContent || element.className;
  controls.forEach((element, i) => {
    const box = element.getBoundingClientRect();
    const isLine = element.tagName === "A" && getComputedStyle(element).display === "inline";
    if (box.left < -0.5 || box.right > innerWidth + 0.5) found.push(`${name(element)} is outside`);
    if (!isLine && element.type !== "checkbox" && (box.width < 24 || box.height < 24)) found.push(`${name(element)} is ${box.width} x ${box.height}`);
    for (const other of controls.slice(i + 1)) {
      if (element.contains(other) || element.closest(".page-top") !== other.closest(".page-top")) continue;
      const that = other.getBoundingClientRect();
      const wide = Math.min(box.right, that.right) - Math.max(box.left, that.left);
      const high = Math.min(box.bottom, that.bottom) - Math.max(box.top, that.top);
      if (wide > 1 && high > 1) found.push(`${name(element)} and ${name(other)} overlap`);
    }
  });
  return found;
}
