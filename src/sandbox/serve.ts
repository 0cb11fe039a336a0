import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { areas } from "./areas.ts";
import { sandboxUsers, seed } from "./demo/seed.ts";
import { checkGit } from "./git/git.ts";
import { isGitRequest, serveGit } from "./git/http-backend.ts";
import { writeHooks } from "./git/push-rules.ts";
import { reconcile } from "./git/refs.ts";
import { answer, refuseForeign, send } from "./http/answer.ts";
import { sendFaulty } from "./http/faults.ts";
import { isLoopback } from "./http/loopback.ts";
import { text } from "./http/reply.ts";
import { createRouter } from "./http/router.ts";
import { timestamp } from "./http/time.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import { isIn, newest } from "./release.ts";
import type { Delays, Site } from "./site.ts";
import { claimFolder, privateFolder, temporaryFolder } from "./state/folder.ts";
import { openStore } from "./state/store.ts";

/** The delays of a lightly loaded server, in milliseconds. */
const defaultDelays: Delays = {
  checkStarts: 200,
  checkTakes: 400,
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
    const site: Site = {
      ...(await openFolder(folder, dir !== undefined)),
      release: options.release ?? { product: "gitea", version: newest.gitea },
      root,
      env,
      areas,
      now: () => timestamp(now()),
      clock: () => now().getTime(),
      delays: { ...defaultDelays, ...options.delays },
      invalidatesRefreshTokens: options.invalidatesRefreshTokens ?? false,
      later: (after, work) =>
        runLater(timers, after, () => work().catch((error: unknown) => log(`background task failed: ${error}`))),
      log,
    };
    const ready = prepare(site, options);
    serveOn(server, site, ready, options.fault);
    await ready;
    const save = () => site.store.save().catch((error: unknown) => log(`could not save: ${error}`));
    const timer = setInterval(save, site.delays.save).unref();
    const { release } = claim;
    return {
      url: root,
      users: sandboxUsers(site),
      async close() {
        clearInterval(timer);
        await close();
        await site.store.save();
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

type Folder = Pick<Site, "folder" | "repositories" | "hooks" | "store" | "table">;

async function openFolder(folder: string, isKept: boolean): Promise<Folder> {
  const [repositories, hooks] = [join(folder, "repositories"), join(folder, "hooks")];
  await privateFolder(repositories);
  await writeHooks(hooks);
  const store = await openStore(isKept ? join(folder, "state.json") : undefined);
  return { folder, repositories, hooks, store, table: store.table };
}

async function prepare(site: Site, options: SandboxOptions): Promise<void> {
  if (site.store.isNew) await site.store.write(() => seed(site, options));
  else await reconcile(site);
  await site.store.save();
  for (const area of site.areas) area.started?.(site);
}

/** The longest delay of a timer, in milliseconds. */
const longestDelay = 2 ** 31 - 1;

function runLater(timers: Set<NodeJS.Timeout>, after: number, work: () => Promise<unknown>): void {
  const timer = setTimeout(
    () => {
      timers.delete(timer);
      if (after > longestDelay) runLater(timers, after - longestDelay, work);
      else void work();
    },
    Math.min(after, longestDelay),
  );
  timer.unref();
  timers.add(timer);
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const hint = "Choose another port, or pass --port 0 to use a free one.";
      reject(
        new Failure("cannot_listen", `Could not listen on ${host}:${port}: ${cause.message}`, {
          hint,
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const at = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${at}`;
}

function serveOn(server: Server, site: Site, ready: Promise<void>, fault: SandboxOptions["fault"]): void {
  const all = areas.flatMap((area) => area.routes).flat();
  const routes = all.filter(({ since }) => isIn(site.release, since));
  const api = createRouter(routes.filter(({ web }) => !web));
  const pages = createRouter(routes.filter(({ web }) => web));
  server.on("request", (request: IncomingMessage, response) => {
    const method = request.method ?? "GET";
    const url = new URL(site.root + (request.url?.startsWith("/") ? request.url : "/"));
    const handle = async () => {
      const refusal = refuseForeign(request, site.root);
      if (refusal !== undefined) {
        site.log(`${refusal.status} ${method} ${url.pathname}: sent by another site`);
        return send(response, method, refusal);
      }
      await ready;
      if (isGitRequest(url)) return serveGit(site, request, url, response);
      const rawBody = await readAll(request);
      const [router, prefix] = url.pathname.startsWith("/api/v1") ? [api, "/api/v1"] : [pages, ""];
      const wrong = fault?.(method, url.pathname);
      const { range: _range, ...others } = request.headers;
      const headers = wrong !== undefined && "whole" in wrong ? others : request.headers;
      const reply = await answer(site, router, prefix, { method, url, headers, rawBody });
      site.log(`${reply.status} ${method} ${url.pathname}${wrong === undefined ? "" : " (fault)"}`);
      return wrong === undefined ? send(response, method, reply) : sendFaulty(response, method, reply, wrong);
    };
    handle().catch((error: unknown) => {
      site.log(`failed ${method} ${url.pathname}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else send(response, method, text(500, "Internal Server Error\n")).catch(() => response.destroy());
    });
  });
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
