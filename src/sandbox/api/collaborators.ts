import {
  collaboratorAdd,
  collaboratorCheck,
  collaboratorList,
  collaboratorPermissionGet,
  collaboratorRemove,
} from "../../forge/collaborators.ts";
import { assigneeList, reviewerList } from "../../forge/repos.ts";
import { accessTo } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { empty, fail, found, json, listed, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { isBlocked, teamsOf, userNamed } from "../state/accounts.ts";
import type { AccessLevel, UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";

const signedIn = { repo: "any", signedIn: true } as const;
const asAdmin = { repo: "any", signedIn: true, right: "admin" } as const;

/** Collaborators of a repository. */
export const collaborators: Area = {
  routes: [
    route(collaboratorList, signedIn, (call) =>
      listReply(call, collaboratorsOf(call.site, call.repo), userJson, "total"),
    ),
    route(collaboratorCheck, signedIn, (call) => {
      const user = findUser(call);
      return call.table("collaborations").get(`${call.repo.id}/${user.id}`) ? empty(204) : notFound();
    }),
    route(collaboratorAdd, asAdmin, (call) => {
      const user = findUser(call);
      if (isBlocked(call.site.store, call.repo.ownerId, user.id)) refuse(403, "user is blocked");
      const access = parsePermission(call.body.permission);
      call.table("collaborations").put({ repoId: call.repo.id, userId: user.id, access });
      return empty(204);
    }),
    route(collaboratorRemove, asAdmin, (call) => {
      call.table("collaborations").delete(`${call.repo.id}/${findUser(call).id}`);
      return empty(204);
    }),
    route(collaboratorPermissionGet, signedIn, permission),
    route(assigneeList, signedIn, (call) => listed(call, assignable(call.site, call.repo), userJson)),
    route(reviewerList, signedIn, (call) => listed(call, reviewers(call.site, call.repo), userJson)),
  ],
};

function findUser(call: Call): UserRecord {
  const name = call.param("collaborator");
  const user = userNamed(call.site.store, name);
  return user ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`);
}

function parsePermission(word: string | undefined): AccessLevel {
  if (word === undefined || word === "") return "write";
  if (word === "read" || word === "write" || word === "admin") return word;
  fail(`invalid permission ${word}`);
}

function collaboratorsOf({ store }: Site, repo: RepoRecord): UserRecord[] {
  return store
    .table("collaborations")
    .filter(({ repoId }) => repoId === repo.id)
    .flatMap(({ userId }) => store.table("users").get(userId) ?? []);
}

/** Users who can be assigned: those with write access, sorted by name. */
export function assignable(site: Site, repo: RepoRecord): UserRecord[] {
  return people(site, repo, (user) => accessTo(site, { ...user, is_admin: false }, repo).atLeast("write", "pulls"));
}

/** Users who can be asked for a review: the owner, collaborators and team members, sorted by name. */
function reviewers(site: Site, repo: RepoRecord): UserRecord[] {
  return people(site, repo, () => true);
}

function people(site: Site, repo: RepoRecord, fits: (user: UserRecord) => boolean): UserRecord[] {
  const { store } = site;
  const isCollaborator = (user: UserRecord) => store.table("collaborations").get(`${repo.id}/${user.id}`) !== undefined;
  const isInTeam = (user: UserRecord) =>
    teamsOf(store, repo.ownerId, user.id).some(
      (team) => team.includes_all_repositories || team.repos.includes(repo.id),
    );
  return store
    .table("users")
    .filter((user) => user.kind === "person" && (user.id === repo.ownerId || isCollaborator(user) || isInTeam(user)))
    .filter(fits)
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
}

function permission(call: Call<typeof signedIn>) {
  const { currentUser, site, repo, access } = call;
  const name = call.param("collaborator");
  if (!currentUser.is_admin && currentUser.name.toLowerCase() !== name.toLowerCase() && !access.atLeast("admin")) {
    refuse(
      403,
      "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own",
    );
  }
  const user = found(userNamed(site.store, name), `user does not exist [uid: 0, name: ${name}]`);
  // Gitea shows the user as to the owner of the repository, whoever asks.
  const { level } = accessTo(site, user, repo);
  return json(200, { permission: level, role_name: level, user: userJson({ ...call, currentUser: call.owner }, user) });
}
