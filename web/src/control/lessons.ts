// The scripts of scenes/scripts, as lessons: the page brings their text along and hands it to the server. The comment at
// the head of a script says what it does and names the scene it is meant for.

const texts = import.meta.glob<string>("../../../scenes/scripts/*.script", {
  eager: true,
  query: "?raw",
  import: "default",
});

export interface Lesson {
  name: string;
  /** of the scene; undefined: the present one */
  scene: string | undefined;
  about: string;
  text: string;
  /** how fast it is shown: 1 is real time */
  pace: number;
}

export function readLesson(path: string, text: string): Lesson {
  const name = path.replace(/^.*\//, "").replace(/\.script$/, "");
  const head = /^(?:[ \t]*#.*\n)*/.exec(text)![0].replace(/^[ \t]*#[ \t]?/gm, "");
  const [about] = head.split(/^\s*catgut run/m);
  const scene = /catgut run (?:scenes\/)?([\w-]+)(?:\.json)?\s/.exec(head)?.[1];
  const pace = Number(/^\s*Shown at ([\d.]+) times real time/m.exec(head)?.[1] ?? 1);
  return { name, scene, about: about.replace(/\s+/g, " ").trim(), text, pace };
}

export const lessons: Lesson[] = Object.entries(texts).map(([path, text]) => readLesson(path, text));
