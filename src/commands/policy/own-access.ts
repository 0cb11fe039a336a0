import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { isOwners, ownTeamList } from "../../forge/teams.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { ifVisible } from "../../http/errors.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";
import type { Change } from "./compare.ts";
import { isRepository, listOf } from "./kinds/kind.ts";

/** A change that takes away what the caller may do. */
export interface OwnRemoval {
  readonly change: Change;
  /** `removes you from the owners of acme` */
  readonly what: string;
}

/** The members whom a change takes out of a team that stays, or that it deletes. */
export function removedMembers({ kind, action, fields, lost = [] }: Change): readonly string[] {
  if (action === "delete") return lost;
  if (kind !== "teams" || action !== "update") return [];
  const members = fields.find(({ field }) => field === "members");
  const kept = new Set(listOf(members?.new).map(lower));
  return listOf(members?.old).filter((name) => !kept.has(lower(name)));
}

function lower(name: string): string {
  return name.toLowerCase();
}

const isLess = ({ kind, action, fields }: Change) =>
  kind === "collaborators" &&
  (action === "delete" || (action === "update" && fields.some(({ old }) => old === "admin")));

/**
 * The changes that take the caller out of the owners of an organization, or that end the right to administer a repository:
 * they come last, as what follows would be refused. None for administrators, who may do all of it nevertheless.
 */
export async function ownRemovals(changes: readonly Change[], http: Http): Promise<readonly OwnRemoval[]> {
  const ofOwners = changes.filter((one) => lower(one.name) === "owners" && removedMembers(one).length > 0);
  const ofRepos = changes.filter(
    (one) => isRepository(one.repository) && (isLess(one) || (one.kind === "teams" && one.action === "delete")),
  );
  if (ofOwners.length + ofRepos.length === 0) return [];
  const { login, is_admin } = await call(http, currentUserGet, {});
  if (is_admin === true) return [];
  const isMe = (name: string) => lower(name) === lower(login);
  const left = ofOwners.filter((one) => removedMembers(one).some(isMe));
  const own = ofRepos.filter(
    ({ kind, name, repository }) => !isMe(parseRepo(repository).owner) && (kind === "teams" || isMe(name)),
  );
  const teams = own.length === 0 ? [] : present(await ifVisible(collect(call(http, ownTeamList, {}))));
  const teamsIn = (org: string) => teams.filter(({ organization }) => lower(organization?.name ?? "") === lower(org));
  const staysOwner = (org: string) =>
    teamsIn(org).some(isOwners) && !left.some(({ repository }) => lower(repository) === lower(org));
  const ended = own.flatMap((change): OwnRemoval[] => {
    const { kind, name, repository } = change;
    const { owner } = parseRepo(repository);
    if (staysOwner(owner)) return [];
    if (kind === "collaborators")
      return [{ change, what: `removes your right to administer ${repository} as a collaborator` }];
    const gives = teamsIn(owner).some((team) => lower(team.name) === lower(name) && team.permission === "admin");
    return gives ? [{ change, what: `removes your right to administer ${repository} as a member of ${name}` }] : [];
  });
  const owners = left.map((change) => ({ change, what: `removes you from the owners of ${change.repository}` }));
  return [...ended, ...owners];
}
