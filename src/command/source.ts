/**
 * What a value names outside of the server: a file or directory to read or to write, a git repository here, where a
 * password or token is (a file, an environment variable), or an address to connect to. MCP tools have none of these;
 * with `mcp serve --files` they have files.
 */
export type Named = "input file" | "output file" | "git repository" | "password" | "address";

/** What the server or the configuration lists for an argument or the value of a flag, for completion. */
export type Source =
  | "pull"
  | "issue"
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
  /** All users of the server, for administrators. */
  | "account"
  | "team"
  | "run"
  | "workflow"
  /** Inputs of the workflow that is typed, as `NAME=`. */
  | "input"
  | "artifact"
  | "hook"
  | "runner"
  /** Names of Actions variables and secrets, never their values. */
  | "variable"
  | "secret"
  /** Organizations of the user. */
  | "organization"
  | "branch-protection"
  | "tag-protection"
  | "repository"
  /** Operations of descriptions that are in the cache. */
  | "operation"
  /** Parameters of the operation that is typed, as `NAME=`. */
  | "parameter"
  | "profile"
  | "alias";
