import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { type Infer, optional, serverRecord, string } from "../shape/shape.ts";

/** A .gitignore template. */
export const gitignoreTemplate = serverRecord("a .gitignore template", { name: string, source: string }, [
  "name",
  "source",
]);

/** A license in a list: the common ones. */
export const licenseEntry = serverRecord("a license", { key: string, name: optional(string), url: string }, [
  "key",
  "name",
]);

export type LicenseEntry = Infer<typeof licenseEntry>;

/** The text of a license. */
export const licenseTemplate = serverRecord(
  "a license",
  { key: string, name: string, url: string, implementation: string, body: string },
  ["body"],
);

/** The templates of a server for new repositories. Names are case-sensitive. */
export function templatesApi(http: Http) {
  return {
    gitignores: () => http.list(path`/gitignore/templates`, { items: string, unpaged: true }),

    gitignore: (name: string) => http.get(path`/gitignore/templates/${name}`, { answers: json(gitignoreTemplate) }),

    licenses: () => http.list(path`/licenses`, { items: licenseEntry, unpaged: true }),

    license: (name: string) => http.get(path`/licenses/${name}`, { answers: json(licenseTemplate) }),
  };
}
