import { type Infer, integer, nullable, record, string, time } from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { user } from "./users.ts";

/** One version of a package. */
export const packageVersion = record({
  id: integer,
  owner: nullable(user),
  repository: nullable(repository),
  creator: nullable(user),
  type: string,
  name: string,
  version: string,
  html_url: string,
  created_at: time,
});

export type Package = Infer<typeof packageVersion>;
