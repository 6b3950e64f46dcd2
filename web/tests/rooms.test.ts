// The plan of the house: a room of src/ knows itself and the rooms before it, and nobody looks back into the entry files.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const rooms = ["base", "net", "view", "input", "teach", "ui", "train", "control"];
const source = path.resolve(__dirname, "../src");

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]*)"/g)].map(([, name]) =>
    path.relative(source, path.resolve(path.dirname(file), name)),
  );
}

test("every room is on the plan", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...rooms, "pictures"].sort());
  const files = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(["app.ts", "coach.ts", "main.ts", "style.css"]);
});

test.each(rooms)("%s looks into itself and the rooms before it only", (room) => {
  const allowed = rooms.slice(0, rooms.indexOf(room) + 1);
  for (const name of readdirSync(path.join(source, room))) {
    for (const other of importsOf(path.join(source, room, name))) {
      expect(allowed, `${room}/${name} imports ${other}`).toContain(other.split(path.sep)[0]);
    }
  }
});

test("metres become millimetres in one place", () => {
  for (const room of rooms.slice(1)) {
    for (const name of readdirSync(path.join(source, room))) {
      const text = readFileSync(path.join(source, room, name), "utf8");
      expect(text, `${room}/${name}`).not.toMatch(/multiplyScalar\((1000|0\.001)\)|\b1000(\.0)? \*|\* 1000\b/);
    }
  }
});
