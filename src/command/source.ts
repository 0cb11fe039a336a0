import { UsageError } from "../failure/failure.ts";

/**
 * What a value names outside of the server: a file or directory to read or to write, a git repository here, where a
 * password or token is (a file, an environment variable), an address to connect to, or flags of a program, which can make it run
 * others. MCP tools have none of these;
 * with `mcp serve --files` they have files.
 */
export type Named = "input file" | "output file" | "git repository" | "password" | "address" | "program flags";

/** What `-` is read as, or written to: stdin as a file, its lines (each one value), or stdout. */
export type Dash = keyof typeof dashes;

const dashes = {
  stdin: "; - reads stdin",
  lines: "; - reads them from stdin, one per line",
  stdout: "; - writes to stdout",
};

/** A description with what `-` stands for. */
export function withDash(description: string, dash: Dash | undefined): string {
  return dash === undefined ? description : `${description}${dashes[dash]}`;
}

/** What an argument or the value of a flag names, and the server or the configuration lists. */
export type Source =
  | "pull"
  | "issue"
  | "closed issue"
  /** An issue or a pull request. */
  | "thread"
  | "branch"
  | "tag"
  /** A branch or a tag. */
  | "ref"
  | "release"
  | "label"
  | "milestone"
  /** Users who can be assigned in the repository. */
  | "user"
  /** All users of the server. */
  | "account"
  | "team"
  | "run"
  | "workflow"
  | "artifact"
  | "hook"
  | "runner"
  /** What the runners can run jobs for. */
  | "runner label"
  /** Names of Actions variables and secrets, never their values. */
  | "variable"
  | "secret"
  /** Organizations of the user. */
  | "organization"
  | "branch-protection"
  | "tag-protection"
  | "repository"
  | HereSource;

/** What is completed, but not chosen from a list on a terminal: it depends on other words, or is on this machine. */
export type HereSource = (typeof hereSources)[number];

export const hereSources = [
  /** Names that are still free: nothing completes them. */
  "new branch",
  "new tag",
  /** Inputs of the workflow that is typed, as `NAME=`. */
  "input",
  /** Operations of descriptions that are in the cache. */
  "operation",
  /** Parameters of the operation that is typed, as `NAME=`. */
  "parameter",
  "profile",
  "alias",
] as const;

/** What is on the server. */
export type EntitySource = Exclude<Source, HereSource>;

/** The namespaces of git's refs in which a value is a name. Pull requests and runs can be named by a branch. */
const namespaces: Partial<Record<Source, "heads" | "tags">> = {
  branch: "heads",
  "new branch": "heads",
  "branch-protection": "heads",
  pull: "heads",
  run: "heads",
  tag: "tags",
  "new tag": "tags",
  release: "tags",
};

/**
 * What was typed as servers name it: without `refs/heads/` or `heads/` for a branch, also after `OWNER:`, and without
 * `refs/tags/` or `tags/` for a tag. Where it can be either, it gets the full name: there can be both of one name. A branch
 * that is called `heads/x` is `refs/heads/heads/x`, or `heads/x` where one that exists is named as lists print it: on stdin,
 * and by what commands change (`isExact`). Throws a usage error for the full name of a tag where a branch is created, and for that of
 * a branch where a tag is meant, unless it is taken as lists print it.
 */
export function nameOf(source: Source | undefined, typed: string, isExact = false): string {
  if (source === "ref") return typed.replace(/^(?=(?:heads|tags)\/.)/, "refs/");
  const namespace = source && namespaces[source];
  if (namespace === undefined) return typed;
  const [, other] = /^refs\/(heads|tags)\/./.exec(typed) ?? [];
  // A run can be named by a tag, too, where a branch is looked for.
  const isStrict = source?.startsWith("new ") || (namespace === "tags" && !isExact);
  if (isStrict && other !== undefined && other !== namespace) {
    const [is, wanted] = other === "tags" ? ["tag", "branch"] : ["branch", "tag"];
    throw new UsageError(`'${typed}' is the full name of a ${is}, not of a ${wanted}`);
  }
  return typed.replace(
    new RegExp(`^((?:[^:]*:)?)(?:refs/)${isExact && !source?.startsWith("new ") ? "" : "?"}${namespace}/(?=.)`),
    "$1",
  );
}

/** Whether a source is none of the server. */
export function isHere(source: Source): source is HereSource {
  return hereSources.some((here) => here === source);
}
