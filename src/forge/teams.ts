import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { Team } from "./records/team.ts";

/** Teams of organizations. */
export const teams = (http: Http) => ({
  /** For members; 404 for a user in place of an organization. */
  ofOrg: (org: string) => http.list<Team>(path`/orgs/${org}/teams`, { unique: "id" }),
});
