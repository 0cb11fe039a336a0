import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Access, accessTo } from "../http/access.ts";
import { send } from "../http/answer.ts";
import { applySudo, authenticate, type Caller } from "../http/caller.ts";
import { empty, Refusal, type Reply, text } from "../http/reply.ts";
import { includesScope, isPublicOnly } from "../http/scopes.ts";
import type { RefChange, Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoNamed } from "../state/repos.ts";
import { gitEnvironment, gitFolder, gitProgram } from "./git.ts";
import { type Command, pushGreeting, pushRefusal, readCommands } from "./push-rules.ts";
import { refsChanged, refsOf } from "./refs.ts";

const pattern = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;
type Service = "git-upload-pack" | "git-receive-pack";

/** Whether a URL belongs to the git protocol. */
export function isGitRequest(url: URL): boolean {
  return pattern.test(url.pathname);
}

/** Serves clone, fetch and push over smart HTTP (gitprotocol-http) with the git program. */
export async function serveGit(
  site: Site,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? "GET";
  const [, ownerName = "", repoName = "", what = ""] = pattern.exec(url.pathname) ?? [];
  const service = (what === "info/refs" ? (url.searchParams.get("service") ?? "") : what) as Service;
  try {
    if (service !== "git-upload-pack" && service !== "git-receive-pack")
      throw new Refusal(403, "dumb HTTP is not served");
    const moved = redirectPath(site, ownerName, repoName);
    if (moved !== undefined) {
      const location = `${url.pathname.replace(`/${ownerName}/${repoName}`, moved)}${url.search}`;
      return await send(response, method, empty(301, { Location: location }));
    }
    const caller = applySudo(
      site.store,
      authenticate(site, request.headers, url.searchParams),
      new URLSearchParams(),
      "",
    );
    const repo = authorizeRepo(site, caller, ownerName, repoName, service);
    const options = { protocol: String(request.headers["git-protocol"] ?? "") };
    if (what === "info/refs") {
      const refs = await site.store.read(() => advertise(site, repo, service, options));
      return await send(response, method, refs);
    }
    const body = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
    if (service === "git-upload-pack") return await upload(site, repo, body, response, options);
    const pushed = await readAll(body);
    const reply = await site.store.write(() => {
      site.store.actAs(caller.currentUser?.id);
      return receive(site, repo, caller.currentUser, pushed, options);
    });
    await send(response, method, reply);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const challenge: Record<string, string> = error.status === 401 ? { "WWW-Authenticate": 'Basic realm="Gitea"' } : {};
    await send(response, method, text(error.status, `${error.message}\n`, "text/plain; charset=utf-8", challenge));
  }
}

function redirectPath({ store }: Site, ownerName: string, name: string): string | undefined {
  const lower = ownerName.toLowerCase();
  const owner =
    userNamed(store, ownerName) ?? store.table("users").get(store.table("userRedirects").get(lower)?.to ?? 0);
  if (owner === undefined) return undefined;
  const known = repoNamed(store, owner.id, name);
  const repo =
    known ?? store.table("repos").get(store.table("repoRedirects").get(`${owner.id}/${name.toLowerCase()}`)?.to ?? 0);
  const present = repo && store.table("users").get(repo.ownerId);
  if (repo === undefined || present === undefined) return undefined;
  const isSame = present.name.toLowerCase() === lower && repo.name.toLowerCase() === name.toLowerCase();
  return isSame ? undefined : `/${present.name}/${repo.name}`;
}

/**
 * The repository, if the caller may access it. Throws 401 for anonymous callers, 404 if it is not visible, else 403.
 */
function authorizeRepo(
  site: Site,
  { currentUser, token }: Caller,
  ownerName: string,
  name: string,
  service: Service,
): RepoRecord {
  const owner = userNamed(site.store, ownerName);
  const repo = owner && repoNamed(site.store, owner.id, name);
  const access: Access | undefined = repo && accessTo(site, currentUser, repo);
  const isWrite = service === "git-receive-pack";
  const unauthorized = () => new Refusal(401, "Unauthorized");
  if (repo === undefined || !access?.visible)
    throw currentUser === undefined ? unauthorized() : new Refusal(404, "Repository not found");
  if (isWrite && currentUser === undefined) throw unauthorized();
  if (token !== undefined && !includesScope(token.scopes, `${isWrite ? "write" : "read"}:repository`)) {
    throw new Refusal(403, "token does not have the required scope");
  }
  if (repo.private && isPublicOnly(token)) throw new Refusal(404, "Repository not found");
  const may =
    access.atLeast(isWrite ? "write" : "read", "code") || (isWrite && mayPushSomewhere(site, repo, currentUser));
  if (!may) throw new Refusal(403, `User permission denied for ${isWrite ? "writing" : "reading"}.`);
  if (isWrite && repo.archived)
    throw new Refusal(
      403,
      "This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.",
    );
  return repo;
}

