import { listCommits, readCommit, readCommits } from "../git/commits.ts";
import { commitOf, noCommit } from "../git/refs.ts";
import { pathOf } from "../http/route.ts";
import { payloadCommit } from "../serializers/commits.ts";
import { issueJson } from "../serializers/issues.ts";
import { pullJson } from "../serializers/pulls.ts";
import { releaseJson } from "../serializers/repos.ts";
import type { RefsChanged, Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { JobRecord, RunRecord } from "../state/records/actions.ts";
import type { IssueRecord, PullRecord } from "../state/records/issues.ts";
import type { HookRecord, ReleaseRecord, RepoRecord } from "../state/records/repos.ts";
import type { FinishedWrite, RecordChange } from "../state/store.ts";
import { type About, aboutRepo, common, deliver, type Event, hooksFor } from "./deliver.ts";
import { followJob, runRequested } from "./run-events.ts";

/** Delivers what requests and background work change: issues, pull requests, releases, runs and jobs. */
export function watchForEvents(site: Site): void {
  site.store.watch((write) => {
    // Without hooks nothing is made, which is the usual case.
    if (site.table("hooks").all().length === 0) return;
    void eventsOfWrite(site, write).catch((error: unknown) => site.log(`webhooks: ${error}`));
  });
}

async function eventsOfWrite(site: Site, { changes, actorId }: FinishedWrite): Promise<void> {
  for (const change of changes) {
    const about = repoOf(site, change, actorId);
    if (about === undefined) continue;
    if (change.table === "issues") await issueEvents(about, change);
    if (change.table === "releases") releaseEvents(about, change);
    if (change.table === "runs" && change.before === undefined) {
      await runRequested(about, change.after as RunRecord);
    }
    if (change.table === "jobs" && change.after !== undefined) followJob(about, change.after as JobRecord);
  }
}

function repoOf(site: Site, { before, after }: RecordChange, actorId: number | undefined): About | undefined {
  const { repoId } = (after ?? before ?? {}) as { readonly repoId?: number };
  const repo = repoId === undefined ? undefined : site.table("repos").get(repoId);
  return repo === undefined ? undefined : aboutRepo(site, repo, actorId);
}

/** What happened to an issue or a pull request: an action, and the type that hooks select. */
interface Happened {
  readonly action: string;
  /** What follows `issue` or `pull_request`: `_label`; empty for the plain event. */
  readonly kind: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

async function issueEvents(about: About, change: RecordChange): Promise<void> {
  const [before, after] = [change.before as IssueRecord | undefined, change.after as IssueRecord | undefined];
  const issue = after ?? before;
  if (issue === undefined) return;
  const { view, repo } = about;
  const family = issue.pull === null ? "issues" : "pull_request";
  for (const { action, kind, more = {} } of happened(before, after)) {
    const type = kind === "" ? family : issue.pull === null ? `issue${kind}` : `pull_request${kind}`;
    const event = { repo, family, type };
    if (hooksFor(view.site, { ...event, body: {} }).length === 0) continue;
    const body =
      issue.pull === null
        ? { action, number: issue.index, ...more, issue: issueJson(view, issue), ...common(about), commit_id: "" }
        : {
            action,
            number: issue.index,
            ...more,
            pull_request: await pullJson(view, issue as PullRecord),
            requested_reviewer: null,
            ...common(about),
            commit_id: "",
            review: null,
          };
    deliver(view.site, { ...event, body });
  }
}

function happened(before: IssueRecord | undefined, after: IssueRecord | undefined): Happened[] {
  if (before === undefined) return [{ action: "opened", kind: "" }];
  if (after === undefined) return [{ action: "deleted", kind: "" }];
  const found: Happened[] = [];
  const changes = {
    ...(before.title === after.title ? {} : { title: { from: before.title } }),
    ...(before.body === after.body ? {} : { body: { from: before.body } }),
    ...(before.pull?.base === after.pull?.base ? {} : { ref: { from: before.pull?.base } }),
  };
  if (Object.keys(changes).length > 0) {
    const more = { changes: { ...changes, added_labels: null, removed_labels: null } };
    found.push({ action: "edited", kind: "", more });
  }
  if (before.state !== after.state) {
    found.push({ action: after.state === "closed" ? "closed" : "reopened", kind: "" });
  }
  if (String(before.labels) !== String(after.labels)) {
    found.push({ action: after.labels.length === 0 ? "label_cleared" : "label_updated", kind: "_label" });
  }
  if (String(before.assignees) !== String(after.assignees)) {
    const isNew = after.assignees.some((id) => !before.assignees.includes(id));
    found.push({ action: isNew ? "assigned" : "unassigned", kind: "_assign" });
  }
  if (before.milestoneId !== after.milestoneId) {
    found.push({ action: after.milestoneId === null ? "demilestoned" : "milestoned", kind: "_milestone" });
  }
  if (before.pull !== null && after.pull !== null && before.pull.headSha !== after.pull.headSha) {
    const more = { before: before.pull.headSha, after: after.pull.headSha };
    found.push({ action: "synchronized", kind: "_sync", more });
  }
  return found;
}

function releaseEvents(about: About, change: RecordChange): void {
  const [before, after] = [change.before as ReleaseRecord | undefined, change.after as ReleaseRecord | undefined];
  const release = after ?? before;
  if (release === undefined || (release.draft && after !== undefined)) return;
  const isNew = before === undefined || before.draft;
  const action = after === undefined ? "deleted" : isNew ? "published" : "updated";
  const { view, repo } = about;
  const body = { action, release: releaseJson(view, repo, release), ...common(about) };
  deliver(view.site, { repo, family: "release", type: "release", body });
}

/** How many commits a push has at most, as on a server with default settings. */
const maxCommits = 5;

/** Delivers pushes, and branches and tags that were created or deleted. */
export function deliverRefs(site: Site, { repo, doer, changes, renamed }: RefsChanged): void {
  const about = aboutRepo(site, repo, doer.id);
  if (about === undefined || site.table("hooks").all().length === 0) return;
  site.store.after(async () => {
    for (const { ref, from, to } of changes) {
      const [, kind = "", branch = ""] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
      if (kind === "") continue;
      const ref_type = kind === "heads" ? "branch" : "tag";
      const rest = { ref: branch, ref_type, ...common(about) };
      if (from === undefined && to !== undefined) {
        const body = { sha: to, ...rest };
        deliver(site, { repo, family: "create", type: "create", branch, body });
      }
      if (to === undefined) {
        const body = { ...rest, pusher_type: "user" };
        deliver(site, { repo, family: "delete", type: "delete", branch, body });
      }
      // Deleting or renaming a branch is not a push, deleting a tag is (docs/server-differences.md, "Hooks").
      if (renamed !== undefined || (to === undefined && kind === "heads")) continue;
      deliver(site, { repo, family: "push", type: "push", branch, body: await pushBody(about, { ref, from, to }) });
    }
  });
}

interface Pushed {
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

async function pushBody(about: About, { ref, from, to }: Pushed): Promise<Record<string, unknown>> {
  const { view, repo } = about;
  const { site } = view;
  const tip = to === undefined ? undefined : await commitOf(site, repo, to);
  const range =
    from === undefined
      ? [tip ?? "", "--not", `--exclude=${ref.replace("refs/heads/", "")}`, "--branches"]
      : [`${from}..${tip}`];
  const ids = tip === undefined ? [] : from === tip ? [tip] : await listCommits(site, repo, range);
  const commits = (await readCommits(site, repo, ids.slice(0, maxCommits))).map((one) =>
    payloadCommit(view, repo, one),
  );
  const head = tip === undefined ? null : payloadCommit(view, repo, await readCommit(site, repo, tip));
  const [before, after] = [from ?? noCommit, to ?? noCommit];
  const isCompared = from !== undefined && to !== undefined;
  const { sender, repository } = common(about);
  return {
    ref,
    before,
    after,
    compare_url: isCompared ? `${pathOf(view, repo).web}/compare/${before}...${after}` : "",
    commits,
    total_commits: ids.length,
    head_commit: head,
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
  const ref = named.startsWith("refs/") ? named : `refs/heads/${named === "" ? repo.default_branch : named}`;
  const tip = (await commitOf(site, repo, ref)) ?? (await commitOf(site, repo, repo.default_branch));
  if (about === undefined || tip === undefined) return;
  const event: Event = {
    repo,
    family: "push",
    type: "push",
    body: await pushBody(about, { ref, from: tip, to: tip }),
  };
  deliver(site, event, [hook]);
}
