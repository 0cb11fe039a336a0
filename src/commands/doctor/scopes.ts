import { firstReleases, sinceOfNeeds } from "../../forge/support.ts";
import { tokenGet } from "../../forge/tokens.ts";
import { type Finding, note, ok } from "./finding.ts";

/**
 * The areas of scopes (`read:issue`, `write:issue`), with the nouns and commands whose operations are in them
 * (docs/server-differences.md, "Tokens and signing in").
 */
export const scopeAreas = {
  repository: [
    ...["pr", "repo", "branch", "tag", "commit", "release", "file", "wiki", "compare", "browse", "policy"],
    ...["run", "workflow", "runner", "artifact", "variable", "secret", "hook"],
  ],
  issue: ["issue", "label", "milestone", "comment"],
  user: ["star", "follow", "ssh-key", "gpg-key", "oauth-app", "token", "quota"],
  organization: ["org", "team"],
  notification: ["notification", "status"],
  package: ["package"],
  misc: ["template", "render"],
  admin: ["admin", "user"],
} as const;

type Area = keyof typeof scopeAreas;

/** What writes in most commands needs. A token without the others may be meant so. */
const common: readonly Area[] = ["repository", "issue", "user"];

/** The areas in which no command writes. */
const readOnly: readonly Area[] = ["misc"];

/**
 * Compares the scopes of a token with the commands: which ones cannot work at all, and which ones can only read. The scopes
 * of administrators count for administrators only.
 */
export function scopeFindings(scopes: readonly string[] | undefined, isAdmin: boolean, signIn: string): Finding[] {
  const check = "scopes";
  if (scopes === undefined) {
    const since = sinceOfNeeds([tokenGet]) ?? {};
    return [note(check, `unknown: only ${firstReleases(since)} and newer report them`)];
  }
  const found = scopes.join(", ");
  if (scopes.includes("all")) return [ok(check, found)];
  const areas = (Object.keys(scopeAreas) as Area[]).filter((area) => area !== "admin" || isAdmin);
  const canWrite = (area: Area) => scopes.includes(`write:${area}`) || readOnly.includes(area);
  const canRead = (area: Area) => scopes.includes(`read:${area}`) || scopes.includes(`write:${area}`);
  const none = areas.filter((area) => !canRead(area));
  const reading = areas.filter((area) => canRead(area) && !canWrite(area));
  const wanted = [...none, ...reading].map((area) => `${readOnly.includes(area) ? "read" : "write"}:${area}`);
  const kept = scopes.filter((scope) => !wanted.includes(scope.replace("read:", "write:")));
  const fix = `tongs token create tongs --scope ${[...kept, ...wanted].join(",")}; ${signIn}`;
  const missing = common.filter((area) => !canWrite(area));
  const first =
    missing.length === 0
      ? ok(check, found)
      : note(check, `${found}; missing: ${missing.map((area) => `write:${area}`).join(", ")}`, fix);
  const commands = (which: readonly Area[]) => which.flatMap((area) => scopeAreas[area]).join(", ");
  return [
    first,
    ...(none.length === 0 ? [] : [note("commands", `the token has no access for: ${commands(none)}`, fix)]),
    ...(reading.length === 0 ? [] : [note("commands", `the token can only read with: ${commands(reading)}`, fix)]),
  ];
}
