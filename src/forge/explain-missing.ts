import { Failure } from "../failure/failure.ts";
import { isWebPage, NotFoundError } from "../http/errors.ts";

const things: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^pulls\/(\d+)/, "pull request #$1"],
  [/^issues\/(\d+)/, "issue #$1"],
  [/^branches\/(.+)/, "branch $1"],
  [/^commits\/([^/]+)/, "commit or ref $1"],
  [/^contents\/(.+)/, "file $1"],
  [/^milestones\/([^/]+)/, "milestone $1"],
  [/^actions\/runs\/(\d+)/, "run $1"],
  [/^actions\/artifacts\/(\d+)/, "artifact $1"],
  [/^hooks\/(\d+)/, "hook $1"],
];

/**
 * Tells a missing thing from a missing repository: both are 404, and so is one that the caller may not see. Asks for
 * the repository itself (`exists`), on this failing way only.
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
    return hook(error, parts) ?? account(error, parts);
  }
  const repo = `${owner}/${name}`;
  const rest = parts.slice(3).join("/");
  const there = rest !== "" && (await asked(() => about.exists(owner, name)));
  if (there === undefined) return error;
  if (!there) {
    const who = about.signedIn ? "you may not see it" : "it is private and you are not signed in";
    return new NotFoundError(exchange, `There is no repository ${repo} on ${exchange.server}, or ${who}`);
  }
  const thing = things.find(([pattern]) => pattern.test(rest));
  if (thing === undefined) return new NotFoundError(exchange, `${error.message} (in ${repo})`);
  const words = (thing[0].exec(rest)?.[0] ?? "").replace(thing[0], thing[1]);
  const said = error.serverMessage === "" || error.serverMessage === "not found" ? "" : ` (${error.serverMessage})`;
  return new NotFoundError(exchange, `There is no ${words} in ${repo}${said}`);
}

/** A hook that is not of a repository. The servers say the same when there is no such organization. */
function hook({ exchange, serverMessage }: NotFoundError, parts: readonly string[]): NotFoundError | undefined {
  const found = /^(?:admin|(user)|orgs\/([^/]+))\/hooks\/(\d+)$/.exec(parts.join("/"));
  if (found === null || serverMessage !== "not found") return undefined;
  const [, own, org, id] = found;
  const whose = own ? "of yours" : org ? `of an organization ${org}` : "of the whole server";
  return new NotFoundError(exchange, `There is no hook ${id} ${whose} on ${exchange.server}`);
}

/** A user or an organization that is not there. Below their names a 404 may mean anything else, unless it says so. */
function account(error: NotFoundError, parts: readonly string[]): NotFoundError {
  const named = parts[0] === "admin" || (parts[0] === "user" && parts[1] === "following") ? parts.slice(1) : parts;
  const [area, name, ...rest] = named;
  const kind = area === "users" || area === "following" ? "user" : area === "orgs" ? "organization" : undefined;
  if (kind === undefined || name === undefined || name === "") return error;
  if (rest.length > 0 && !error.serverMessage.startsWith("user redirect does not exist")) return error;
  return new NotFoundError(error.exchange, `There is no ${kind} ${name} on ${error.exchange.server}`);
}

/** The answer, or undefined when the question itself is refused: then the first error says more. */
async function asked(question: () => Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await question();
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
