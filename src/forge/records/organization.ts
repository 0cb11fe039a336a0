import { boolean, type Infer, integer, record, string, words } from "./shape.ts";
import { visibilities } from "./user.ts";

/** An organization. */
export const organization = record({
  id: integer,
  name: string,
  full_name: string,
  email: string,
  avatar_url: string,
  description: string,
  website: string,
  location: string,
  visibility: words(...visibilities),
  repo_admin_change_team_access: boolean,
  username: string,
});

export type Organization = Infer<typeof organization>;
