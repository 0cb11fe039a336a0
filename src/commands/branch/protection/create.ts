import type { RepositoryContext } from "../../../app/context.ts";
import { defineCommand } from "../../../app/define.ts";
import { bodyOf } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { explainExisting } from "../../../app/shared.ts";
import { one } from "../../../command/args.ts";
import { UsageError, withHint } from "../../../failure/failure.ts";
import {
  branchLists,
  branchProtection,
  branchProtectionCreate,
  branchProtectionList,
} from "../../../forge/branch-protections.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { ServerError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { listFields, neededByNew, off, plainFields, withoutEffect } from "./fields.ts";

const fields = { ...plainFields, ...listFields };

/** `tongs branch protection create`: POST a branch protection. */
export const create = defineCommand({
  summary: "Create a branch protection",
  details:
    "Without flags, nobody can push to the branches. Flags have the names of the API's fields. " +
    "A setting that needs another one turns that on. Fails if the server " +
    "ignored a setting, even though the protection was created.",
  on: "repository",
  fieldsOf: branchProtectionCreate,
  effect: "write",
  args: { rule: one("name of a branch, or a glob such as release/**", { source: "branch" }) },
  flags: fields,
  output: branchProtection,
  exits: { refused: "the protection already exists" },
  examples: [
    [
      "Require two approvals and a check",
      "tongs branch protection create main --required-approvals 2 --enable-status-check --status-check-contexts 'ci/*'",
    ],
    [
      "Let one user push",
      "tongs branch protection create main --enable-push --enable-push-whitelist --push-whitelist-usernames jonas",
    ],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    if (args.rule.trim() === "") throw new UsageError("The name of the rule must not be empty");
    const given = bodyOf(fields, flags);
    const needed = neededByNew(given);
    if (needed.length > 0)
      out.note(`This turns on ${needed.join(", ")}, too: without it, what was given has no effect`);
    const body = { ...given, ...Object.fromEntries(needed.map((name) => [name, true])), rule_name: args.rule };
    await requireWriters(branchLists, body, {}, context);
    for (const text of withoutEffect(body, off)) out.warn(text);
    const created = await call(http, branchProtectionCreate, { repo }, body).catch((error: unknown) =>
      explainStored(
        explainExisting(error, `Branch protection '${args.rule}' of ${fullName(repo)}`),
        args.rule,
        context,
      ),
    );
    const what = `branch protection '${args.rule}' of ${fullName(repo)}`;
    await out.done(`Created ${what} ${accountLabel(server)}`, { prints: created.rule_name, record: created, what });
  },
});

/**
 * Of a name that is not a valid glob the servers say 500, but store the protection, which then fails other requests
 * (docs/server-differences.md, "Branches and tags"). Throws an error that says so.
 */
async function explainStored(error: unknown, rule: string, { http, repo }: RepositoryContext): Promise<never> {
  if (!(error instanceof ServerError)) throw error;
  const stored = (await collect(call(http, branchProtectionList, { repo })).catch(() => [])).some(
    ({ rule_name }) => rule_name === rule,
  );
  if (!stored) throw error;
  throw withHint(error, `The protection was created anyway. Delete it with: tongs branch protection delete '${rule}'`);
}
