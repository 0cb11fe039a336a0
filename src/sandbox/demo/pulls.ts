import { signatureOf } from "../git/commits.ts";
import { hunkAt } from "../git/diff.ts";
import { branchTip, changeRefs } from "../git/refs.ts";
import { commitPaths } from "../git/write.ts";
import type { Area } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import { closePull, openPull } from "../pulls/lifecycle.ts";
import { checkNow } from "../pulls/mergeability.ts";
import { deleteHead, mergeMessage, mergePull } from "../pulls/merging.ts";
import { newReview } from "../pulls/reviews.ts";
import { newStatus } from "../pulls/statuses.ts";
import type { Site } from "../site.ts";
import { newComment, openPulls } from "../state/issues.ts";
import type { PullRecord } from "../state/records/issues.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { repoAt } from "../state/repos.ts";
import { type DemoPull, demoPullData } from "./pull-data.ts";
import { type DemoUserName, demoUser } from "./seed.ts";

/**
 * Creates the pull requests of the demo project: merged, closed, mergeable, conflicting, a draft, and one from a fork.
 */
export const demoPulls: Area = {
  routes: [],
  async demo(site) {
    for (const [at, proposal] of demoPullData.entries()) {
      const then = timestamp(Date.parse(site.now()) - (demoPullData.length - at) * 500_000);
      await addPull({ ...site, now: () => then }, proposal);
    }
    for (const pull of openPulls(site.store)) await checkNow(site, pull);
  },
};

async function addPull(site: Site, proposal: DemoPull): Promise<void> {
  const { store } = site;
  const repo = demoRepo(site, "mara");
  const [owner, branch] = proposal.head.includes(":") ? proposal.head.split(":") : ["mara", proposal.head];
  const head = { repo: demoRepo(site, owner ?? ""), branch: branch ?? "" };
  if (proposal.files) await commit(site, head, proposal.by, proposal.title, proposal.files);
  const { labels = [], milestone, assignee } = proposal;
  const pull = await openPull(site, repo, {
    head,
    base: "main",
    issue: {
      posterId: demoUser(site, proposal.by).id,
      title: proposal.title,
      body: proposal.body ?? "",
      labels: store
        .table("labels")
        .filter((label) => label.repoId === repo.id && labels.includes(label.name))
        .map(({ id }) => id),
      milestoneId: store.table("milestones").find(({ title }) => title === milestone)?.id ?? null,
      assignees: assignee === undefined ? [] : [demoUser(site, assignee).id],
    },
  });
  addDiscussion(site, pull, proposal);
  if (proposal.review) await addReview(site, repo, pull, proposal.review);
  await mergeOrClose(site, repo, pull, proposal);
}

function demoRepo(site: Site, owner: string): RepoRecord {
  const repo = repoAt(site.store, owner, "harbor");
  if (repo === undefined) throw new Error(`the demo repository ${owner}/harbor does not exist`);
  return repo;
}

async function commit(
  site: Site,
  { repo, branch }: { readonly repo: RepoRecord; readonly branch: string },
  by: DemoUserName,
  title: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const main = await branchTip(site, repo, "main");
  const user = demoUser(site, by);
  const author = signatureOf(site, user);
  const paths = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  const message = `${title.replace(/^WIP: /, "")}\n`;
  const parents = main === undefined ? [] : [main];
  const to = await commitPaths(site, repo, paths, { parents, message, author, committer: author });
  await changeRefs(site, repo, user, [{ ref: `refs/heads/${branch}`, from: undefined, to }]);
}

function addDiscussion(site: Site, pull: PullRecord, { checks = {}, comments = [] }: DemoPull): void {
  const { repoId, index } = pull;
  for (const [context, status] of Object.entries(checks)) {
    const creatorId = demoUser(site, "mara").id;
    newStatus(site.store, site.now(), { repoId, sha: pull.pull.headSha, context, status, creatorId });
  }
  for (const [by, body] of comments) {
    newComment(site.store, site.now(), { repoId, index, posterId: demoUser(site, by).id, body });
  }
}

async function addReview(
  site: Site,
  repo: RepoRecord,
  { repoId, index, pull }: PullRecord,
  { by, state, body, line }: NonNullable<DemoPull["review"]>,
): Promise<void> {
  const { store } = site;
  const user = demoUser(site, by);
  const place = { repoId, index, userId: user.id, state, body, commit: pull.headSha, official: true };
  const review = newReview(store, site.now(), { ...place, commentId: store.nextId("comments") });
  if (line === undefined) return;
  const id = store.nextId("comments");
  const diff_hunk = await hunkAt(site, repo, [pull.mergeBase, pull.headSha], line.path, line.line);
  const about = { ...line, commit: pull.headSha, diff_hunk, created_at: site.now(), updated_at: site.now() };
  store.table("reviewComments").put({ id, reviewId: review.id, posterId: user.id, ...about });
}

async function mergeOrClose(
  site: Site,
  repo: RepoRecord,
  pull: PullRecord,
  { merged, closed }: DemoPull,
): Promise<void> {
  if (merged !== undefined) {
    const doer = demoUser(site, merged.by);
    const { style } = merged;
    const done = await mergePull(site, pull, doer, { style, message: mergeMessage(pull, style) });
    if (merged.deletes) await deleteHead(site, done, doer);
  }
  if (!closed) return;
  closePull(site, pull);
  const tip = await branchTip(site, repo, pull.pull.head);
  const poster = site.table("users").get(pull.posterId);
  if (tip === undefined || poster === undefined) return;
  await changeRefs(site, repo, poster, [{ ref: `refs/heads/${pull.pull.head}`, from: tip, to: undefined }]);
}
