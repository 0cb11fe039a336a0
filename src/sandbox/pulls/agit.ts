import { listCommits, readCommit } from "../git/commits.ts";
import { noCommit, refsOf } from "../git/refs.ts";
import { accessTo } from "../http/access.ts";
import type { ProposalPush, Proposed, Site } from "../site.ts";
import { openPulls } from "../state/issues.ts";
import { openAgit, updateAgit } from "./lifecycle.ts";
import { headRef } from "./reviews.ts";

/** Why a push that replaces commits is refused without the option for it. */
const notAhead = {
  gitea: "request `force-push` push option",
  forgejo:
    "Updates were rejected because the tip of your current branch is behind its remote counterpart. If this is intentional, " +
    "set the `force-push` option by adding `-o force-push=true` to your `git push` command.",
} as const;

/** Makes or updates the pull request of a push to `refs/for/BASE[/TOPIC]`, which everyone who can read the code may send. */
export async function proposed(
  site: Site,
  { repo, currentUser, command, options }: ProposalPush,
): Promise<Proposed | undefined> {
  const { product } = site.release;
  const to = command.to;
  if (to === undefined) return { refuse: "it is not possible to delete a pull request" };
  if (!accessTo(site, currentUser, repo).atLeast("read", "pulls"))
    return { refuse: "not allowed to open pull requests" };
  const target = command.ref.slice("refs/for/".length);
  const branches = [...(await refsOf(site, repo, "refs/heads/")).keys()].map((ref) => ref.slice("refs/heads/".length));
  const base = branches
    .filter((name) => target === name || target.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (base === undefined) return { refuse: `branch ${target} not exist` };
  const topic = options.get("topic") || target.slice(base.length + 1);
  if (topic === "") {
    return { refuse: product === "gitea" ? "topic-branch is not set" : "The topic-branch option is not set" };
  }
  const user = `${currentUser.name.toLowerCase()}/`;
  const head = topic.startsWith(user) ? topic : user + topic;
  const known = openPulls(site.store).find(
    ({ repoId, pull }) => repoId === repo.id && pull.isAgit && pull.base === base && pull.head === head,
  );
  if (known !== undefined) {
    if (known.pull.headSha === to) return { refuse: "new commit is same with old commit" };
    const mustBeAhead = options.get("force-push") === "true" ? undefined : notAhead[product];
    return {
      ref: headRef(known.index),
      from: known.pull.headSha,
      mustBeAhead,
      apply: async () => void (await updateAgit(site, known, to)),
    };
  }
  const index = site.store.nextId(`issues of ${repo.id}`);
  return {
    ref: headRef(index),
    from: noCommit,
    mustBeAhead: undefined,
    async apply() {
      const [first] = await listCommits(site, repo, ["--reverse", `${base}..${to}`]);
      const { message } = await readCommit(site, repo, first ?? to);
      const title = options.get("title") ?? message.split("\n", 1)[0] ?? "";
      const body = options.get("description") ?? (product === "gitea" ? message.trimEnd() : "");
      const issue = { index, posterId: currentUser.id, title, body };
      const made = await openAgit(site, repo, { head, headSha: to, base, issue });
      for (const area of site.areas) await area.pullOpened?.(site, made, currentUser, "opened");
    },
  };
}
