import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  map,
  nullable,
  optional,
  serverRecord,
  string,
} from "../shape/shape.ts";

/** A team of an organization; `units` have no fixed order. */
export const team = serverRecord(
  "a team",
  {
    id: integer,
    name: string,
    description: string,
    organization: nullable(anything),
    includes_all_repositories: boolean,
    permission: string,
    units: nullable(list(string)),
    units_map: nullable(map(string)),
    can_create_org_repo: boolean,
    visibility: optional(string),
  },
  ["name"],
);

export type Team = Infer<typeof team>;

/** Teams of organizations. */
export const teams = (http: Http) => ({
  /** For members of the organization; 404 if the name is a user. */
  ofOrg: (org: string) => http.list(path`/orgs/${org}/teams`, { items: team, unique: "id" }),
});
