import { Failure } from "../failure/failure.ts";
import { isGenericMissing, isWebPage, NotFoundError } from "../http/errors.ts";
import { decoded } from "../http/path.ts";
import type { Repository } from "./repos.ts";

const resourceNames: readonly (readonly [pattern: RegExp, title: string])[] = [
  [/^pulls\/(\d+)\/reviews\/(\d+)/, "Review $2 of pull request #$1"],
  [/^pulls\/(?:\d+\/)?comments\/(\d+)/, "Review comment $1"],
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
  [/^actions\/artifacts\/(\d+)(?:\/zip)?/, "Artifact $1"],
  [/^hooks\/(\d+)/, "Hook $1"],
  [/^topics\/([^/]+)/, "Topic $1"],
  [/^keys\/(\d+)/, "Deploy key $1"],
  [/^push_mirrors\/([^/]+)/, "Push mirror $1"],
  [/^teams\/([^/]+)/, "Team $1"],
  [/^actions\/variables\/([^/]+)/, "Variable $1"],
  [/^actions\/secrets\/([^/]+)/, "Secret $1"],
];

/** Lists and operations that a repository lacks if the unit is turned off, or if the caller cannot see it. */
const units: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^issues$/, "Issues"],
  [/^pulls$/, "Pull requests"],
  [/^wiki\/(?:pages|new)$/, "Wiki pages"],
  [/^releases$/, "Releases"],
];

/** A branch, tag or commit that the server did not find (docs/server-differences.md, "Commits and files"). */
const missingRef = /^(?:target not found: )?object does not exist \[id: ([^,\]]+), rel_path: \]$/;

/**
 * Explains a 404: the resource or its repository does not exist, or the caller has no access to it. Asks whether the
 * repository exists (`exists`), and why it has no pull requests (`repository`).
 */
