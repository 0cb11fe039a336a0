import type { Signature } from "../git/commits.ts";
import type { Site } from "../site.ts";
import type { UserRecord } from "../state/users.ts";

/** How a user signs commits that the server makes. */
export function signatureOf(site: Pick<Site, "now">, user: UserRecord): Signature {
  const email = user.hide_email ? `${user.id}+${user.name.toLowerCase()}@noreply.localhost` : user.email;
  return { name: user.full_name || user.name, email, date: site.now() };
}
