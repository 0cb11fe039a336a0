import type { Http } from "../http/client.ts";
import { behaviors } from "./generated/since.ts";
import { hasOperation, releaseOf } from "./support.ts";

/** The kinds of settings that workflows read. */
export type SettingKind = "variable" | "secret";

/**
 * Why a server refuses a name for a variable or a secret; undefined if it accepts it. Names that begin with `CI` depend on
 * the release of the server, which is asked for only then (docs/server-differences.md, "Variables and secrets").
 */
export async function nameProblem(http: Http, kind: SettingKind, name: string): Promise<string | undefined> {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "must consist of letters, digits and underscores, and must not begin with a digit";
  }
  if (/^(gitea|github)_/i.test(name)) return "must not begin with GITEA_ or GITHUB_";
  if (!/^ci/i.test(name)) return undefined;
  const release = releaseOf((await http.version()) ?? "");
  const reservesOnlyCi = release === undefined ? "yes" : hasOperation(release, behaviors.reservesOnlyCi);
  // A newer server says so itself.
  if (reservesOnlyCi === "unknown") return undefined;
  if (reservesOnlyCi === "yes") return name.toUpperCase() === "CI" ? "is reserved" : undefined;
  return kind === "variable" ? "must not begin with CI on this server" : undefined;
}