export async function explainMissing(
  error: NotFoundError,
  about: {
    readonly signedIn: boolean;
    readonly exists: (owner: string, name: string) => Promise<boolean>;
    readonly repository?: (owner: string, name: string) => Promise<Pick<Repository, "empty" | "mirror">>;
  },
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
    return missingElsewhere(error, parts);
  }
  const user = missingUser(error.serverMessage);
  if (user !== undefined && user.toLowerCase() !== owner.toLowerCase()) {
    return new NotFoundError(exchange, `User ${user} not found on ${exchange.server}`);
  }
  const repo = `${owner}/${name}`;
  const rest = parts.slice(3).join("/");
  const repoExists = rest !== "" && (await resultOrUndefined(() => about.exists(owner, name)));
  if (repoExists === undefined) return error;
  if (!repoExists) {
    const why = about.signedIn ? "you do not have access" : "it is private and you are not signed in";
    return new NotFoundError(exchange, `Repository ${repo} not found on ${exchange.server}, or ${why}`);
  }
  const { serverMessage } = error;
  const ref = missingRef.exec(serverMessage)?.[1];
  if (ref !== undefined) return new NotFoundError(exchange, `Branch, tag or commit ${ref} not found in ${repo}`);
  const unit = units.find(([pattern]) => pattern.test(rest))?.[1];
  if (unit !== undefined && isGenericMissing(serverMessage)) {
    const found = unit === "Pull requests" ? await resultOrUndefined(async () => about.repository?.(owner, name)) : {};
    // An empty repository and a mirror have none, whatever is turned on.
    if (found?.empty) return new NotFoundError(exchange, `${repo} is empty: it has no pull requests yet`);
    if (found?.mirror) return new NotFoundError(exchange, `${repo} is a mirror: it has no pull requests`);
    return new NotFoundError(exchange, `${unit} are turned off in ${repo}, or you do not have access to them`);
  }
  const resource = resourceNames.find(([pattern]) => pattern.test(rest));
  if (resource === undefined) return new NotFoundError(exchange, `${error.message} (in ${repo})`);
  const place = resource[0].exec(rest)?.[0] ?? "";
  const title = place.replace(resource[0], resource[1]);
  const said = isGenericMissing(serverMessage) ? "" : serverMessage;
  // `Review comment` in the title is `comment` in messages.
  const kind = resource[1].replace(/ #?\$.*$/, "");
  const [, stated] = new RegExp(`^(?:${kind}|${kind.split(" ").at(-1)}) (.*)`, "i").exec(said) ?? [];
  const repeats = /^(does not exist|doesn't exist|not found|was not found|with id)/.test(stated ?? "");
  // A reviewer in the body, a label or a job below the resource.
  const isOther = rest !== place || (exchange.method !== "GET" && exchange.method !== "DELETE");
  if (said !== "" && !repeats && isOther) return new NotFoundError(exchange, `Not found in ${repo}: ${said}`);
  return new NotFoundError(exchange, `${title} not found in ${repo}${said === "" || repeats ? "" : ` (${said})`}`);
}

/** What an account has: `/user/keys/9`, `/orgs/pilots/hooks/9`. */
const accountResources: readonly (readonly [pattern: RegExp, title: string])[] = [
  [/^keys\/(\d+)$/, "SSH key $1"],
  [/^gpg_keys\/(\d+)$/, "GPG key $1"],
  [/^applications\/oauth2\/(\d+)$/, "Application $1"],
  [/^hooks\/(\d+)$/, "Hook $1"],
  [/^labels\/(\d+)$/, "Label $1"],
  [/^actions\/runners\/(\d+)$/, "Runner $1"],
  [/^actions\/variables\/([^/]+)$/, "Variable $1"],
  [/^actions\/secrets\/([^/]+)$/, "Secret $1"],
];

/** What is missing outside of repositories. The answer is often the same if the organization is missing. */
function missingElsewhere(error: NotFoundError, parts: readonly string[]): NotFoundError {
  const { exchange, serverMessage } = error;
  const on = `on ${exchange.server}`;
  const [area, owner = ""] = parts;
  const said = missingUser(serverMessage);
  if (said !== undefined) {
    const kind = area === "orgs" && said.toLowerCase() === owner.toLowerCase() ? "Organization" : "User";
    return new NotFoundError(exchange, `${kind} ${said} not found ${on}`);
  }
  const rest = parts.slice(area === "orgs" ? 2 : 1).join("/");
  const resource = accountResources.find(([pattern]) => pattern.test(rest));
  if (resource !== undefined && (area === "user" || area === "orgs" || area === "admin")) {
    const [pattern, title] = resource;
    const isPlain = isGenericMissing(serverMessage) || /^(variable|secret was|runner) /.test(serverMessage);
    const hooks = title.startsWith("Hook") ? "among the server-wide hooks " : "";
    const where = { user: "in your account ", orgs: `in organization ${owner} `, admin: hooks }[area];
    const reason = isPlain ? "" : ` (${serverMessage})`;
    return new NotFoundError(exchange, `${rest.replace(pattern, title)} not found ${where}${on}${reason}`);
  }
  return missingAccount(error, parts) ?? error;
}

/** The name in a message about a user or organization that does not exist. */
function missingUser(message: string): string | undefined {
  return /^user (?:redirect )?does not exist \[(?:uid: \d+, )?name: ([^\]]+)\]$/.exec(message)?.[1];
}

/** A missing user or organization: the path ends with its name, or with a collection that an organization always has. */
function missingAccount({ exchange, serverMessage }: NotFoundError, parts: readonly string[]) {
  const account = parts[0] === "admin" || (parts[0] === "user" && parts[1] === "following") ? parts.slice(1) : parts;
  const [area, name = "", ...rest] = account;
  const kind = area === "users" || area === "following" ? "User" : area === "orgs" ? "Organization" : undefined;
  if (kind === undefined || name === "") return undefined;
  const isOfOrg = kind === "Organization" && orgCollections.test(rest.join("/")) && isGenericMissing(serverMessage);
  if (rest.length > 0 && !isOfOrg) return undefined;
  return new NotFoundError(exchange, `${kind} ${name} not found on ${exchange.server}`);
}

const orgCollections =
  /^(teams|repos|members|public_members|hooks|labels|rename|avatar|teams\/search|actions\/(variables|secrets|runners))$/;

/** The result, or undefined if the request itself fails: then the original error says more. */
async function resultOrUndefined<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
