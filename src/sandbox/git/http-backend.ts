import type { IncomingMessage, ServerResponse } from "node:http";
import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { accessTo } from "../http/access.ts";
import { send } from "../http/answer.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { findRepo } from "../http/pipeline.ts";
import { empty, Refusal, Reply, refuse, text } from "../http/reply.ts";
import { includesScope, isPublicOnly } from "../http/scopes.ts";
import type { RepoAt, Site } from "../site.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { gitFolder, tryGit } from "./git.ts";
import { pushRules, readCommands } from "./push-rules.ts";
import { refsChanged, refsOf } from "./refs.ts";

const pattern = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** Whether a URL belongs to the git protocol. */
export function isGitRequest(url: URL): boolean {
  return pattern.test(url.pathname);
}

/** A request of git's smart HTTP protocol. */
interface GitRequest {
  readonly request: IncomingMessage;
  /** What follows the repository in the path. */
  readonly what: string;
  readonly service: string;
  readonly body: Buffer;
}

/** Serves clone, fetch and push over smart HTTP (gitprotocol-http) with the git program. */
export async function serveGit(
  site: Site,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): Promise<void> {
  const [, ownerName = "", name = "", what = ""] = pattern.exec(url.pathname) ?? [];
  const service = what === "info/refs" ? (url.searchParams.get("service") ?? "") : what;
  const reply = async (): Promise<Reply> => {
    if (service !== "git-upload-pack" && service !== "git-receive-pack") refuse(403, "dumb HTTP is not served");
    const { owner, repo } = findRepo(site, ownerName, name);
    const moved = owner && repo && `/${owner.name}/${repo.name}`;
    if (moved && moved.toLowerCase() !== `/${ownerName}/${name}`.toLowerCase())
      return empty(301, { Location: `${url.pathname.replace(`/${ownerName}/${name}`, moved)}${url.search}` });
    const caller = callerOf(site, request.headers, new URLSearchParams());
    const allowed = authorize(site, caller, repo, service === "git-receive-pack");
    // Read before a write, which would wait for a slow client.
    const asked = { request, what, service, body: await buffer(request) };
    if (what === "git-receive-pack") return site.store.write(() => receive({ site, repo: allowed }, caller, asked));
    return what === "info/refs"
      ? site.store.read(() => runBackend({ site, repo: allowed }, asked))
      : runBackend({ site, repo: allowed }, asked);
  };
  const answer = await reply().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    const challenge: Record<string, string> = error.status === 401 ? { "WWW-Authenticate": 'Basic realm="Gitea"' } : {};
    return text(error.status, `${error.message}\n`, "text/plain; charset=utf-8", challenge);
  });
  await send(response, request.method ?? "GET", answer);
}

/** The repository, if the caller may access it. Throws 401 for anonymous callers, 404 if it is not visible, else 403. */
function authorize(
  site: Site,
  { currentUser, token }: Caller,
  repo: RepoRecord | undefined,
  isWrite: boolean,
): RepoRecord {
  const access = repo && accessTo(site, currentUser, repo);
  const isHidden = !access?.visible || (repo?.private && isPublicOnly(token));
  if (currentUser === undefined && (isHidden || isWrite)) refuse(401, "Unauthorized");
  if (repo === undefined || access === undefined || isHidden) refuse(404, "Repository not found");
  if (token !== undefined && !includesScope(token.scopes, `${isWrite ? "write" : "read"}:repository`))
    refuse(403, "token does not have the required scope");
  // Who can read the code may push to some branches; the pre-receive hook refuses the others.
  if (!access.atLeast("read", "code")) refuse(403, `User permission denied for ${isWrite ? "writing" : "reading"}.`);
  if (isWrite && repo.archived)
    refuse(
      403,
      "This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.",
    );
  return repo;
}

/** Runs `git http-backend`, a CGI program (RFC 3875). It takes a push only with a `REMOTE_USER`. */
async function runBackend(
  { site, repo }: RepoAt,
  { request, what, service, body }: GitRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { headers } = request;
  const env = {
    GIT_PROJECT_ROOT: site.repositories,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: `/${basename(gitFolder({ site, repo }))}/${what}`,
    QUERY_STRING: what === "info/refs" ? `service=${service}` : "",
    CONTENT_TYPE: headers["content-type"] ?? "",
    HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
    REMOTE_USER: service === "git-receive-pack" ? "pusher" : "",
    ...more,
  };
  const args = ["-c", `core.hooksPath=${site.hooks}`, "http-backend"];
  const { out, err } = await tryGit({ site, repo }, args, { input: body, env });
  if (err !== "") site.log(`git http-backend: ${err.trim()}`);
  const end = out.indexOf("\r\n\r\n");
  if (end < 0) throw new Error("git http-backend ended without a response");
  const lines = out.toString("latin1", 0, end).split("\r\n");
  const { Status: status = "200", ...rest } = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
  return new Reply(Number.parseInt(status, 10), rest, out.subarray(end + 4));
}

/** Receives a push. The response is sent only after its effects. */
async function receive({ site, repo }: RepoAt, { currentUser }: Caller, asked: GitRequest): Promise<Reply> {
  if (currentUser === undefined) refuse(401, "Unauthorized");
  site.store.actAs(currentUser.id);
  const isPacked = asked.request.headers["content-encoding"] === "gzip";
  const commands = readCommands(isPacked ? gunzipSync(asked.body) : asked.body);
  const reply = await runBackend({ site, repo }, asked, pushRules({ site, repo }, currentUser, commands));
  // git may have rejected some.
  const now = await refsOf({ site, repo });
  const applied = commands.filter(({ ref, from, to }) => from !== to && now.get(ref) === to);
  await refsChanged({ site, repo }, currentUser, applied);
  return reply;
}
