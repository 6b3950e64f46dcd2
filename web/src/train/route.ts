// Addresses of the page: what stands behind the "#". A server needs to know none of them, and a page behind any path
// works.

export type Route =
  | { page: "home" }
  | { page: "tasks" }
  | { page: "task"; task: string }
  | { page: "try"; task: string }
  | { page: "result"; attempt: number }
  | { page: "progress"; trainee: string }
  | { page: "report"; trainee: string }
  | { page: "now" }
  | { page: "watch"; session: number }
  | { page: "lab" };

/** What cannot be understood is the home page. */
export function readRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, "").split("/").map(decode);
  const [page, name = "", more] = parts;
  if (page === "tasks" || page === "lab" || page === "now") return { page };
  if (page === "watch" && /^[1-9]\d?$/.test(name)) return { page, session: Number(name) };
  if (page === "task" && name) return more === "try" ? { page: "try", task: name } : { page: "task", task: name };
  if (page === "result" && /^\d{1,15}$/.test(name)) return { page, attempt: Number(name) };
  if (page === "progress" || page === "report") return { page, trainee: name };
  return { page: "home" };
}

export function addressOf(route: Route): string {
  const name = (text: string) => (text ? `/${encodeURIComponent(text)}` : "");
  switch (route.page) {
    case "home":
      return "#/";
    case "task":
      return `#/task${name(route.task)}`;
    case "try":
      return `#/task${name(route.task)}/try`;
    case "watch":
      return `#/watch/${route.session}`;
    case "result":
      return `#/result/${route.attempt}`;
    case "progress":
    case "report":
      return `#/${route.page}${name(route.trainee)}`;
    default:
      return `#/${route.page}`;
  }
}

/** The session that a page is about; 0: one's own. */
export function sessionOf(route: Route): number {
  return route.page === "watch" ? route.session : 0;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
