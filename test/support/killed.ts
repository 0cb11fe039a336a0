import { spawn } from "node:child_process";
import { expect } from "vitest";
import { bundle } from "./bundle.ts";
import { type Seen, serve } from "./server.ts";
import { type Ran, tongs, type World } from "./tongs.ts";

/** A server to run against, the world of the runs, and what must hold when the command has ended. */
export interface Scene {
  readonly url: string;
  readonly world?: World;
  readonly close: () => unknown;
  /** Called with the last run. */
  readonly holds: (ran: Ran, killed: Seen) => unknown;
  /** The exit code of the run after a kill (0). */
  readonly code?: (ran: Ran) => number;
}

/**
 * Kills a command at every request that it sends, after the request took effect and before its answer, and runs the same line
 * again until it ends. Each kill has a scene of its own. A killed run gets no answer any more: nothing of it runs on, not even
 * what a signal would let it do. With `spawns`, it is a process of its own that is killed, for what it leaves in files. Returns the
 * number of kills.
 */
export async function killedAtEachRequest(
  line: readonly string[],
  open: () => Promise<Scene>,
  { spawns = false }: { readonly spawns?: boolean } = {},
): Promise<number> {
  for (let at = 1; ; at += 1) {
    const scene = await open();
    const proxy = await killing(scene.url, at);
    const run = (url: string) =>
      tongs(line, { ...scene.world, env: { TONGS_HOST: url, TONGS_TOKEN: "not-a-real-token", ...scene.world?.env } });
    const child = spawns ? await start(line, proxy.url, scene.world?.cwd ?? "") : undefined;
    try {
      const first = await Promise.race([child?.ended ?? run(proxy.url), proxy.killed]);
      if ("code" in first) {
        expect(first.code, JSON.stringify(first)).toBe(0);
        return at - 1;
      }
      await child?.kill();
      const ran = await run(scene.url);
      expect(ran.code, `killed at ${first.method} ${first.url}: ${ran.stderr}`).toBe(scene.code?.(ran) ?? 0);
      await scene.holds(ran, first);
    } finally {
      await proxy.close();
      await scene.close();
    }
  }
}

/** Starts the program in a process of its own. */
async function start(line: readonly string[], url: string, cwd: string) {
  const env = { PATH: process.env["PATH"], HOME: cwd, TONGS_HOST: url, TONGS_TOKEN: "not-a-real-token" };
  const child = spawn(process.execPath, [await bundle(), ...line], { cwd, env, stdio: "ignore" });
  const ended = new Promise<{ readonly code: number | null }>((resolve) =>
    child.once("close", (code) => resolve({ code })),
  );
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { ended, kill };
}

/** Passes requests on until one of them, and none from then on: those get no answer. */
async function killing(url: string, at: number) {
  let report: (seen: Seen) => void = () => undefined;
  const killed = new Promise<Seen>((resolve) => {
    report = resolve;
  });
  let count = 0;
  const server = await serve(
    async (seen) => {
      count += 1;
      const number = count;
      if (number > at) return undefined;
      const { host: _host, connection: _connection, "content-length": _length, ...headers } = seen.headers;
      const sent = { method: seen.method, headers: headers as Record<string, string> };
      const answer = await fetch(`${url}${seen.url}`, { ...sent, ...(seen.body === "" ? {} : { body: seen.body }) });
      const body = Buffer.from(await answer.arrayBuffer());
      if (number === at) report(seen);
      if (number >= at) return undefined;
      const { "content-encoding": _encoding, ...shown } = Object.fromEntries(answer.headers);
      return { status: answer.status, headers: shown, body };
    },
    { saysVersion: true },
  );
  return { url: server.url, killed, close: server.close };
}
