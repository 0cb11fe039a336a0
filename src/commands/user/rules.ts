import { UsageError } from "../../failure/failure.ts";
import { capitalized } from "../../text/format.ts";

/** The maximum lengths of fields on the servers (docs/server-differences.md, "Users: accounts"). */
export const maxLength = {
  username: 40,
  full_name: 100,
  email: 254,
  password: 255,
  website: 255,
  location: 50,
  description: 255,
} as const;

const reserved = new Set(
  (
    ". .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore " +
    "issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json ghost"
  ).split(" "),
);

/** Why the servers would reject a username, or undefined (docs/server-differences.md, "Users: accounts"). */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "username cannot be empty";
  if (name.length > maxLength.username)
    return `username must be at most ${maxLength.username} characters, not ${name.length}`;
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return "username can only contain letters, digits, '-', '_' and '.'";
  if (!/^[A-Za-z0-9]/.test(name)) return "username must start with a letter or digit";
  if (/[._-]$/.test(name)) return "username must end with a letter or digit";
  if (/[._-]{2}/.test(name)) return "username cannot contain two of '-', '_' and '.' in a row";
  if (reserved.has(name.toLowerCase())) return `username '${name}' is reserved`;
  if (/\.(keys|gpg|rss|atom|png)$/i.test(name)) return `username cannot end with ${name.slice(name.lastIndexOf("."))}`;
  return undefined;
}

/** Why the servers would reject an email address, or undefined. */
export function emailProblem(email: string): string | undefined {
  if (email === "") return "email address cannot be empty";
  if (email.length > maxLength.email) return `email address must be at most ${maxLength.email} characters`;
  if (!/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(email) || email.startsWith("-")) {
    return `'${email}' is not a valid email address`;
  }
  return undefined;
}

/** Why the servers would reject the length of a field, or undefined. */
export function lengthProblem(field: keyof typeof maxLength, value: string): string | undefined {
  const max = maxLength[field];
  return value.length > max ? `${field} must be at most ${max} characters, not ${value.length}` : undefined;
}

/** Throws a usage error for the first problem. */
export function rejectProblems(...problems: readonly (string | undefined)[]): void {
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) throw new UsageError(capitalized(first));
}

/** A time in RFC 3339. */
export const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Converts a time to RFC 3339; a date is its start in UTC. Throws a usage error that names the flag. */
export function parseTime(typed: string, flag: string): string {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00Z` : typed;
  if (!rfc3339.test(full) || Number.isNaN(Date.parse(full))) {
    throw new UsageError(`${flag} must be a date or a time such as 2026-03-01T08:00:00Z, not '${typed}'`);
  }
  return full;
}
