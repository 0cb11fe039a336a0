import type { Level } from "../forge/level.ts";
import type { BaseContext } from "./context.ts";

/** Of the flags that name a level at most one. */
export const levelExclusive = [["org", "user", "admin"]] as const;

/** The level that `--org`, `--user` or `--admin` names, or the repository in force. */
export async function levelOf(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<Level> {
  if (flags.org !== undefined) return { of: "organization", org: flags.org };
  if (flags.user) return { of: "user" };
  if (flags.admin) return { of: "server" };
  return { of: "repository", repo: await locate() };
}
