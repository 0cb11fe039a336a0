import { text, toggle } from "../../command/flags.ts";
import type { BaseContext } from "../../context.ts";
import type { HookOwner } from "../../forge/hooks.ts";
import { fullName } from "../../forge/repo-name.ts";

/** Whose hooks are meant; without one of these, the repository's. */
export const ownerFlags = {
  org: text("of this organization", { placeholder: "ORG" }),
  user: toggle("your own, for all your repositories"),
  admin: toggle("of the whole server"),
};

/** At most one of the flags. */
export const ownerExclusive = [["org", "user", "admin"]] as const;

/** The owner that the flags name, or the repository in force. */
export async function hookOwner(
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  { locate }: Pick<BaseContext, "locate">,
): Promise<HookOwner> {
  if (flags.org !== undefined) return { of: "organization", org: flags.org };
  if (flags.user) return { of: "user" };
  if (flags.admin) return { of: "server" };
  return { of: "repository", repo: await locate() };
}

/** `mara/harbor`, `the organization tidewater`, … */
export function ownerName(owner: HookOwner): string {
  if (owner.of === "repository") return fullName(owner.repo);
  if (owner.of === "organization") return `the organization ${owner.org}`;
  return owner.of === "user" ? "yourself" : "the whole server";
}
