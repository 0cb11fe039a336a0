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
