import { text, toggle } from "../../command/flags.ts";
import type { BaseContext } from "../../context.ts";
import type { ActionsLevel } from "../../forge/actions-level.ts";

/** Whose Actions are meant; without one of these, the repository's. */
export const levelFlags = {
  org: text("those of this organization", { placeholder: "ORG" }),
  user: toggle("your own"),
  admin: toggle("those of the whole server"),
};

/** At most one of the flags. */
export const levelExclusive = [["org", "user", "admin"]] as const;

/** The level that the flags name, or the repository in force. */
export async function actionsLevel(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<ActionsLevel> {
  if (flags.org !== undefined) return { of: "organization", org: flags.org };
  if (flags.user) return { of: "user" };
  if (flags.admin) return { of: "server" };
  return { of: "repository", repo: await locate() };
}
