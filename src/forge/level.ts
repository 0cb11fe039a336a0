import type { RepoName } from "./repo-name.ts";

/** Whose things are meant, where the same operations stand below four prefixes: Actions (api-facts 0.1 row 20), hooks. */
export type Level =
  | { readonly of: "repository"; readonly repo: RepoName }
  | { readonly of: "organization"; readonly org: string }
  | { readonly of: "user" }
  | { readonly of: "server" };
