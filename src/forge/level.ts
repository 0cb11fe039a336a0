import type { RepoName } from "../repo/repo-name.ts";

/**
 * Whose the resources of Actions, webhooks, labels and packages are: the same operations exist at several levels
 * (docs/server-differences.md, "Levels").
 */
export type Level =
  | { readonly of: "repository"; readonly repo: RepoName }
  | { readonly of: "organization"; readonly org: string }
  | { readonly of: "user" }
  | { readonly of: "server" };

export type LevelName = Level["of"];

/** Whose variables and secrets are: no server has them for the whole server. */
export type SettingLevel = Exclude<Level, { readonly of: "server" }>;

/** Where the operations of a level begin: what `{level}` in the path of an operation stands for. */
export const levelPaths = {
  repository: "/repos/{owner}/{repo}",
  organization: "/orgs/{org}",
  user: "/user",
  server: "/admin",
} as const satisfies Record<LevelName, string>;
