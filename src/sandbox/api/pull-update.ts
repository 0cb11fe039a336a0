import { behind, mergeCommits, rebaseCommits } from "../git/merge.ts";
import { branchTip, changeRefs } from "../git/refs.ts";
import { Refusal, refuse } from "../http/refusal.ts";
import { empty, type Reply } from "../http/reply.ts";
import { type Call, post } from "../http/route.ts";
import { borrow } from "../pulls/heads.ts";
import { mayUpdate } from "../pulls/update-rights.ts";
import type { Area } from "../site.ts";
import { asked, pullsPath, writing } from "./pull-needs.ts";
import { signatureOf } from "./signature.ts";

export const pullUpdating: Area = {
  routes: [post(`${pullsPath}/{index}/update`, writing, update)],
};

/** Brings the base's commits into the head: by a merge, unless `style=rebase`. An up-to-date head is 500 on the servers. */
async function update(call: Call<typeof writing>): Promise<Reply> {
  const { site, repo, me, query } = call;
  const issue = asked(call);
  const { pull } = issue;
  if (pull.merged !== null) refuse(422, "pull request is already merged");
  if (issue.state === "closed") refuse(422, "pull request is already closed");
  const style = query.get("style") === "rebase" ? "rebase" : "merge";
  const head = pull.headRepoId === null ? undefined : site.store.table("repos").get(pull.headRepoId);
  if (head && !mayUpdate(site, issue, head, me, style)) throw new Refusal(403, "", "none");
  const base = await branchTip(site, repo, pull.base);
  const tip = head && (await branchTip(site, head, pull.head));
  if (!head || !tip || !base)
    throw new Refusal(500, `branch does not exist [repo_id: ${head?.id ?? 0} name: ${pull.head}]`);
  await borrow(site, repo, head, base);
  if ((await behind(site, head, base, tip)) === 0)
    throw new Refusal(500, `HeadBranch of PR ${issue.index} is up to date`);
  const doer = signatureOf(site, me);
  const made =
    style === "rebase"
      ? await rebaseCommits(site, head, [base, tip], doer)
      : await mergeCommits(site, head, [tip, base], `Merge branch '${pull.base}' into ${pull.head}`, doer);
  if ("conflict" in made) refuse(409, `${style} failed because of conflict`);
  await changeRefs(site, head, me, [{ ref: `refs/heads/${pull.head}`, from: tip, to: made.made }]);
  return empty(200);
}
