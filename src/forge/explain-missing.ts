import { NotFoundError } from "../http/errors/not-found-error.ts";

const things: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^pulls\/(\d+)/, "pull request #$1"],
  [/^issues\/(\d+)/, "issue #$1"],
  [/^branches\/([^?]+)/, "branch $1"],
  [/^commits\/([^/?]+)/, "commit or ref $1"],
  [/^contents\/([^?]+)/, "file $1"],
  [/^milestones\/([^/?]+)/, "milestone $1"],
  [/^actions\/runs\/(\d+)/, "run $1"],
  [/^actions\/artifacts\/(\d+)/, "artifact $1"],
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
  const user = missingUser(exchange.path, error.said);
  if (user !== undefined) return new NotFoundError(exchange, `There is no user ${user} on ${exchange.server}`);
  const [, owner, name, rest] = /^\/api\/v1\/repos\/([^/?]+)\/([^/?]+)(?:\/([^?]*))?/.exec(exchange.path) ?? [];
  if (owner === undefined || name === undefined || owner === "search" || owner === "issues") return error;
  const repo = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
  if (!rest || !(await about.exists(decodeURIComponent(owner), decodeURIComponent(name)))) {
    const who = about.signedIn ? "you may not see it" : "it is private and you are not signed in";
    return new NotFoundError(exchange, `There is no repository ${repo} on ${exchange.server}, or ${who}`);
  }
  const thing = things.find(([pattern]) => pattern.test(rest));
  if (thing === undefined) return new NotFoundError(exchange, `${error.message} (in ${repo})`);
  const found = thing[0].exec(rest)?.[0] ?? "";
  const words = decodeURIComponent(found.replace(thing[0], thing[1]));
  const said = error.said === "" || error.said === "not found" ? "" : ` (${error.said})`;
  return new NotFoundError(exchange, `There is no ${words} in ${repo}${said}`);
}

/** The user that a path names, when it must be that one who is missing. */
function missingUser(path: string, said: string): string | undefined {
  const named =
    /^\/api\/v1\/(?:admin\/)?users\/([^/?]+)(.*)$/.exec(path) ??
    /^\/api\/v1\/user\/following\/([^/?]+)(.*)$/.exec(path);
  const [, name, rest] = named ?? [];
  if (name === undefined || name === "search") return undefined;
  const alone = rest === "" || rest?.startsWith("?");
  return alone || said.startsWith("user redirect does not exist") ? decodeURIComponent(name) : undefined;
}
