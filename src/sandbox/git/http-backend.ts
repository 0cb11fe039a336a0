import { spawn } from "node:child_process";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Access, accessTo } from "../http/access.ts";
import { send } from "../http/answer.ts";
import { applySudo, authenticate, type Caller } from "../http/caller.ts";
import { empty, Refusal, type Reply, text } from "../http/reply.ts";
import { includesScope, isPublicOnly } from "../http/scopes.ts";
import type { Site } from "../site.ts";
import { userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoNamed } from "../state/repos.ts";
import { gitEnvironment, gitFolder, gitProgram } from "./git.ts";
import { procReceiveConfig, proposalEnv, proposalsOf, readPushOptions } from "./proc-receive.ts";
import { pushGreeting, pushRefusal, readCommands } from "./push-rules.ts";
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
    const asked = { method, what, service, headers: request.headers, body: request };
    const reply = () => runBackend(site, repo, asked);
    if (what === "git-upload-pack") return await send(response, method, await reply());
    if (what === "info/refs")
      return await send(response, method, await site.store.read(async () => whole(await reply())));
    const { currentUser } = caller;
    if (currentUser === undefined) throw new Refusal(401, "Unauthorized");
    // Read before the write, which would wait for a slow client.
    const { "content-encoding": encoding, ...headers } = request.headers;
    const pushed = await buffer(encoding === "gzip" ? request.pipe(createGunzip()) : request);
    const result = await site.store.write(() => receive(site, repo, currentUser, pushed, { ...asked, headers }));
    await send(response, method, result);
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
  // Who can read may push to refs/for/…; the pre-receive hook refuses all else.
  if (!access.atLeast("read", "code"))
    throw new Refusal(403, `User permission denied for ${isWrite ? "writing" : "reading"}.`);
  if (isWrite && repo.archived)
    throw new Refusal(
      403,
      "This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.",
    );
  return repo;
}

/** What `git http-backend`, a CGI program (RFC 3875), is told of a request. */
interface CgiRequest {
  readonly method: string;
  /** What follows the repository in the path. */
  readonly what: string;
  readonly service: Service;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** More of the environment. git takes a push only with a `REMOTE_USER`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `git http-backend` and returns its response as soon as it has the headers. */
async function runBackend(site: Site, repo: RepoRecord, request: CgiRequest): Promise<Reply> {
  const { method, what, service, headers, body } = request;
  const env = {
    ...gitEnvironment(site),
    GIT_PROJECT_ROOT: site.repositories,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    REQUEST_METHOD: method,
    PATH_INFO: `/${basename(gitFolder(site, repo))}/${what}`,
    QUERY_STRING: what === "info/refs" ? `service=${service}` : "",
    CONTENT_TYPE: headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
    REMOTE_USER: service === "git-receive-pack" ? "pusher" : "",
    ...request.env,
  };
  const args = ["-c", `core.hooksPath=${site.hooks}`, ...procReceiveConfig, "http-backend"];
  const child = spawn(gitProgram(site), args, { env, stdio: "pipe", windowsHide: true });
  child.stderr.on("data", (piece: Buffer) => site.log(`git http-backend: ${piece.toString("utf8").trim()}`));
  child.on("error", (error) => child.stdout.destroy(error));
  // git may exit before it has read the whole request.
  pipeline(body, child.stdin).catch(() => undefined);
  const pieces: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let known = Buffer.alloc(0);
  for (let end = -1; end < 0; end = known.indexOf("\r\n\r\n")) {
    const next = await pieces.next();
    if (next.done) throw new Error("git http-backend ended without a response");
    known = Buffer.concat([known, next.value]);
  }
  const end = known.indexOf("\r\n\r\n");
  const lines = known.toString("latin1", 0, end).split("\r\n");
  const { Status: status = "200", ...rest } = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
  const content = async function* () {
    yield known.subarray(end + 4);
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  return { status: Number.parseInt(status, 10), headers: rest, body: Readable.from(content()) };
}

/** A reply whose body has arrived. */
async function whole(reply: Reply): Promise<Reply> {
  return reply.body instanceof Readable ? { ...reply, body: await buffer(reply.body) } : reply;
}

/** Receives a push. The response is sent only after its effects. */
async function receive(
  site: Site,
  repo: RepoRecord,
  user: UserRecord,
  body: Buffer,
  request: CgiRequest,
): Promise<Reply> {
  site.store.actAs(user.id);
  const commands = readCommands(body);
  const proposals = await proposalsOf(site, repo, user, { commands, options: readPushOptions(body) });
  const rules = { ...pushRefusal(site, repo, user, commands), ...pushGreeting(site, repo, commands) };
  const env = { ...rules, ...proposalEnv(proposals) };
  const reply = await whole(await runBackend(site, repo, { ...request, body: Readable.from([body]), env }));
  const now = await refsOf(site, repo);
  // git may have rejected some.
  const applied = commands.filter(({ ref, from, to }) => from !== to && now.get(ref) === to);
  await refsChanged(site, repo, user, applied);
  for (const { command, proposed } of proposals) {
    if (!("refuse" in proposed) && now.get(proposed.ref) === command.to) await proposed.apply();
  }
  return reply;
}
