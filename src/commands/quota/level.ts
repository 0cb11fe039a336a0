import { pagePath } from "../../app/web.ts";
import { text } from "../../command/flags.ts";

/** Whose quota it is. */
export const orgFlag = text("of an organization, instead of your account", {
  placeholder: "ORG",
  source: "organization",
});

/** The level of a quota: an organization's, or your own. */
export function quotaLevel(org: string | undefined) {
  return org === undefined ? ({ of: "user" } as const) : ({ of: "organization", org } as const);
}

/** The page of what is stored. */
export function storagePage({ flags: { org } }: { readonly flags: { readonly org: string | undefined } }): string {
  const page = "settings/storage_overview";
  return org === undefined ? pagePath("user", page) : pagePath("org", org, page);
}
