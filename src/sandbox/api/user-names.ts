import { refuse } from "../http/refusal.ts";
import type { Store } from "../state/store.ts";
import { userNamed } from "../state/users.ts";

const reserved =
  ". .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore issues " +
  "pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json openapi3.v1.json " +
  "ghost gitea-actions";
const reservedNames = new Set(reserved.split(" "));
const reservedEndings = [".keys", ".gpg", ".rss", ".atom", ".png"];

/** Refuses (422) a name that no new user or organization can have: malformed, reserved, or taken. */
export function checkUserName(store: Store, name: string): void {
  if (!/^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$/.test(name) && !reservedNames.has(name)) {
    refuse(422, `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`);
  }
  const lower = name.toLowerCase();
  if (reservedNames.has(lower)) refuse(422, `name is reserved [name: ${name}]`);
  const ending = reservedEndings.find((one) => lower.endsWith(one));
  if (ending !== undefined) refuse(422, `name pattern is not allowed [pattern: *${ending}]`);
  if (userNamed(store, name)) refuse(422, `user already exists [name: ${name}]`);
}
