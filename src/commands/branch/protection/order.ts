import { defineCommand } from "../../../app/define.ts";
import { readIds, readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { toggle } from "../../../command/flags.ts";
import { Failure, UsageError, withHint } from "../../../failure/failure.ts";
import {
  type BranchProtection,
  branchProtection,
  branchProtectionEdit,
  branchProtectionList,
  branchProtectionOrder,
} from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { availableWith } from "../../../forge/support.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list as listOf } from "../../../shape/shape.ts";

/**
 * `tongs branch protection order`: PATCH the priority of each protection that changes its place. The operation of the API
 * for this takes ids, which no record has (docs/server-differences.md, "Branches and tags").
 */
export const order = defineCommand({
  summary: "Set the order of branch protections",
  details:
    "If several protections match a branch, the first in the list applies. Protections that are not named follow in their " +
    "current order. With --by-id, the protections that are not named keep their priority.",
  on: "repository",
  needs: [branchProtectionOrder],
  effect: "write",
  args: {
    rule: many("names of protections in the new order", { dash: "lines", source: "branch-protection" }),
  },
  flags: { byId: toggle("take IDs from the server's database, which the API does not return") },
  output: listOf(branchProtection),
  examples: [["Put the protection of release/** first", "tongs branch protection order 'release/**'"]],
  async run({ args, flags, http, repo, server, out, system }) {
    const record = () => collect(call(http, branchProtectionList, { repo }));
    if (flags.byId) {
      await call(http, branchProtectionOrder, { repo }, { ids: await readIds(args.rule, system) });
      return out.done(`Set the order of branch protections of ${fullName(repo)} ${accountLabel(server)}`, { record });
    }
    const targets = await readTargets(args.rule, system);
    const present = await collect(call(http, branchProtectionList, { repo }));
    const wanted = targets.map((name) => named(present, name, fullName(repo)));
    if (present.some(({ priority }) => priority === undefined)) {
      const message = `${addressText(server.base)} does not support an order of branch protections`;
      throw new Failure("unknown_operation", message, { hint: availableWith([branchProtectionOrder]) });
    }
    const ordered = [...wanted, ...present.filter((rule) => !wanted.includes(rule))];
    const moved = ordered.flatMap((rule, index) =>
      rule.priority === index + 1 ? [] : [{ rule, priority: index + 1 }],
    );
    let done = 0;
    for (const { rule, priority } of moved) {
      try {
        await call(http, branchProtectionEdit, { repo, name: rule.rule_name }, { priority });
      } catch (error) {
        if (done === 0 || !(error instanceof Failure)) throw error;
        throw withHint(error, `${done} of ${moved.length} protections were moved. Run the same command again.`);
      }
      done += 1;
    }
    const message =
      moved.length === 0
        ? `No changes: the branch protections of ${fullName(repo)} have this order`
        : `Set the order of ${ordered.length} branch protections of ${fullName(repo)} ${accountLabel(server)}`;
    await out.done(message, { record, unchanged: moved.length === 0 });
  },
});

function named(present: readonly BranchProtection[], name: string, repo: string): BranchProtection {
  const found = present.find(({ rule_name }) => rule_name === name);
  if (found !== undefined) return found;
  const known = present.map(({ rule_name }) => rule_name).join(", ");
  const hint = known === "" ? undefined : `Available: ${known}`;
  if (name.trim() === "") throw new UsageError("The name of the rule must not be empty");
  throw new Failure("not_found", `Branch protection '${name}' not found in ${repo}`, { hint });
}
