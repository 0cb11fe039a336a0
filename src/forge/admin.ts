import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import type { CreateOrgOption } from "./orgs.ts";
import { organization } from "./users.ts";

/** A scheduled task of the server. */
export const cronTask = serverRecord(
  "a cron task",
  {
    name: string,
    schedule: optional(string),
    next: optional(time),
    prev: optional(time),
    exec_times: optional(integer),
  },
  ["name", "schedule", "next", "prev", "exec_times"],
);

export type CronTask = Infer<typeof cronTask>;

/** An organization as administrators list them. */
export const listedOrganization = using(organization, "id", "name", "full_name", "visibility", "description");

export type ListedOrganization = Infer<typeof listedOrganization>;

/** Server administration. Needs an administrator account and the scope `admin`. */
export function adminApi(http: Http) {
  return {
    cronTasks: () => http.list(path`/admin/cron`, { items: cronTask, unique: "name" }),

    runCronTask: (name: string) => http.post(path`/admin/cron/${name}`, { answers: nothing }),

    organizations: () => http.list(path`/admin/orgs`, { items: listedOrganization, unique: "id" }),

    /** Creates an organization that `owner` owns. */
    createOrganization: (owner: string, body: CreateOrgOption) =>
      http.post(path`/admin/users/${owner}/orgs`, { body, answers: json(organization) }),

    /** Repositories on disk that the server does not know, as `OWNER/NAME`. */
    unadopted: () => http.list(path`/admin/unadopted`, { items: string }),

    adopt: ({ owner, name }: RepoName) => http.post(path`/admin/unadopted/${owner}/${name}`, { answers: nothing }),

    /** Deletes the files of a repository that the server does not know. */
    deleteUnadopted: ({ owner, name }: RepoName) =>
      http.delete(path`/admin/unadopted/${owner}/${name}`, { answers: nothing }),
  };
}