function mayPushSomewhere(site: Site, repo: RepoRecord, currentUser: UserRecord | undefined): boolean {
  return (
    currentUser !== undefined &&
    site.areas.some((area) => (area.pushableBranches?.(site, repo, currentUser) ?? []).length > 0)
  );
}

interface Options {
  readonly protocol: string;
}

function startGit(
  site: Site,
  repo: RepoRecord,
  service: Service,
  flags: readonly string[],
  env: Record<string, string>,
) {
  const args = [
    "-c",
    `core.hooksPath=${site.hooks}`,
    service.slice(4),
    "--stateless-rpc",
    ...flags,
    gitFolder(site, repo),
  ];
  const options = { env: { ...gitEnvironment(site), ...env }, stdio: "pipe", windowsHide: true } as const;
  const child = spawn(gitProgram(site), args, options);
  child.stderr.on("data", (piece: Buffer) => site.log(`git ${service}: ${piece.toString("utf8").trim()}`));
  child.on("error", (error) => child.stdout.destroy(error));
  child.stdin.on("error", () => undefined);
  return child;
}

const headersOf = (service: Service, kind: "advertisement" | "result") => ({
  "Content-Type": `application/x-${service}-${kind}`,
  "Cache-Control": "no-cache, max-age=0, must-revalidate",
});

async function advertise(site: Site, repo: RepoRecord, service: Service, { protocol }: Options): Promise<Reply> {
  const child = startGit(site, repo, service, ["--http-backend-info-refs"], { GIT_PROTOCOL: protocol });
  child.stdin.end();
  const refs = await readAll(child.stdout);
  const line = `# service=${service}\n`;
  const greeting = `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
  const isSecond = /version=2/.test(protocol) && service === "git-upload-pack";
  const body = isSecond ? refs : Buffer.concat([Buffer.from(greeting), refs]);
  return { status: 200, headers: headersOf(service, "advertisement"), body };
}

async function upload(
  site: Site,
  repo: RepoRecord,
  body: Readable,
  response: ServerResponse,
  { protocol }: Options,
): Promise<void> {
  const child = startGit(site, repo, "git-upload-pack", [], { GIT_PROTOCOL: protocol });
  response.on("close", () => child.kill());
  response.writeHead(200, headersOf("git-upload-pack", "result"));
  // git may exit before it has read the whole request.
  const sent = pipeline(body, child.stdin).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE" && error.code !== "EPIPE") throw error;
  });
  await Promise.all([sent, pipeline(child.stdout, response)]);
}

/** Receives a push. The response is sent only after its effects are durable. */
async function receive(
  site: Site,
  repo: RepoRecord,
  currentUser: UserRecord | undefined,
  body: Buffer,
  { protocol }: Options,
): Promise<Reply> {
  if (currentUser === undefined) throw new Refusal(401, "Unauthorized");
  const commands: readonly Command[] = readCommands(body);
  const env = {
    GIT_PROTOCOL: protocol,
    ...pushRefusal(site, repo, currentUser, commands),
    ...pushGreeting(site, repo, commands),
  };
  const { stdin, stdout } = startGit(site, repo, "git-receive-pack", [], env);
  stdin.end(body);
  const result = await readAll(stdout);
  await refsChanged(site, repo, currentUser, await appliedChanges(site, repo, commands));
  return { status: 200, headers: headersOf("git-receive-pack", "result"), body: result };
}

/** The commands that were applied: git may have rejected some. */
async function appliedChanges(site: Site, repo: RepoRecord, commands: readonly Command[]): Promise<RefChange[]> {
  const now = await refsOf(site, repo);
  return commands.filter(({ ref, from, to }) => from !== to && now.get(ref) === to);
}

async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
