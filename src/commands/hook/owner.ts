import { text, toggle } from "../../command/flags.ts";
import type { Level } from "../../forge/level.ts";
import { fullName } from "../../repo/repo-name.ts";

/** Whose hooks are meant; without one of these, the repository's. */
export const ownerFlags = {
  org: text("of this organization", { placeholder: "ORG" }),
  user: toggle("your own, for all your repositories"),
  admin: toggle("of the whole server"),
};

/** `mara/harbor`, `the organization tidewater`, … */
export function ownerName(owner: Level): string {
  if (owner.of === "repository") return fullName(owner.repo);
  if (owner.of === "organization") return `the organization ${owner.org}`;
  return owner.of === "user" ? "yourself" : "the whole server";
}
