import type { View } from "../http/route.ts";
import type { Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { userWire } from "../wire/accounts.ts";
import { repoWire } from "../wire/repos.ts";

/** A repository in which something happened, and who did it. */
export interface About {
  readonly view: View & { readonly currentUser: undefined };
  readonly repo: RepoRecord;
  readonly doer: UserRecord;
}

/** Background work is done in the name of the owner. */
export function aboutRepo(site: Site, repo: RepoRecord, actorId: number | undefined): About | undefined {
  const users = site.store.table("users");
  const doer = users.get(actorId ?? repo.ownerId) ?? users.get(repo.ownerId);
  return doer === undefined ? undefined : { view: { site, origin: site.root, currentUser: undefined }, repo, doer };
}

/** What every delivery has. */
export function common({ view, repo, doer }: About) {
  return { repository: repoWire(view, repo), sender: userWire(view, doer, "plain") };
}
