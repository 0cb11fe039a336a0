import { anything, boolean, type Infer, integer, list, map, nullable, optional, record, string } from "./shape.ts";

/** A team of an organization; `units` come in random order. */
export const team = record({
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
});

export type Team = Infer<typeof team>;
