import { type Infer, optional, serverRecord, string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";

/** A .gitignore template. */
export const gitignoreTemplate = serverRecord("a .gitignore template", { name: string, source: string });

/** A license in a list: the common ones. */
export const licenseEntry = serverRecord("a license", { key: string, name: optional(string) }, { url: string });

export type LicenseEntry = Infer<typeof licenseEntry>;

/** The text of a license. */
export const licenseTemplate = serverRecord(
  "a license",
  { body: string },
  { key: string, name: string, url: string, implementation: string },
);

export const gitignoreTemplateList = operation("GET", "/gitignore/templates", {
  answers: pagesOf(string, { unpaged: true }),
});

/** Names are case-sensitive. */
export const gitignoreTemplateGet = operation("GET", "/gitignore/templates/{name}", { answers: gitignoreTemplate });

export const licenseTemplateList = operation("GET", "/licenses", { answers: pagesOf(licenseEntry, { unpaged: true }) });

/** Names are case-sensitive. */
export const licenseTemplateGet = operation("GET", "/licenses/{name}", { answers: licenseTemplate });
