import { branchTip } from "../git/refs.ts";
import type { Site } from "../site.ts";
import { type IssueRecord, newIssue } from "../state/issues.ts";
import type { PullRecord } from "../state/pulls.ts";
import type { RepoRecord } from "../state/repos.ts";
import { type Head, keepHead } from "./heads.ts";
import { checkNow, startOf } from "./mergeability.ts";

export interface Proposal {
  readonly head: Head;
  readonly base: string;
  readonly allowsMaintainers?: boolean | undefined;
  readonly issue: Partial<IssueRecord> & Pick<IssueRecord, "posterId" | "title">;
}

/** Opens a pull request between branches that are known to be there, and checks it at once. */
export async function openPull(site: Site, repo: RepoRecord, proposal: Proposal): Promise<PullRecord> {
  const { head, base } = proposal;
  const headSha = await branchTip(site, head.repo, head.branch);
  if (headSha === undefined) throw new Error(`no branch ${head.branch}`);
  const issue = newIssue(site.store, site.now(), { ...proposal.issue, repoId: repo.id });
  await keepHead(site, repo, issue.index, head.repo, headSha);
  const baseSha = (await branchTip(site, repo, base)) ?? headSha;
  return checkNow(site, {
    ...issue,
    pull: {
      id: site.store.nextId("pulls"),
      base,
      headRepoId: head.repo.id,
      head: head.branch,
      headSha,
      mergeBase: await startOf(site, repo, baseSha, headSha),
      check: { result: "mergeable", protectedFiles: [], range: "", dueSince: null },
      allowsMaintainers: proposal.allowsMaintainers ?? repo.settings.default_allow_maintainer_edit,
      merged: null,
      schedule: null,
    },
  });
}
