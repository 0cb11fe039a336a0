import type { Http } from "../http/client.ts";
import { releaseOf } from "./support.ts";

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

/** The names that all servers reserve. */
export const reservedNames: ReadonlySet<string> = new Set(
  (
    ". .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore " +
    "issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json ghost gitea-actions"
  ).split(" "),
);

/** Those that Forgejo reserves besides. */
export const reservedOnForgejo: ReadonlySet<string> = new Set(["admin", "report_abuse", "forgejo-actions"]);

/** Whether only some servers reserve a username, so that `reservedProblem` asks which one it is. */
export function isReservedOnSome(name: string): boolean {
  return reservedOnForgejo.has(name.toLowerCase());
}

/** Why this server would reject a username that others accept. */
export async function reservedProblem(http: Http, name: string): Promise<string | undefined> {
  if (!isReservedOnSome(name)) return undefined;
  return releaseOf((await http.version()) ?? "")?.product === "forgejo" ? isReserved(name) : undefined;
}

const isReserved = (name: string) => `username '${name}' is reserved`;

/** Why the servers would reject a username, or undefined (docs/server-differences.md, "Users: accounts"). */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "username cannot be empty";
  if (name.length > maxLength.username)
    return `username must be at most ${maxLength.username} characters, not ${name.length}`;
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return "username can only contain letters, digits, '-', '_' and '.'";
  if (!/^[A-Za-z0-9]/.test(name)) return "username must start with a letter or digit";
  if (/[._-]$/.test(name)) return "username must end with a letter or digit";
  if (/[._-]{2}/.test(name)) return "username cannot contain two of '-', '_' and '.' in a row";
  if (reservedNames.has(name.toLowerCase())) return isReserved(name);
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

/** Why the servers would reject the value of a field of an account, or undefined. */
export function fieldProblem(field: string, value: string): string | undefined {
  if (field === "username") return nameProblem(value);
  if (field === "email") return emailProblem(value);
  const max = new Map<string, number>(Object.entries(maxLength)).get(field) ?? Number.POSITIVE_INFINITY;
  return value.length > max ? `${field} must be at most ${max} characters, not ${value.length}` : undefined;
}
