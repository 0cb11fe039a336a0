import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Failure } from "../failure/failure.ts";
import { asNext } from "./api/next-release.ts";
import { areas, callbacks } from "./areas.ts";
import { sandboxUsers, seed } from "./demo/seed.ts";
import { checkGit } from "./git/git.ts";
import { isGitRequest, serveGit } from "./git/http-backend.ts";
import { writeHooks } from "./git/push-rules.ts";
import { reconcile } from "./git/refs.ts";
import { answer, isLoopback, refuseForeign, send } from "./http/answer.ts";
import { sendFaulty } from "./http/faults.ts";
import { text } from "./http/reply.ts";
import { createRouter } from "./http/router.ts";
import { timestamp } from "./http/time.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import { isIn, newest, next } from "./release.ts";
import type { Delays, Site } from "./site.ts";
import { claimFolder, privateFolder, temporaryFolder } from "./state/folder.ts";
import { openStore } from "./state/store.ts";

/** The delays of a lightly loaded server, in milliseconds. */
const defaultDelays: Delays = {
  autoMerge: 1000,
  jobQueued: 1000,
  jobStep: 1000,
  signedFor: 3_600_000,
  save: 30_000,
};

/**
 * Starts a small forge that responds like Gitea, with real HTTP and real git repositories. Resolves when it accepts
 * requests. Throws a Failure when the address is not loopback, the port is taken, git is missing or the folder is in
 * use.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, dir, host = "127.0.0.1", now, env, log = () => undefined } = options;
  if (!options.allowRemote && !isLoopback(host)) {
    throw new Failure("not_loopback", `${host} is not a loopback address`, {
      hint: "Use 127.0.0.1. The passwords of the sandbox are public, so other machines must not reach it.",
    });
  }
  await checkGit({ env });
  const server = createServer();
  const root = await listen(server, host, port);
  const timers = new Set<NodeJS.Timeout>();
  const close = async () => {
    for (const timer of timers) clearTimeout(timer);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  let claim: Awaited<ReturnType<typeof claimFolder>> | undefined;
  try {
    const folder = dir ?? (await temporaryFolder());
    claim = await claimFolder(folder);
    const [repositories, hooks] = [join(folder, "repositories"), join(folder, "hooks")];
    await privateFolder(repositories);
    await writeHooks(hooks);
    const store = await openStore(dir === undefined ? undefined : join(folder, "state.json"));
    const run = (work: () => Promise<unknown>) => () =>
      work().catch((error: unknown) => log(`background task failed: ${error}`));
    const given = { folder, repositories, hooks, root, env, callbacks, log };
    const site: Site = {
      ...given,
      store,
      table: store.table,
      release: options.release ?? { product: "gitea", version: newest.gitea },
      now: () => timestamp(now()),
      clock: () => now().getTime(),
      delays: { ...defaultDelays, ...options.delays },
      later: (after, work) => runLater(timers, after, run(work)),
    };
    await serveOn(server, site, options);
    const timer = setInterval(run(store.save), site.delays.save).unref();
    const { release } = claim;
    return {
      url: root,
      users: sandboxUsers(site),
      async close() {
        clearInterval(timer);
        await close();
        await store.save();
        release();
        if (dir === undefined) await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await close();
    claim?.release();
    throw error;
  }
}

/** The longest delay of a timer, in milliseconds: 24 days. */
const longestDelay = 2 ** 31 - 1;

function runLater(timers: Set<NodeJS.Timeout>, after: number, work: () => Promise<unknown>): void {
  const fire = () => {
    timers.delete(timer);
    void work();
  };
  const timer = setTimeout(fire, Math.min(after, longestDelay)).unref();
  timers.add(timer);
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const hint = "Choose another port, or pass --port 0 to use a free one.";
    server.once("error", (cause) => {
      reject(new Failure("cannot_listen", `Could not listen on ${host}:${port}: ${cause.message}`, { hint, cause }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const at = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${at}`;
}

/** Answers requests, those that come early after the data is there. Resolves then. */
async function serveOn(server: Server, site: Site, options: SandboxOptions): Promise<void> {
  const routes = areas.flat(2).filter(({ since }) => isIn(site.release, since));
  const api = createRouter(routes.filter(({ web }) => !web));
  const pages = createRouter(routes.filter(({ web }) => web));
  const ready = (async () => {
    await (site.store.isNew ? seed(site, options, api) : reconcile(site));
    await site.store.save();
    for (const { started } of callbacks) started?.(site);
  })();
  const handle = async (request: IncomingMessage, response: ServerResponse, method: string, url: URL) => {
    const refusal = refuseForeign(request, site.root);
    if (refusal !== undefined) {
      site.log(`${refusal.status} ${method} ${url.pathname}: sent by another site`);
      return send(response, method, refusal);
    }
    await ready;
    if (isGitRequest(url)) return serveGit(site, request, url, response);
    const rawBody = await buffer(request);
    const [router, prefix] = url.pathname.startsWith("/api/v1") ? [api, "/api/v1"] : [pages, ""];
    const fault = options.fault?.(method, url.pathname);
    const known = await answer(site, router, prefix, { method, url, headers: request.headers, rawBody });
    const reply = prefix !== "" && site.release.version === next ? asNext(known) : known;
    site.log(`${reply.status} ${method} ${url.pathname}${fault === undefined ? "" : " (fault)"}`);
    return fault === undefined ? send(response, method, reply) : sendFaulty(response, method, reply, fault);
  };
  server.on("request", (request, response) => {
    const method = request.method ?? "GET";
    const url = new URL(site.root + (request.url?.startsWith("/") ? request.url : "/"));
    handle(request, response, method, url).catch((error: unknown) => {
      site.log(`failed ${method} ${url.pathname}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else send(response, method, text(500, "Internal Server Error\n"));
    });
  });
  await ready;
}
