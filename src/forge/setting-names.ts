import type { Http } from "../http/client.ts";
import { aboutServer } from "./server.ts";

/** The kinds of settings that workflows read. */
export type SettingKind = "variable" | "secret";

/**
 * Why a server refuses a name for a variable or a secret; undefined if it accepts it. Names that begin with `CI` depend on
 * the server, which is asked only for those (docs/server-differences.md, "Variables and secrets").
 */
export async function nameProblem(http: Http, kind: SettingKind, name: string): Promise<string | undefined> {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "must consist of letters, digits and underscores, and must not begin with a digit";
  }
  if (/^(gitea|github)_/i.test(name)) return "must not begin with GITEA_ or GITHUB_";
  if (!/^ci/i.test(name)) return undefined;
  return ciProblem((await aboutServer(http)).kind, kind, name);
}

/** Gitea reserves the name CI. Forgejo reserves all names of variables that begin with CI, and none of secrets. */
function ciProblem(software: "Gitea" | "Forgejo", kind: SettingKind, name: string): string | undefined {
  if (software === "Gitea") return name.toUpperCase() === "CI" ? "is reserved" : undefined;
  return kind === "variable" ? "must not begin with CI on this server" : undefined;
}
