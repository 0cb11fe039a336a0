import { unlessFailed } from "../failure/failure.ts";
import { inOwnWords, isGenericMissing, isWebPage, NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { decoded } from "../text/percent.ts";
import { type MatchedOperation, operationAt } from "./all-operations.ts";
import type { Repository } from "./repos.ts";
import { availableSince, sinceOf } from "./support.ts";

/** A branch, tag or commit that the server did not find (docs/server-differences.md, "Commits and files"). */
const missingRef = /^(?:target not found: )?object does not exist \[id: ([^,\]]+), rel_path: \]$/;

/**
 * Explains a 404: the resource or its repository does not exist, or the caller has no access to it. Asks whether the
 * repository exists (`exists`), and why it has no pull requests and nothing of Actions (`repository`).
 */
export async function explainMissing(
  error: NotFoundError,
  about: {
    readonly signedIn: boolean;
    readonly exists: (owner: string, name: string) => Promise<boolean>;
    readonly repository?: (owner: string, name: string) => Promise<Partial<Repository>>;
    /** A command line as it runs on the server. */
    readonly command?: (line: string) => string;
  },
): Promise<NotFoundError> {
  const { exchange } = error;
  if (isWebPage(exchange)) return error;
  const path = apiPathOf(exchange.path);
  const parts = path.slice(1).split("/").map(decoded);
  const matched = operationAt(exchange.method, path);
  const [area, owner = "", name = ""] = parts;
  if (area !== "repos" || owner === "" || name === "" || owner === "search" || owner === "issues") {
    return missingElsewhere(error, parts, matched);
  }
  const user = missingUser(error.serverMessage);
  if (user !== undefined && user.toLowerCase() !== owner.toLowerCase()) {
    return new NotFoundError(exchange, `User ${user} not found on ${exchange.server}`);
  }
  const repo = `${owner}/${name}`;
  const repository = async () => about.repository && unlessFailed(about.repository(owner, name));
  // If the request itself fails, the original error says more.
  const repoExists = parts.length > 3 && (await unlessFailed(about.exists(owner, name)));
  if (repoExists === undefined) return error;
  if (!repoExists) {
    const why = about.signedIn ? "you do not have access" : "it is private and you are not signed in";
    return new NotFoundError(exchange, `Repository ${repo} not found on ${exchange.server}, or ${why}`);
  }
  const { serverMessage } = error;
  const ref = missingRef.exec(serverMessage)?.[1];
  if (ref !== undefined) return new NotFoundError(exchange, `Branch, tag or commit ${ref} not found in ${repo}`);
  // On Forgejo (docs/server-differences.md, "Variables and secrets").
  if (parts[3] === "actions" && isGenericMissing(serverMessage)) {
    const found = await repository();
    const line = `tongs repo edit ${repo} --has-actions`;
    const how = `To turn them on, run: ${about.command?.(line) ?? line}`;
    const message = `Actions are turned off in ${repo}`;
    if (found?.has_actions === false) return new NotFoundError(exchange, message, how, "Actions");
  }
  const unit = matched?.operation.unit;
  if (unit !== undefined && isGenericMissing(serverMessage)) {
    const found = unit === "Pull requests" ? await repository() : {};
    // An empty repository and a mirror have none, whatever is turned on.
    if (found?.empty) return new NotFoundError(exchange, `${repo} is empty: it has no pull requests yet`);
    if (found?.mirror) return new NotFoundError(exchange, `${repo} is a mirror: it has no pull requests`);
    return new NotFoundError(exchange, `${unit} are turned off in ${repo}, or you do not have access to them`);
  }
  if (matched?.operation.missing === undefined) return new NotFoundError(exchange, `${error.message} (in ${repo})`);
  const said = isGenericMissing(serverMessage) ? "" : serverMessage;
  const title = missingTitle(matched);
  // `Review comment {id}` is `comment` in messages.
  const kind = matched.operation.missing.replace(/ #?\{.*$/, "");
  const [, stated] = new RegExp(`^(?:${kind}|${kind.split(" ").at(-1)}) (.*)`, "i").exec(said) ?? [];
  const repeats = /^(does not exist|doesn't exist|not found|was not found|with id)/.test(stated ?? "");
  // A reviewer in the body, a label or a job below the resource.
  const isOther = !isAbout(matched) || (exchange.method !== "GET" && exchange.method !== "DELETE");
  if (said !== "" && !repeats && isOther)
    return new NotFoundError(exchange, `Not found in ${repo}: ${inOwnWords(said)}`);
  const reason = said === "" || repeats ? "" : ` (${inOwnWords(said)})`;
  return new NotFoundError(exchange, `${title} not found in ${repo}${reason}`);
}

/** What does not exist, with the names in the path: `Review 9 of pull request #3`. */
function missingTitle({ operation: { missing = "" }, parameters }: MatchedOperation): string {
  return missing.replace(/\{([^}]+)\}/g, (_place, name: string) => parameters.get(name) ?? "");
}

/** Whether the path is that of what `missing` names, not of something below it. */
function isAbout({ operation: { missing = "" }, path }: MatchedOperation): boolean {
  const [last] = path.match(/\{[^}]+\}(?:\.\{diffType\}|\/zip)?$/) ?? [];
  return last !== undefined && missing.includes(last.replace(/\}.*$/, "}"));
}

/** The settings in app.ini without which a server does not have the operations with a part in their path. */
const settings = Object.entries({
  "/quota": "[quota] ENABLED",
  "/flags": "[repository] ENABLE_FLAGS",
  "/user/activitypub": "[federation] ENABLED",
});

/** Adds the releases that have an operation to the error that the server does not have it, and the setting that turns it on. */
export function explainUnknown(error: UnknownOperationError): UnknownOperationError {
  const { method, path } = error.exchange;
  const matched = operationAt(method, apiPathOf(path));
  const since = matched && sinceOf(`${method} ${matched.path}`);
  if (matched === undefined || since === undefined) return error;
  const setting = settings.find(([part]) => matched.path.includes(part))?.[1];
  const how = setting === undefined ? "" : `Where it is turned off, an administrator can turn it on: ${setting}.\n`;
  return new UnknownOperationError(error.exchange, how + availableSince(since));
}

/** A path below /api/v1, without its query. */
function apiPathOf(path: string): string {
  return path.replace(/\?.*$/, "").replace(/^\/api\/v1/, "");
}

/** What is missing outside of repositories. The answer is often the same if the organization is missing. */
function missingElsewhere(
  error: NotFoundError,
  parts: readonly string[],
  matched: MatchedOperation | undefined,
): NotFoundError {
  const { exchange, serverMessage } = error;
  const on = `on ${exchange.server}`;
  const [area, owner = ""] = parts;
  const said = missingUser(serverMessage);
  if (said !== undefined) {
    const kind = area === "orgs" && said.toLowerCase() === owner.toLowerCase() ? "Organization" : "User";
    return new NotFoundError(exchange, `${kind} ${said} not found ${on}`);
  }
  if (
    matched?.operation.missing !== undefined &&
    isAbout(matched) &&
    (area === "user" || area === "orgs" || area === "admin")
  ) {
    const title = missingTitle(matched);
    const isPlain = isGenericMissing(serverMessage) || /^(variable|secret was|runner) /.test(serverMessage);
    const hooks = title.startsWith("Hook") ? "among the server-wide hooks " : "";
    const where = { user: "in your account ", orgs: `in organization ${owner} `, admin: hooks }[area];
    const reason = isPlain ? "" : ` (${serverMessage})`;
    return new NotFoundError(exchange, `${title} not found ${where}${on}${reason}`);
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
