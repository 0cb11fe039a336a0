import { json, nothing, status, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { boolean, type Infer, serverRecord } from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { organization, user, type visibilities } from "./users.ts";

/** The body of `PATCH /orgs/{org}`. Absent fields stay as they are. */
export interface EditOrgOption {
  readonly full_name?: string | undefined;
  readonly email?: string | undefined;
  readonly description?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly visibility?: (typeof visibilities)[number] | undefined;
  readonly repo_admin_change_team_access?: boolean | undefined;
}

/** The body of `POST /orgs` and `POST /admin/users/{username}/orgs`. */
export interface CreateOrgOption extends EditOrgOption {
  readonly username: string;
}

/** What a user may do in an organization. */
export const orgPermissions = serverRecord(
  "permissions in an organization",
  { is_owner: boolean, is_admin: boolean, can_write: boolean, can_read: boolean, can_create_repository: boolean },
  ["is_owner", "is_admin", "can_write", "can_read", "can_create_repository"],
);

export type OrgPermissions = Infer<typeof orgPermissions>;

/** Organizations (docs/server-differences.md, "Organizations and teams"). */
export function orgsApi(http: Http) {
  return {
    /** All organizations that the caller can see. */
    list: () => http.list(path`/orgs`, { items: organization, unique: "id" }),

    mine: () => http.list(path`/user/orgs`, { items: organization, unique: "id" }),

    get: (org: string) => http.get(path`/orgs/${org}`, { answers: json(organization) }),

    create: (body: CreateOrgOption) => http.post(path`/orgs`, { body, answers: json(organization) }),

    /** Reads the organization and sends all of its texts: Forgejo empties those that are absent. */
    async edit(org: string, body: EditOrgOption) {
      const { full_name, email, description, website, location } = await http.get(path`/orgs/${org}`, {
        answers: json(organization),
      });
      const texts = { full_name, email, description, website, location };
      return http.patch(path`/orgs/${org}`, { body: { ...texts, ...body }, answers: json(organization) });
    },

    /** 500 while it owns repositories. */
    delete: (org: string) => http.delete(path`/orgs/${org}`, { answers: nothing }),

    rename: (org: string, to: string) =>
      http.post(path`/orgs/${org}/rename`, {
        body: { new_name: to },
        answers: nothing,
        since: "1.24 and Forgejo 11.0",
      }),

    /** `image` is base64. The server answers 500 if it is not an image. */
    setAvatar: (org: string, image: string) =>
      http.post(path`/orgs/${org}/avatar`, { body: { image }, answers: nothing }),

    deleteAvatar: (org: string) => http.delete(path`/orgs/${org}/avatar`, { answers: nothing }),

    repos: (org: string) => http.list(path`/orgs/${org}/repos`, { items: repository, unique: "id" }),

    /** Deletes all repositories: 202 if that goes on in the background, 204 if there were none. */
    deleteRepos: (org: string) => http.delete(path`/orgs/${org}/repos`, { answers: status, since: "1.27" }),
  };
}

/** Members of organizations, who are the members of its teams. */
export function orgMembersApi(http: Http) {
  return {
    /** Public members only, if the caller is not a member. */
    list: (org: string) => http.list(path`/orgs/${org}/members`, { items: user, unique: "id" }),

    listPublic: (org: string) => http.list(path`/orgs/${org}/public_members`, { items: user, unique: "id" }),

    /** Redirects to the check of public members, if the caller is not a member. */
    check: (org: string, name: string) => http.get(path`/orgs/${org}/members/${name}`, { answers: yesNo }),

    checkPublic: (org: string, name: string) => http.get(path`/orgs/${org}/public_members/${name}`, { answers: yesNo }),

    permissions: (org: string, name: string) =>
      http.get(path`/users/${name}/orgs/${org}/permissions`, { answers: json(orgPermissions) }),

    /** Removes a user from all teams. 500 for the last owner. */
    remove: (org: string, name: string) => http.delete(path`/orgs/${org}/members/${name}`, { answers: nothing }),

    /** Forgejo allows this for oneself only. */
    publish: (org: string, name: string) => http.put(path`/orgs/${org}/public_members/${name}`, { answers: nothing }),

    conceal: (org: string, name: string) =>
      http.delete(path`/orgs/${org}/public_members/${name}`, { answers: nothing }),
  };
}
