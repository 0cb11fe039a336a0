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
