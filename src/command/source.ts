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
