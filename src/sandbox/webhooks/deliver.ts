import { createHmac, randomUUID } from "node:crypto";
import { contextPattern } from "../../text/glob.ts";
import { listCommits, readCommit, readCommits } from "../git/commits.ts";
import { commitOf, noCommit } from "../git/refs.ts";
import { isLoopback } from "../http/answer.ts";
import { pathOf, type View } from "../http/route.ts";
import { userJson } from "../serializers/accounts.ts";
import { payloadCommit } from "../serializers/commits.ts";
import { issueJson } from "../serializers/issues.ts";
import { pullJson } from "../serializers/pulls.ts";
import { releaseJson, repoJson } from "../serializers/repos.ts";
import type { RefChange, RefsChanged, Site } from "../site.ts";
import { isPull } from "../state/issues.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { IssueRecord } from "../state/records/issues.ts";
import type { HookRecord, ReleaseRecord, RepoRecord } from "../state/records/repos.ts";
import type { FinishedWrite } from "../state/store.ts";

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

/** Delivers what requests and background work change of issues, pull requests and releases. */
export function watchForEvents(site: Site): void {
  site.store.watch((write) => {
    // Without hooks nothing is made, which is the usual case.
    if (site.table("hooks").all().length === 0) return;
    eventsOfWrite(site, write).catch((error: unknown) => site.log(`webhooks: ${error}`));
  });
}

async function eventsOfWrite(site: Site, { changes, actorId }: FinishedWrite): Promise<void> {
  for (const { table, before, after } of changes) {
    const { repoId = 0 } = (after ?? before ?? {}) as { readonly repoId?: number };
    const about = aboutRepo(site, site.table("repos").get(repoId), actorId);
    if (about === undefined) continue;
    if (table === "issues")
      await issueEvent(about, before as IssueRecord | undefined, after as IssueRecord | undefined);
    if (table === "releases")
      releaseEvent(about, before as ReleaseRecord | undefined, after as ReleaseRecord | undefined);
  }
}

async function issueEvent(about: About, before: IssueRecord | undefined, after: IssueRecord | undefined) {
  const issue = after ?? before;
  const action = issueAction(before, after);
  if (issue === undefined || action === undefined) return;
  const { view, repo } = about;
  const from = (name: "title" | "body") =>
    before?.[name] === after?.[name] ? {} : { [name]: { from: before?.[name] } };
  const edited = { ...from("title"), ...from("body"), added_labels: null, removed_labels: null };
  const heads = { before: before?.pull?.headSha, after: after?.pull?.headSha };
  const more = action === "edited" ? { changes: edited } : action === "synchronized" ? heads : {};
  const body = { action, number: issue.index, ...more, ...common(about), commit_id: "" };
  if (!isPull(issue))
    return deliver(view.site, { repo, type: "issues", body: { ...body, issue: issueJson(view, issue) } });
  const type = action === "synchronized" ? "pull_request_sync" : "pull_request";
  const pull_request = await pullJson(view, issue);
  deliver(view.site, { repo, type, body: { ...body, pull_request, requested_reviewer: null, review: null } });
}

function issueAction(before: IssueRecord | undefined, after: IssueRecord | undefined): string | undefined {
  if (before === undefined || after === undefined) return after === undefined ? "deleted" : "opened";
  if (before.state !== after.state) return after.state === "closed" ? "closed" : "reopened";
  if (before.title !== after.title || before.body !== after.body) return "edited";
  return before.pull?.headSha === after.pull?.headSha ? undefined : "synchronized";
}

function releaseEvent(about: About, before: ReleaseRecord | undefined, after: ReleaseRecord | undefined): void {
  const release = after ?? before;
  if (release === undefined || after?.draft) return;
  const action = after === undefined ? "deleted" : before === undefined || before.draft ? "published" : "updated";
  const { view, repo } = about;
  const body = { action, release: releaseJson(view, repo, release), ...common(about) };
  deliver(view.site, { repo, type: "release", body });
}

/** Delivers pushes, and branches and tags that were created or deleted. */
export function deliverRefs(site: Site, { repo, doer, changes, renamed }: RefsChanged): void {
  const about = aboutRepo(site, repo, doer.id);
  if (about === undefined || site.table("hooks").all().length === 0) return;
  site.store.after(async () => {
    for (const change of changes) {
      const { ref, from, to } = change;
      const [, kind, branch = ""] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
      if (kind === undefined) continue;
      const rest = { ref: branch, ref_type: kind === "heads" ? "branch" : "tag", ...common(about) };
      if (from === undefined) deliver(site, { repo, type: "create", branch, body: { sha: to, ...rest } });
      if (to === undefined) deliver(site, { repo, type: "delete", branch, body: { ...rest, pusher_type: "user" } });
      // Deleting or renaming a branch is not a push, deleting a tag is (docs/server-differences.md, "Hooks").
      if (renamed !== undefined || (to === undefined && kind === "heads")) continue;
      deliver(site, { repo, type: "push", branch, body: await pushBody(about, change) });
    }
  });
}

/** The body of a push, which has five commits at most, as on a server with default settings. */
async function pushBody(about: About, { ref, from, to }: RefChange): Promise<Record<string, unknown>> {
  const { view, repo } = about;
  const { site } = view;
  const tip = to === undefined ? undefined : await commitOf({ site, repo }, to);
  const others = ["--not", `--exclude=${ref.replace("refs/heads/", "")}`, "--branches"];
  const range = from === undefined ? [tip ?? "", ...others] : [`${from}..${tip}`];
  const ids = tip === undefined ? [] : from === tip ? [tip] : await listCommits({ site, repo }, range);
  const commits = await readCommits({ site, repo }, ids.slice(0, 5));
  const [before, after] = [from ?? noCommit, to ?? noCommit];
  const { sender, repository } = common(about);
  return {
    ref,
    before,
    after,
    compare_url: from && to ? `${pathOf(view, repo).web}/compare/${before}...${after}` : "",
    commits: commits.map((one) => payloadCommit(view, repo, one)),
    total_commits: ids.length,
    head_commit: tip === undefined ? null : payloadCommit(view, repo, await readCommit({ site, repo }, tip)),
    repository,
    pusher: sender,
    sender,
  };
}

/** Delivers a push of the tip of a branch to one hook, whatever its events are. */
export async function deliverTest(
  site: Site,
  hook: HookRecord,
  { repo, doer, ref: named }: { readonly repo: RepoRecord; readonly doer: UserRecord; readonly ref: string },
): Promise<void> {
  const about = aboutRepo(site, repo, doer.id);
  const ref = named.startsWith("refs/") ? named : `refs/heads/${named || repo.default_branch}`;
  const tip = (await commitOf({ site, repo }, ref)) ?? (await commitOf({ site, repo }, repo.default_branch));
  if (about === undefined || tip === undefined) return;
  deliver(site, { repo, type: "push", body: await pushBody(about, { ref, from: tip, to: tip }) }, [hook]);
}
