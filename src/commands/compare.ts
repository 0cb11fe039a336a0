import { commitColumns } from "../app/columns.ts";
import type { CommandContext } from "../app/context.ts";
import { defineCommand } from "../app/define.ts";
import { repoPage } from "../app/web.ts";
import { one } from "../command/args.ts";
import { toggle } from "../command/flags.ts";
import { nameOf } from "../command/source.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { compareRange, compareText, wholeComparison } from "../forge/commits.ts";
import { behaviors } from "../forge/generated/since.ts";
import { call } from "../forge/operation.ts";
import { availableSince, firstReleases } from "../forge/support.ts";
import { fullName } from "../repo/repo-name.ts";
import { Styled } from "../text/styled.ts";

const args = { range: one("BASE...HEAD: changes on HEAD since it diverged from BASE; BASE..HEAD: all differences") };
const flags = {
  diff: toggle("print the changes as a diff", { field: "output" }),
  patch: toggle("print a patch for each commit, for git am", { field: "output" }),
  stat: toggle("print the number of changed lines per file", { field: "output" }),
  commits: toggle("list the commits (default)"),
};

/** `tongs compare`: GET a comparison of two branches, tags or commits. */
export const compare = defineCommand({
  summary: "Compare branches, tags or commits",
  details:
    "HEAD can be OWNER:BRANCH of a fork, and both hashes of commits " +
    `(${firstReleases(behaviors.comparesHashes)}). The JSON formats print the comparison with its commits.`,
  on: "repository",
  fieldsOf: compareText,
  effect: "read",
  lists: ["commit", "commits"],
  args,
  flags,
  exclusive: [["diff", "patch", "stat", "commits"]],
  output: wholeComparison,
  examples: [
    ["List the commits of a branch that are not on main", "tongs compare main...tides/june"],
    ["View what changed between two tags", "tongs compare v1.0...v1.1 --diff"],
  ],
  web: { page: ({ args, repo }) => repoPage(repo, "compare", checkedRange(args.range)) },
  async run(context) {
    const { http, repo, out } = context;
    const range = checkedRange(context.args.range);
    const { diff, patch, stat } = context.flags;
    if (!out.records && (diff || patch || stat)) return showChanges(range, context);
    const found = await compareRange(http, repo, range);
    if (out.records) return out.record(found, () => ({ fields: [] }));
    await out.list(found.commits ?? [], commitColumns, { unlimited: true });
  },
});

type CompareContext = CommandContext<"repository", typeof args, typeof flags>;

async function showChanges(range: string, context: CompareContext): Promise<void> {
  const { http, repo, flags, out, server } = context;
  const { headers, body } = await call(http, compareText, {
    repo,
    basehead: range,
    output: flags.patch ? "patch" : "diff",
  });
  // A server that does not know `output` answers with JSON (docs/server-differences.md, "Commits and files").
  if (headers["content-type"]?.startsWith("application/json")) {
    body.destroy();
    const message = `${server.base.host} does not support diffs of comparisons`;
    const { fieldSince } = await import("../forge/facts.ts");
    const since = fieldSince(compareText, "output");
    const available = since === undefined ? "" : availableSince(since);
    throw new Failure("unknown_operation", message, {
      hint: `${available} Clone ${fullName(repo)}, and run: git diff ${range}`.trim(),
    });
  }
  if (flags.stat) {
    const { countChanges, statLines } = await import("../output/diff-stat.ts");
    const lines = await statLines(await countChanges(body), out);
    return out.raw(Styled.join([...lines, ""], "\n"));
  }
  const { showDiff } = await import("../output/diff-colors.ts");
  await showDiff(body, context);
}

/**
 * The range, with short names: not all releases compare full ones. Throws a usage error unless both sides are named: servers
 * treat an empty side differently.
 */
function checkedRange(typed: string): string {
  const [, base = "", dots = "", head = ""] = /^([^.].*?)(\.\.\.?)(.+)$/.exec(typed) ?? [];
  const short = (side: string) => nameOf("tag", nameOf("branch", side));
  if (base !== "" && head !== "" && !head.startsWith(".") && !/\s/.test(typed)) return short(base) + dots + short(head);
  throw new UsageError(`'${typed}' is not a range`, "Use BASE...HEAD, such as main...tides.");
}
