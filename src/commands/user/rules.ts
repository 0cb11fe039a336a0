import { UsageError } from "../../failure/failure.ts";

/** The longest values that the servers take, by field (api-facts 7). */
export const longest = {
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

/** What the servers would refuse in a user name, or undefined (api-facts 1.8). */
export function wrongName(name: string): string | undefined {
  if (name === "") return "a user name cannot be empty";
  if (name.length > longest.username)
    return `a user name has at most ${longest.username} characters, this one ${name.length}`;
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return "a user name holds letters, digits, '-', '_' and '.' only";
  if (!/^[A-Za-z0-9]/.test(name)) return "a user name begins with a letter or a digit";
  if (/[._-]$/.test(name)) return "a user name ends with a letter or a digit";
  if (/[._-]{2}/.test(name)) return "a user name has no two of '-', '_', '.' in a row";
  if (reserved.has(name.toLowerCase())) return `the name ${name} is reserved`;
  if (/\.(keys|gpg|rss|atom|png)$/i.test(name))
    return `a user name cannot end with ${name.slice(name.lastIndexOf("."))}`;
  return undefined;
}

/** What the servers would refuse in a mail address, or undefined. */
export function wrongEmail(email: string): string | undefined {
  if (email === "") return "a mail address cannot be empty";
  if (email.length > longest.email) return `a mail address has at most ${longest.email} characters`;
  if (!/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(email) || email.startsWith("-")) {
    return `'${email}' is not a mail address`;
  }
  return undefined;
}

/** What the servers would refuse in a text field, or undefined. */
export function wrongLength(field: keyof typeof longest, value: string): string | undefined {
  const most = longest[field];
  return value.length > most ? `${field} has at most ${most} characters, this one ${value.length}` : undefined;
}

/** Throws a usage error for the first thing that is wrong. */
export function refuseWrong(...found: readonly (string | undefined)[]): void {
  const first = found.find((wrong) => wrong !== undefined);
  if (first !== undefined) throw new UsageError(first.charAt(0).toUpperCase() + first.slice(1));
}

/** RFC 3339. */
export const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** An instant as the API takes it: RFC 3339, or a date, which means its beginning in UTC. */
export function instant(typed: string, flag: string): string {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? `${typed}T00:00:00Z` : typed;
  if (!instantForm.test(full) || Number.isNaN(Date.parse(full))) {
    throw new UsageError(`${flag} wants a date or a time such as 2026-03-01T08:00:00Z, not '${typed}'`);
  }
  return full;
}
