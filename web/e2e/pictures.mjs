// Makes the pictures of the documents (docs/pictures/page-*.jpg) and of the list of scenes (src/pictures) from the real
// page: the same person ties a square knot with mouse and keys.
//
//     npm run pictures [-- guide [NAME]|guided|instruments|stitch|training|view [NAME]|scenes [NAME]|tasks [NAME]|tissue [NAME]]

import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.mjs";
import { Person, unhurried } from "./person.mjs";
import { root, startServer } from "./server.mjs";

const what = process.argv[2] ?? "all";
const wanted = process.argv[3] ?? "";
const docs = path.join(root, "docs/pictures");
const thumbnails = path.join(root, "web/src/pictures");
const recordings = path.join(root, "build/page-pictures/recordings");
mkdirSync(recordings, { recursive: true });
mkdirSync(thumbnails, { recursive: true });

const browser = await launchBrowser();
if (!browser) throw new Error("there is no chromium here");

async function open(scene, words, viewport = { width: 1280, height: 720 }, deviceScaleFactor = 1) {
  const server = startServer({ scene, recordings });
  const page = await (await browser.newContext({ viewport, deviceScaleFactor })).newPage();
  page.setDefaultTimeout(180000);
  const person = new Person(page);
  await person.open(await server.address, words);
  await page.addStyleTag({ content: "span.speed { visibility: hidden }" }); // "lockstep" is of no interest
  const take = async (file, options = {}) => {
    await person.openEyes();
    await page.screenshot({ path: file, type: "jpeg", quality: 84, timeout: 120000, ...options });
    console.log(path.relative(root, file));
    await person.closeEyes();
  };
  return {
    server,
    page,
    person,
    take,
    end: () =>
      page
        .context()
        .close()
        .then(() => server.stop()),
  };
}

/** Ghost hands of the lesson in which one ties by oneself. */
async function guided() {
  const { page, person, take, end } = await open("scenes/practice.json", "lockstep&quality=high&theme=light");
  await person.closeEyes();
  await page.getByTitle("Watch a script with explanations").click();
  await page.locator('dialog[open] [data-name="guided"]').click();
  await page.waitForFunction(() => window.catgut.simulation.frame?.step === 0);
  await person.advance(300);
  await person.carry(0, [-48, -85, 25]);
  await person.carry(1, [-48, -62, 40]);
  await person.advance(300);
  await take(path.join(docs, "page-guided.jpg"));
  await end();
}

async function guide() {
  const { page, person, take: takeAny, end } = await open("scenes/practice.json", "lockstep&quality=high&theme=light");
  person.manner = unhurried(0);
  const file = (name) => path.join(docs, `page-${name}.jpg`);
  const take = async (name) => name.includes(wanted) && (await takeAny(name));
  // until the knot has its name and its throws, and keeps them
  const settle = async (name) => {
    const isNamed = async () => {
      const knot = await person.knot();
      return knot?.common === name && knot.throws !== "";
    };
    await person.advance(300);
    await person.until(isNamed, name);
    await person.steadily(isNamed, name);
  };
  await person.closeEyes();
  await person.advance(60);
  await take(file("start"));
  await page.keyboard.press("F1");
  await take(file("help"));
  await page.keyboard.press("Escape");
  await page.getByTitle("Watch a script with explanations").click();
  await take(file("lessons"));
  await page.keyboard.press("Escape");
  if (["start", "help", "lessons"].includes(wanted)) return end(); // nothing has to be tied for these
  await page.keyboard.press("Digit4");
  await person.advance(440);
  await person.tieUntil(1, "overhand", "No knot", async (step) => {
    if (step === "over") await take(file("over"));
    if (step === "under") await take(file("under"));
  });
  await settle("overhand");
  await take(file("overhand"));
  await person.tieUntil(0, "square", "overhand");
  await settle("square");
  await page.keyboard.press("Digit6");
  await page.evaluate(() => window.catgut.app.stage.rig.zoom(0.72));
  await take(file("square"));
  await page.getByTitle("Light or dark").click();
  await page.getByTitle("Live charts").click();
  await person.advance(200);
  await page.waitForTimeout(300);
  await take(file("dark"));
  await end();
}

