import { text, toggle } from "../command/flags.ts";
import type { Level } from "../forge/level.ts";
import type { BaseContext } from "./context.ts";

/** The flags of commands that work for a repository, an organization, a user or the server. */
export const levelFlags = {
  org: text("for an organization, instead of the repository", { placeholder: "ORG" }),
  user: toggle("for your account, instead of the repository"),
  admin: toggle("for the whole server, instead of the repository"),
};

/** At most one of the level flags can be given. */
export const levelExclusive = [["org", "user", "admin"]] as const;

/** The level that `--org`, `--user` or `--admin` selects, or else the current repository. */
export async function levelOf(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<Level> {
  if (flags.org !== undefined) return { of: "organization", org: flags.org };
  if (flags.user) return { of: "user" };
  if (flags.admin) return { of: "server" };
  return { of: "repository", repo: await locate() };
}
