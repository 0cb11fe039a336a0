import { collaborators, teams } from "./access.ts";
import { secrets, variables } from "./actions.ts";
import { hooks } from "./hooks.ts";
import { labels, milestones } from "./issues.ts";
import type { Kind } from "./kind.ts";
import { branchProtections, tagProtections } from "./protections.ts";
import { settings, topics } from "./settings.ts";

const all = {
  settings,
  topics,
  collaborators,
  teams,
  labels,
  milestones,
  branch_protections: branchProtections,
  tag_protections: tagProtections,
  hooks,
  variables,
  secrets,
};

/** The name of a kind in a policy file. */
export type KindName = keyof typeof all;

/** What a policy describes, in the order in which it is applied: protections can name people who need access first. */
export const kinds: Readonly<Record<KindName, Kind>> = all;

/** The names of all kinds, in the same order. */
export const kindNames: readonly KindName[] = Object.keys(all).filter(isKindName);

/** The kinds that organizations have, too. */
export const organizationKinds: readonly KindName[] = ["labels", "hooks", "variables", "secrets"];

/** Whether a key of a file is the name of a kind. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(all, name);
}
