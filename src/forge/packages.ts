import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { type Infer, integer, nullable, serverRecord, string, time, using } from "../shape/shape.ts";
import { repository } from "./repos.ts";
import { person } from "./users.ts";

/** One version of a package. */
export const packageVersion = serverRecord(
  "a package",
  {
    id: integer,
    owner: nullable(person),
    repository: nullable(using(repository, "full_name")),
    creator: nullable(person),
    type: string,
    name: string,
    version: string,
    html_url: string,
    created_at: time,
  },
  ["id", "type", "name", "version"],
);

export type Package = Infer<typeof packageVersion>;

/** Packages of a user or an organization. */
export const packages = (http: Http) => ({
  ofOwner: (owner: string) => http.list(path`/packages/${owner}`, { items: packageVersion, unique: "id" }),
});
