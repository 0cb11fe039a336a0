import { createHmac, randomUUID } from "node:crypto";
import { contextPattern } from "../../text/glob.ts";
import { isLoopback } from "../http/loopback.ts";
import type { View } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import { repoJson } from "../serializers/repos.ts";
import type { Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { HookRecord, RepoRecord } from "../state/records/repos.ts";

/** Something that happened in a repository, as hooks deliver it. */
interface Event {
  readonly repo: RepoRecord;
  /** `X-Gitea-Event-Type`, which the events of a hook select. */
  readonly type: string;
  /** The branch or tag, for events that the branch filter selects. */
  readonly branch?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The active hooks that want an event: those of the repository, of its owner and of the server. */
function hooksFor({ table }: Site, { repo, type, branch }: Event): HookRecord[] {
  const places = { repository: repo.id, owner: repo.ownerId };
  return table("hooks").filter((hook) => {
    const isItsOwn = hook.level === "system" || (hook.level in places && hook.of === Object(places)[hook.level]);
    const isWanted = hook.active && (hook.type === "gitea" || hook.type === "gogs") && hook.events.includes(type);
    return isItsOwn && isWanted && (branch === undefined || contextPattern(hook.branch_filter || "**")(branch));
  });
}

/** The deliveries of each sandbox that are under way: one after the other, in the order of the events. */
const queues = new WeakMap<Site["store"], Promise<unknown>>();

/** Delivers an event to hooks, in the background. A receiver that fails is only logged. */
export function deliver(site: Site, event: Event, hooks: readonly HookRecord[] = hooksFor(site, event)): void {
  for (const hook of hooks) {
    const before = queues.get(site.store) ?? Promise.resolve();
    const next = before.then(() => send(site, hook, event));
    queues.set(
      site.store,
      next.catch((error: unknown) => site.log(`webhook ${hook.id}: ${error}`)),
    );
  }
}

async function send(site: Site, hook: HookRecord, { type, body }: Event): Promise<void> {
  const url = hook.config["url"] ?? "";
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")))
    throw new Error(`not delivered: ${url} is not on loopback`);
  const payload = JSON.stringify(body, null, 2);
  const isForm = hook.config["content_type"] === "form";
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(5000),
    body: isForm ? new URLSearchParams({ payload }).toString() : payload,
    headers: {
      "Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      ...eventHeaders(hook, type, payload),
    },
  });
  await response.body?.cancel();
  site.log(`webhook ${hook.id}: ${type} delivered, ${response.status}`);
}

/** The headers of a delivery, under the names of several forges (docs/server-differences.md, "Hooks"). */
function eventHeaders(hook: HookRecord, type: string, payload: string): Record<string, string> {
  const { secret = "", authorization = "" } = hook;
  const sign = (algorithm: string) =>
    secret === "" ? "" : createHmac(algorithm, secret).update(payload).digest("hex");
  const [delivery, sha256] = [randomUUID(), sign("sha256")];
  const target = hook.level === "owner" ? "organization" : hook.level;
  const named = ["GitHub", "Gitea", "Gogs"].flatMap((forge) => [
    [`X-${forge}-Delivery`, delivery],
    [`X-${forge}-Event`, type.replace(/_sync$/, "")],
    [`X-${forge}-Event-Type`, type],
  ]);
  return {
    ...Object.fromEntries(named),
    "X-GitHub-Hook-Installation-Target-Type": target,
    "X-Gitea-Hook-Installation-Target-Type": target,
    "X-Gitea-Signature": sha256,
    "X-Gogs-Signature": sha256,
    "X-Hub-Signature": secret && `sha1=${sign("sha1")}`,
    "X-Hub-Signature-256": secret && `sha256=${sha256}`,
    ...(authorization === "" ? {} : { Authorization: authorization }),
  };
}

/** A repository in which something happened, and who did it. */
export interface About {
  readonly view: View & { readonly currentUser: undefined };
  readonly repo: RepoRecord;
  readonly doer: UserRecord;
}

/** Background work is done in the name of the owner. */
export function aboutRepo(site: Site, repo: RepoRecord | undefined, actorId: number | undefined): About | undefined {
  const users = site.table("users");
  const doer = users.get(actorId ?? 0) ?? users.get(repo?.ownerId ?? 0);
  return repo && doer && { view: { site, origin: site.root, currentUser: undefined }, repo, doer };
}

/** What every delivery has. */
export function common({ view, repo, doer }: About) {
  return { repository: repoJson(view, repo), sender: userJson(view, doer, "plain") };
}