/** Tissue for docs/tissue.md, without hands and toolbars; and hands that draw a wound together, for the guide. */
async function tissue() {
  const bare = ".top, .middle, .bottom, .tags { display: none !important; }";
  const shots = {
    pad: { scene: "scenes/pad.json", steps: 400, zoom: 0.62, turn: [0.2, 0.12] },
    slit: { scene: "web/e2e/scenes/slit.json", steps: 400, zoom: 0.62, turn: [0.2, 0.12] },
    vessel: { scene: "scenes/vessel.json", steps: 20, zoom: 0.68, turn: [0.2, 0] },
    sheet: { scene: "scenes/sheet.json", steps: 800, zoom: 0.8, turn: [0, 0], hands: true },
    box: { scene: "web/e2e/scenes/box.json", steps: 20, zoom: 0.8, turn: [0, 0], wire: true },
    mesh: { scene: "web/e2e/scenes/ball.json", steps: 200, zoom: 0.8, turn: [0, 0] },
  };
  for (const [name, { scene, steps, zoom, turn, hands, wire }] of Object.entries(shots)) {
    if (!name.includes(wanted)) continue;
    const { page, person, take, end } = await open(scene, "lockstep&quality=high&theme=light", { width: 960, height: 600 });
    await person.closeEyes();
    for (let done = 0; done < steps; done += 100) await person.advance(Math.min(100, steps - done));
    if (wire) await page.keyboard.press("KeyY");
    await page.addStyleTag({ content: bare });
    await page.evaluate(
      ({ zoom, turn, hands }) => {
        const { stage } = window.catgut.app;
        stage.hands.group.visible = hands === true;
        stage.rig.zoom(zoom);
        stage.rig.orbit(...turn);
      },
      { zoom, turn, hands },
    );
    await take(path.join(docs, `tissue-${name}.jpg`));
    await end();
  }
  if (wanted) return;
  const { page, person, take, end } = await open("scenes/pad.json", "lockstep&quality=high&theme=light");
  await person.closeEyes();
  await person.advance(100);
  await page.keyboard.press("Digit4");
  for (const [hand, y] of [
    [0, -5],
    [1, 5],
  ]) {
    await person.carry(hand, [0, y, 1]);
    await person.advance(100);
    await person.pressClose();
  }
  person.start = { x: 0.15, y: 0.4 };
  for (const y of [3.5, 2, 0.5]) {
    await person.carry(0, [0, -y, 1.5]);
    await person.carry(1, [0, y, 1.5]);
  }
  await person.advance(300);
  await page.keyboard.press("Digit6");
  await page.evaluate(() => {
    const { rig } = window.catgut.app.stage;
    rig.orbit(0.75, 0.12);
    rig.zoom(0.62);
  });
  await take(path.join(docs, "page-pad.jpg"));
  await end();
}

/** A probe that dents skin, and a scalpel half way through its cut, for the guide. */
async function instruments() {
  const { page, person, take, end } = await open("scenes/scalpel.json", "lockstep&quality=high&theme=light");
  const look = (azimuth, elevation, zoom) =>
    page.evaluate(
      ([a, e, z]) => {
        const { rig } = window.catgut.app.stage;
        rig.show("corner");
        rig.orbit(a, e);
        rig.zoom(z);
      },
      [azimuth, elevation, zoom],
    );
  person.start = { x: 0.15, y: 0.4 };
  await person.closeEyes();
  await page.keyboard.press("Digit4");
  await person.carry(0, [-30, -30, 20]);
  await person.chooseHand(1);
  await page.keyboard.press("Digit8");
  await person.blink();
  await person.carry(1, [2, 0, 8]);
  await person.lift(1, -10);
  await person.advance(200);
  await look(0.2, 0, 0.55);
  await take(path.join(docs, "page-probe.jpg"));
  await page.keyboard.press("Digit4");
  await person.lift(1, 12);
  await page.keyboard.press("Digit9");
  await person.blink();
  await person.carry(1, [-12, 0, 8]);
  await person.lift(1, -11);
  await person.pressClose();
  await person.carry(1, [11, 0, -3]);
  await person.advance(200);
  await look(0.3, 0.15, 0.44);
  await take(path.join(docs, "page-scalpel.jpg"));
  await end();
}

/** when the needle is in both lips (s), and from where one sees it */
const STITCH = { moment: 4.4, zoom: 0.5, turn: [0.3, 0] };

/** A needle on its way through both lips of a wound, by the script: for the README. */
async function stitch() {
  const { page, person, take, end } = await open("scenes/one-stitch.json", "lockstep&quality=high&theme=light");
  await person.closeEyes();
  await page.evaluate(() => window.catgut.app.session.runLesson("one-stitch"));
  await person.advance(1);
  const step = await page.evaluate(() => window.catgut.simulation.scene.time_step);
  for (let left = Math.round(STITCH.moment / step); left > 0; left -= 100) await person.advance(Math.min(left, 100));
  await page.evaluate(({ zoom, turn }) => {
    const { rig } = window.catgut.app.stage;
    rig.show("corner");
    rig.orbit(...turn);
    rig.zoom(zoom);
  }, STITCH);
  await take(path.join(docs, "page-stitch.jpg"));
  await end();
}

