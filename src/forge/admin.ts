import { type Infer, integer, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { asName } from "./applied.ts";
import { operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";
import { organization } from "./users.ts";

/** A scheduled task of the server. */
export const cronTask = serverRecord("a cron task", {
  name: string,
  schedule: optional(string),
  next: optional(time),
  prev: optional(time),
  exec_times: optional(integer),
});

export type CronTask = Infer<typeof cronTask>;

/** An organization as administrators list them. */
export const listedOrganization = using(organization, "id", "name", "full_name", "visibility", "description");

export type ListedOrganization = Infer<typeof listedOrganization>;

export const cronTaskList = operation("GET", "/admin/cron", { answers: pagesOf(cronTask, { unique: "name" }) });

export const cronTaskRun = operation("POST", "/admin/cron/{task}", { undo: cannot.start });

export const allOrgList = operation("GET", "/admin/orgs", { answers: pagesOf(listedOrganization) });

/** Creates an organization that the user owns. */
export const userOrgCreate = operation("POST", "/admin/users/{username}/orgs", {
  answers: organization,
  applied: { reads: { username: asName(({ username, name }) => username ?? name) } },
});

/** Repositories on disk that the server does not know, as `OWNER/NAME`. */
export const unadoptedList = operation("GET", "/admin/unadopted", { answers: pagesOf(string) });

export const unadoptedAdopt = operation("POST", "/admin/unadopted/{owner}/{repo}");

/** Deletes the files of a repository that the server does not know. */
export const unadoptedDelete = operation("DELETE", "/admin/unadopted/{owner}/{repo}");
