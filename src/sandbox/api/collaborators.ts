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
import { fail, found, listed, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import type { RepoAt, Site } from "../site.ts";
import { hasRepo, teamsOf, userNamed } from "../state/accounts.ts";
import { byName } from "../state/order.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { membership, presence, usersOf } from "./members.ts";

const signedIn = { repo: "any", signedIn: true } as const;
const asAdmin = { repo: "any", signedIn: true, right: "admin" } as const;

/** Collaborators of a repository. */
export const collaborators: Area = [
  route(collaboratorList, signedIn, (call) => {
    const here = call.table("collaborations").filter(({ repoId }) => repoId === call.repo.id);
    const ids = here.map(({ userId }) => userId);
    return listReply(call, usersOf(call, ids), userJson, "total");
  }),
  membership(signedIn, asAdmin, (call) => collaboration(call), {
    check: collaboratorCheck,
    remove: collaboratorRemove,
  }),
  route(collaboratorAdd, asAdmin, (call) => {
    collaboration(call, call.body.permission || "write").set(true);
  }),
  route(collaboratorPermissionGet, signedIn, permission),
  route(assigneeList, signedIn, (call) => listed(call, assignable(call), userJson)),
  route(reviewerList, signedIn, (call) => listed(call, people(call.site, call.repo), userJson)),
];

function collaboration(call: Call<typeof signedIn>, access = "write") {
  const name = call.param("collaborator");
  const { id: userId } = userNamed(call.site.store, name) ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`);
  if (access !== "read" && access !== "write" && access !== "admin") fail(`invalid permission ${access}`);
  const repoId = call.repo.id;
  return presence(call.table("collaborations"), `${repoId}/${userId}`, { repoId, userId, access });
}

/** Users who can be assigned: those with write access, sorted by name. */
export function assignable({ site, repo }: RepoAt): UserRecord[] {
  const mayWrite = (user: UserRecord) => accessTo(site, { ...user, is_admin: false }, repo).atLeast("write", "pulls");
  return people(site, repo).filter(mayWrite);
}

/** Users who can be asked for a review: the owner, collaborators and team members, sorted by name. */
function people({ store }: Site, repo: RepoRecord): UserRecord[] {
  const isIn = ({ id }: UserRecord) =>
    id === repo.ownerId ||
    store.table("collaborations").get(`${repo.id}/${id}`) !== undefined ||
    teamsOf(store, repo.ownerId, id).some((team) => hasRepo(team, repo));
  return store
    .table("users")
    .filter((user) => user.kind === "person" && isIn(user))
    .sort(byName);
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
  return { permission: level, role_name: level, user: userJson({ ...call, currentUser: call.owner }, user) };
}
