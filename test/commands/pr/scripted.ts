import { type Handler, type Reply, type Seen, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";

/** A connection that is closed without a response. */
export const cut = "cut";

/** No response: the connection stays open. */
export const silent = "silent";

/** A response, several in turn (the last one repeats), or one made from the request. */
export type Answer = Reply | typeof cut | typeof silent | readonly Reply[] | ((seen: Seen) => Reply);

/** A server with scripted responses, and tongs using it on `mara/harbor` as mara. */
export interface Scripted {
  readonly server: TestServer;
  run(line: readonly string[], world?: World): Promise<Ran>;
  /** The writes it received: `METHOD path`, and the body if there was one. */
  writes(): (readonly [line: string, body: unknown])[];
  /** `METHOD path` of all requests, relative to the repository if possible. */
  lines(): string[];
}

const below = "/api/v1/repos/mara/harbor";

/** Starts it. Keys are `METHOD path`, relative to the repository, or to `/api/v1` if the path starts with `//`. */
export async function scripted(routes: Readonly<Record<string, Answer>>): Promise<Scripted> {
  const turns = new Map<string, number>();
  const handler: Handler = (seen, request) => {
    const key = keyOf(seen);
    const answer = routes[key] ?? routes[key.replace(/\?.*$/, "")];
    if (answer === undefined) return { status: 404, body: { message: "not found", url: "" } };
    if (answer === cut) {
      request.socket.destroy();
      return undefined;
    }
    if (answer === silent) return undefined;
    if (typeof answer === "function") return answer(seen);
    if (!isList(answer)) return answer;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return answer[Math.min(turn, answer.length - 1)] ?? {};
  };
  const server = await serve(handler, { saysVersion: routes["GET //version"] !== undefined });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const body = (seen: Seen): unknown => (seen.body === "" ? undefined : JSON.parse(seen.body));
  return {
    server,
    run: (line, world = {}) => tongs(line, { ...world, env: { ...env, ...world.env } }),
    writes: () => server.seen.filter(({ method }) => method !== "GET").map((seen) => [keyOf(seen), body(seen)]),
    lines: () => server.seen.map(keyOf),
  };
}

function keyOf({ method, url }: Seen): string {
  const path = decodeURIComponent(url);
  return `${method} ${path.startsWith(below) ? path.slice(below.length) : path.replace("/api/v1", "/")}`;
}

function isList(answer: Reply | readonly Reply[]): answer is readonly Reply[] {
  return Array.isArray(answer);
}