/** A picture of the whole page, made smaller. */
async function shrink(picture, file, width) {
  const page = await (await browser.newContext({ viewport: { width, height: 100 } })).newPage();
  const source = `data:image/png;base64,${picture.toString("base64")}`;
  await page.setContent(`<body style="margin: 0"><img style="width: 100%; display: block" src="${source}">`);
  await page.waitForFunction(() => document.images[0].complete);
  await page.screenshot({ path: file, type: "jpeg", quality: 82, fullPage: true });
  await page.context().close();
  console.log(path.relative(root, file));
}

/** What the guide puts beside pictures of earlier: wound and instruments, light and dark, knot, cut, vessel, phone. */
async function view() {
  const phone = { width: 390, height: 844 };
  const shots = {
    pad: { scene: "pad", steps: 200 },
    dark: { scene: "pad", steps: 200, theme: "dark" },
    knot: { scene: "reef", steps: 600, zoom: 0.3, isNamed: true },
    vessel: { scene: "vessel", steps: 20 },
    phone: { scene: "pad", steps: 100, size: phone, ratio: 2, width: 360 },
    scalpel: { scene: "scalpel", steps: 0, zoom: 0.7, cut: true },
  };
  for (const [name, { scene, steps, theme = "light", zoom = 1, size, ratio, width = 720, cut, isNamed }] of Object.entries(shots)) {
    if (!name.includes(wanted)) continue;
    const words = `lockstep&quality=high&theme=${theme}`;
    const { page, person, end } = await open(`scenes/${scene}.json`, words, size, ratio);
    await person.closeEyes();
    for (let done = 0; done < steps; done += 100) await person.advance(Math.min(100, steps - done));
    if (cut) await drawCut(page, person);
    if (isNamed) await person.until(async () => (await person.knot())?.common, "a knot with a name");
    await page.evaluate((factor) => window.catgut.app.stage.rig.zoom(factor), zoom);
    await person.openEyes();
    const picture = await page.screenshot({ timeout: 120000 });
    await shrink(picture, path.join(docs, `view-${name}.jpg`), width);
    await end();
  }
}

/** The scalpel of the right hand goes through the skin; the left hand stays near. */
async function drawCut(page, person) {
  person.start = { x: 0.15, y: 0.4 };
  await page.keyboard.press("Digit4");
  await person.carry(0, [-16, -12, 8]);
  await person.chooseHand(1);
  await person.carry(1, [-12, 0, 8]);
  await person.lift(1, -11);
  await person.pressClose();
  await person.carry(1, [11, 0, -3]);
  await person.advance(200);
  await page.keyboard.press("Digit6");
}

/** steps until a scene is worth a picture; 300 unless said otherwise */
const moments = { granny: 600, overhand: 900, pad: 400, sheet: 800, vessel: 20, post: 900, practice: 60, reef: 600, table: 500, twist: 900 };

/** how far away one looks from, where what matters is around the thread or needle */
const distances = { handover: 5, port: 5, pluck: 1.6, "instrument-tie": 0.75, hanging: 0.6, swing: 0.6, linkage: 0.7, pendulum: 0.6, twist: 0.7 };

async function list() {
  const names = readdirSync(path.join(root, "scenes")).filter((name) => name.endsWith(".json") && name.includes(wanted));
  for (const name of names.map((file) => file.replace(".json", ""))) {
    const size = { width: 640, height: 360 };
    const { page, person, take, end } = await open(`scenes/${name}.json`, "lockstep&quality=high&theme=light", size);
    await person.closeEyes();
    const steps = moments[name] ?? 300;
    for (let done = 0; done < steps; done += 100) await person.advance(Math.min(100, steps - done));
    await page.addStyleTag({ content: ".top, .middle, .bottom, .tags { display: none !important; }" });
    await page.evaluate((factor) => {
      const { app, simulation } = window.catgut;
      app.stage.hands.group.visible = simulation.frame.hands.some(
        (hand) => hand.thread >= 0 || hand.tissue >= 0 || hand.tool !== 0,
      );
      app.stage.leastPixels = 4;
      app.stage.frameThreads(simulation.frame);
      app.stage.rig.zoom(factor);
    }, distances[name] ?? 1);
    await take(path.join(thumbnails, `${name}.jpg`), { quality: 78 });
    await end();
  }
}

/** s of the expert's script at which a task is worth a picture, how near one looks, and the script where no expert is */
const taskMoments = {
  "point-and-touch": [2.2, 0.8],
  "trace-a-line": [4, 0.75],
  retrace: [4, 0.46],
  "grasp-and-pluck": [3.2, 0.8],
  "tease-a-thread": [3.4, 0.7],
  "cut-a-line": [1.3, 0.8],
  untie: [0.9, 0.8],
  "square-knot": [4.4, 0.36],
  "needle-marks": [1.2, 0.6],
  "simple-stitch": [4.4, 0.5],
  "three-stitches": [3.2, 0.6, "one-of-three"],
  "running-suture": [3.2, 0.6, "one-of-three"],
  "drain-dots": [1.04, 0.5],
  "fls-suture": [0.7, 0.7, "drain-well"],
};

