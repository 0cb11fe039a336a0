import { textBetween } from "../git/diff.ts";
import { branchTip } from "../git/refs.ts";
import { found, notFound } from "../http/refusal.ts";
import { empty, json, type Reply, text } from "../http/reply.ts";
import { type Call, get } from "../http/route.ts";
import { resumeSchedules } from "../pulls/auto-merge.ts";
import { catchUp, followRefs, forgetRepo } from "../pulls/follow.ts";
import { headNamed, headRef } from "../pulls/heads.ts";
import { recheck } from "../pulls/mergeability.ts";
import { maintainable } from "../pulls/update-rights.ts";
import type { Area } from "../site.ts";
import { openPulls, openPullsInto, pullAt, pullsOf } from "../state/pulls.ts";
import { pullWire } from "../wire/pulls.ts";
import { listPulls } from "./pull-list.ts";
import { absent, asked, needCode, pullsPath, reading, upToDate } from "./pull-needs.ts";

/** Pull requests: reading them, and what their branches do to them. */
export const pulls: Area = {
  routes: [
    get(pullsPath, reading, listPulls),
    get(`${pullsPath}/{index}`, reading, (call) => inText(call) ?? one(call)),
    get(`${pullsPath}/{base}/{head…}`, reading, byBranches),
    get(`${pullsPath}/{index}/merge`, reading, (call) => (asked(call).pull.merged === null ? notFound() : empty(204))),
    get("/repos/{owner}/{repo}/commits/{sha}/pull", reading, async (call) => {
      const sha = call.param("sha");
      const merged = pullsOf(call.site.store, call.repo.id).find(({ pull }) => pull.merged?.commit === sha);
      return json(200, await pullWire(call, found(merged, absent(call.repo.id))));
    }),
  ],
  refsChanged: followRefs,
  repoDeleted: forgetRepo,
  rulesChanged: (site, repo) =>
    recheck(
      site,
      openPulls(site.store).filter(({ repoId }) => repoId === repo.id),
    ),
  started: (site) => {
    site.later(0, () => site.store.write(() => catchUp(site)));
    resumeSchedules(site);
  },
  keepsBranch: (site, repo, branch) => openPullsInto(site.store, repo.id, branch).length > 0,
  pushableBranches: maintainable,
};

async function one(call: Call<typeof reading>): Promise<Reply> {
  const [pull] = await upToDate(call.site, [asked(call)]);
  return json(200, await pullWire(call, found(pull)));
}

/** `12.diff` and `12.patch`: git's own output. */
function inText(call: Call<typeof reading>): Promise<Reply> | undefined {
  const [, index, kind] = /^(\d+)\.(diff|patch)$/.exec(call.param("index")) ?? [];
  if (index === undefined) return undefined;
  needCode(call);
  const { site, repo } = call;
  const { pull } = found(pullAt(site.store, repo.id, Number(index)));
  const range = [pull.mergeBase, headRef(Number(index))] as const;
  const options = { patch: kind === "patch", binary: call.flag("binary") };
  return textBetween(site, repo, range, options).then((out) => text(200, out, "text/plain; charset=utf-8"));
}

/** The open pull request between two branches; else one that was. */
async function byBranches(call: Call<typeof reading>): Promise<Reply> {
  needCode(call);
  const { site, repo } = call;
  const head = headNamed(site, call.me, repo, call.param("head"), "not found");
  if ((await branchTip(site, head.repo, head.branch)) === undefined) notFound();
  const fitting = pullsOf(site.store, repo.id).filter(
    ({ pull }) => pull.base === call.param("base") && pull.headRepoId === head.repo.id && pull.head === head.branch,
  );
  const [pull] = await upToDate(site, fitting.slice(0, 1));
  return json(200, await pullWire(call, found(pull)));
}
