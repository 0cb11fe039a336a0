import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
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

/** Packages of a user or an organization. */
export const packages = (http: Http) => ({
  ofOwner: (owner: string) => http.list<Package>(path`/packages/${owner}`, { unique: "id" }),
});