/** Opens a page of training in lockstep, and begins a task by a script or by a person. */
async function openTask(task, script, size, theme = "light", scale = 1) {
  const logbook = path.join(recordings, `pictures-${Date.now()}.db`);
  const server = startServer({ recordings, logbook });
  const page = await (await browser.newContext({ viewport: size, deviceScaleFactor: scale })).newPage();
  page.setDefaultTimeout(90000);
  await page.addInitScript(() => localStorage.setItem("catgut.trainee", "Ann"));
  await page.goto(`${await server.address}?lockstep&quality=high&theme=${theme}#/task/${task}`);
  await page.locator(".briefing-grid").waitFor();
  const person = new Person(page);
  const begin = async () => {
    if (script && script !== "expert") {
      await page.getByText("What goes wrong").click();
      await page.getByTitle(`Watch a script that fails: ${script}`).click();
    } else if (script) await page.getByText("Watch the expert").click();
    else await page.getByRole("button", { name: /^(Begin|Try again)$/ }).click();
    await page.waitForFunction(() => document.body.dataset.place === "attempt" && window.catgut.simulation.frame?.recording === 1);
    await person.closeEyes();
  };
  const end = () => page.context().close().then(() => server.stop());
  return { page, person, server, begin, end };
}

async function tasks() {
  for (const [name, [moment, zoom, script = "expert"]] of Object.entries(taskMoments).filter(([each]) => each.includes(wanted))) {
    const { page, person, begin, end } = await openTask(name, script, { width: 640, height: 360 });
    await begin();
    const step = await page.evaluate(() => window.catgut.simulation.scene.time_step);
    for (let left = Math.round(moment / step); left > 0; left -= 250) await person.advance(Math.min(left, 250));
    await page.addStyleTag({ content: ".top, .middle, .bottom, .tags { display: none !important; }" });
    await page.evaluate((factor) => {
      const { stage } = window.catgut.app;
      stage.leastPixels = 3.4;
      stage.rig.goHome();
      stage.rig.zoom(factor);
    }, zoom);
    await person.openEyes();
    const file = path.join(thumbnails, `task-${name}.jpg`);
    await page.screenshot({ path: file, type: "jpeg", quality: 80, timeout: 120000 });
    console.log(path.relative(root, file));
    await end();
  }
}

/** Pages of training, for the first ten minutes of the guide. */
async function training() {
  const file = (name) => path.join(docs, `page-train-${name}.jpg`);
  const { page, person, begin, end } = await openTask("square-knot", "expert", { width: 1280, height: 800 });
  const take = async (name) => {
    await page.screenshot({ path: file(name), type: "jpeg", quality: 82, timeout: 120000 });
    console.log(path.relative(root, file(name)));
  };
  const go = async (hash, wait) => {
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(wait).first().waitFor();
    await page.waitForTimeout(300);
  };
  await take("task");
  await go("#/", ".next-card");
  await take("home");
  await go("#/tasks", ".task-grid");
  await take("tasks");
  await go("#/task/square-knot", ".briefing-grid");
  await begin();
  for (let i = 0; i < 18; i++) await person.advance(250);
  await person.openEyes();
  await take("expert");
  await person.closeEyes();
  for (let i = 0; i < 400 && !page.url().includes("#/result/"); i++) {
    await page.evaluate(() => window.catgut.advance(500).catch(() => undefined));
  }
  await page.locator(".verdict").waitFor();
  await page.waitForFunction(() => window.catgut.simulation.frame?.mode === 3);
  await page.getByLabel("Moment of the attempt").evaluate((element) => {
    element.value = "5.5";
    element.dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(() => Math.abs(window.catgut.simulation.frame.time - 5.5) < 0.05);
  await person.openEyes();
  await page.setViewportSize({ width: 1280, height: 1180 });
  await page.waitForTimeout(1500);
  await person.openEyes();
  await take("result");
  await go("#/progress/expert", ".curve-card");
  await page.setViewportSize({ width: 1280, height: 800 });
  await take("progress");
  await end();
}

if (what === "guide" || what === "all") await guide();
if (what === "training" || what === "all") await training();
if (what === "tasks" || what === "all") await tasks();
if (what === "guided" || what === "all") await guided();
if (what === "instruments" || what === "all") await instruments();
if (what === "stitch" || what === "all") await stitch();
if (what === "view" || what === "all") await view();
if (what === "tissue" || what === "all") await tissue();
if (what === "scenes" || what === "all") await list();
await browser.close();
