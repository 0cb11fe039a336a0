import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";

/** The server of the last run. */
export let server: TestServer | undefined;

/** Runs tongs in mara/harbor on a server of its own. */
export async function on(handler: Handler, line: string | readonly string[], world: World = {}): Promise<Ran> {
  await server?.close();
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(typeof line === "string" ? line.split(" ") : line, {
    ...world,
    env: { PAGER: "cat", ...env, ...world.env },
  });
}

/** The requests of the last run, below those of Actions. */
export const asked = () => server?.lines().map((line) => line.replace("/api/v1/repos/mara/harbor/actions", "")) ?? [];
