import { Failure } from "../failure/failure.ts";
import { isWebPage, NotFoundError } from "../http/errors.ts";

const resourceNames: readonly (readonly [pattern: RegExp, title: string])[] = [
  [/^pulls\/(\d+)/, "Pull request #$1"],
  [/^issues\/(?:comments\/)?\d+\/assets\/(\d+)/, "Attachment $1"],
  [/^issues\/\d+\/times\/(\d+)/, "Tracked time $1"],
  [/^issues\/comments\/(\d+)/, "Comment $1"],
  [/^issues\/(\d+)/, "Issue #$1"],
  [/^branches\/(.+)/, "Branch $1"],
  [/^commits\/([^/]+)/, "Commit or ref $1"],
  [/^git\/commits\/([^/]+)/, "Commit or ref $1"],
  [/^branch_protections\/(.+)/, "Branch protection $1"],
  [/^tags\/(.+)/, "Tag $1"],
  [/^contents\/(.+)/, "File $1"],
  [/^compare\/(.+)/, "Comparison $1"],
  [/^wiki\/(?:page|revisions)\/([^/]+)/, "Wiki page $1"],
  [/^milestones\/([^/]+)/, "Milestone $1"],
  [/^actions\/runs\/(\d+)/, "Run $1"],
  [/^actions\/artifacts\/(\d+)/, "Artifact $1"],
  [/^hooks\/(\d+)/, "Hook $1"],
  [/^topics\/([^/]+)/, "Topic $1"],
  [/^keys\/(\d+)/, "Deploy key $1"],
  [/^push_mirrors\/([^/]+)/, "Push mirror $1"],
  [/^teams\/([^/]+)/, "Team $1"],
  [/^actions\/variables\/([^/]+)/, "Variable $1"],
  [/^actions\/secrets\/([^/]+)/, "Secret $1"],
];

/**
 * Explains a 404: the resource or its repository does not exist, or the caller has no access to it. Asks whether the
 * repository exists (`exists`).
 */
export async function explainMissing(
  error: NotFoundError,
  about: { readonly signedIn: boolean; readonly exists: (owner: string, name: string) => Promise<boolean> },
): Promise<NotFoundError> {
  const { exchange } = error;
  if (isWebPage(exchange)) return error;
  const parts =
    exchange.path
      .split("?", 1)[0]
      ?.replace(/^\/api\/v1\//, "")
      .split("/")
      .map(decoded) ?? [];
  const [area, owner = "", name = ""] = parts;
  if (area !== "repos" || owner === "" || name === "" || owner === "search" || owner === "issues") {
    return missingHook(error, parts) ?? missingSetting(error, parts) ?? missingAccount(error, parts);
  }
  const repo = `${owner}/${name}`;
  const rest = parts.slice(3).join("/");
  const repoExists = rest !== "" && (await resultOrUndefined(() => about.exists(owner, name)));
  if (repoExists === undefined) return error;
  if (!repoExists) {
    const why = about.signedIn ? "you do not have access" : "it is private and you are not signed in";
    return new NotFoundError(exchange, `Repository ${repo} not found on ${exchange.server}, or ${why}`);
  }
  const resource = resourceNames.find(([pattern]) => pattern.test(rest));
  if (resource === undefined) return new NotFoundError(exchange, `${error.message} (in ${repo})`);
  const title = (resource[0].exec(rest)?.[0] ?? "").replace(resource[0], resource[1]);
  const known = /^(not found|variable not found|secret was not found \[.*\])?$/.test(error.serverMessage);
  const said = known ? "" : ` (${error.serverMessage})`;
  return new NotFoundError(exchange, `${title} not found in ${repo}${said}`);
}

/** A missing hook of a user, an organization or the server. The answer is the same if the organization is missing. */
function missingHook({ exchange, serverMessage }: NotFoundError, parts: readonly string[]): NotFoundError | undefined {
  const found = /^(?:admin|(user)|orgs\/([^/]+))\/hooks\/(\d+)$/.exec(parts.join("/"));
  if (found === null || serverMessage !== "not found") return undefined;
  const [, own, org, id] = found;
  const where = own ? "in your account" : org ? `in organization ${org}` : "among the server-wide hooks";
  return new NotFoundError(exchange, `Hook ${id} not found ${where} on ${exchange.server}`);
}

/** A missing variable or secret of a user or an organization. */
function missingSetting(
  { exchange, serverMessage }: NotFoundError,
  parts: readonly string[],
): NotFoundError | undefined {
  const found = /^(?:user|orgs\/([^/]+))\/actions\/(variable|secret)s\/([^/]+)$/.exec(parts.join("/"));
  if (found === null || !/^(variable|secret was) not found/.test(serverMessage)) return undefined;
  const [, org, kind, name] = found;
  const where = org === undefined ? "in your account" : `in organization ${org}`;
  const title = kind === "variable" ? "Variable" : "Secret";
  return new NotFoundError(exchange, `${title} ${name} not found ${where} on ${exchange.server}`);
}

/** A missing user or organization. For longer paths, a 404 means that only if the message says so. */
function missingAccount(error: NotFoundError, parts: readonly string[]): NotFoundError {
  const account = parts[0] === "admin" || (parts[0] === "user" && parts[1] === "following") ? parts.slice(1) : parts;
  const [area, name, ...rest] = account;
  const kind = area === "users" || area === "following" ? "User" : area === "orgs" ? "Organization" : undefined;
  if (kind === undefined || name === undefined || name === "") return error;
  if (rest.length > 0 && !error.serverMessage.startsWith("user redirect does not exist")) return error;
  return new NotFoundError(error.exchange, `${kind} ${name} not found on ${error.exchange.server}`);
}

/** The result, or undefined if the request itself fails: then the original error says more. */
async function resultOrUndefined(request: () => Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
