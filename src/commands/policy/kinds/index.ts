import { collaborators, teams } from "./access.ts";
import { secrets, variables } from "./actions.ts";
import { hooks } from "./hooks.ts";
import { labels, milestones } from "./issues.ts";
import { isRepository, type Kind } from "./kind.ts";
import { orgTeams, quotaGroups } from "./owner.ts";
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
  quota_groups: quotaGroups,
};

/** The name of a kind in a policy file. */
export type KindName = keyof typeof all;

/** The names of all kinds, in the order in which they are applied: protections can name people who need access first. */
export const kindNames: readonly KindName[] = Object.keys(all) as KindName[];

/** The kinds of each section of a policy file. */
export const sectionKinds = {
  repositories: kindNames.filter((name) => name !== "quota_groups"),
  organizations: ["teams", "labels", "hooks", "variables", "secrets", "quota_groups"],
  users: ["quota_groups"],
} as const satisfies Readonly<Record<string, readonly KindName[]>>;

/** A section of a policy file. */
export type SectionName = keyof typeof sectionKinds;

/** A kind in a section: the teams of an organization are more than the names of those that have a repository. */
export function kindIn(section: SectionName, name: KindName): Kind {
  return section === "organizations" && name === "teams" ? orgTeams : all[name];
}

/** A kind at a place: a repository, OWNER/NAME, or an organization or a user. */
export function kindAt(place: string, name: KindName): Kind {
  return kindIn(isRepository(place) ? "repositories" : "organizations", name);
}
