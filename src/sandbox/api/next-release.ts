import { Reply } from "../http/reply.ts";
import { type Area, other, route } from "../http/route.ts";
import { next } from "../release.ts";

const since = { gitea: next, forgejo: next };
const tideList = { ...other("GET /repos/{owner}/{repo}/tides"), since };
const tideCreate = { ...other("POST /repos/{owner}/{repo}/tides"), since };

/** The operations of a release to come that no other one has. */
export const nextOperations: Area = [
  route(tideList, { repo: "any" }, () => [{ id: 1, state: "high" }]),
  route(tideCreate, { repo: "any", signedIn: true, right: "write" }, () => ({ id: 2, state: "low" })),
];

/** Words that no release has yet, by field. */
const newWords: Readonly<Record<string, string>> = {
  type: "Pilot",
  op_type: "launch_repo",
  key_type: "seal",
  projects_mode: "dock",
  reason: "gpg.seal_is_new",
};

/** The words of those fields that nothing depends on. */
const oldWords = /^(User|Organization|create_repo|ssh|gpg\..*)$/;

/**
 * A response as a release to come may send it: with fields and words that nobody knows, and null for what is not set, for
 * lists without items too.
 */
export function asNext(reply: Reply): Reply {
  const { status, headers, body } = reply;
  if (status >= 300 || !headers["Content-Type"]?.startsWith("application/json")) return reply;
  return new Reply(status, headers, JSON.stringify(changed(JSON.parse(body.toString()))));
}

function changed(value: unknown, field = ""): unknown {
  const word = newWords[field];
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item: unknown) => changed(item));
  if (typeof value === "string") {
    if (/^(0001-01-01T|1970-01-01T00:00:00)/.test(value)) return null;
    return word !== undefined && oldWords.test(value) ? word : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, changed(inner, key)] as const);
  const more = Object.hasOwn(value, "id") ? { tide: "high", ebb: null } : {};
  return { ...Object.fromEntries(entries), ...more };
}
