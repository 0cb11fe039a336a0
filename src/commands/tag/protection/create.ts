import { defineCommand } from "../../../app/define.ts";
import { bodyOf } from "../../../app/fields.ts";
import { requireWriters } from "../../../app/listed-users.ts";
import { explainExisting } from "../../../app/shared.ts";
import { one } from "../../../command/args.ts";
import { UsageError } from "../../../failure/failure.ts";
import { call } from "../../../forge/operation.ts";
import { expressionOf, tagLists, tagProtection, tagProtectionCreate } from "../../../forge/tags.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { listFields } from "./shared.ts";

/** `tongs tag protection create`: POST a tag protection. */
export const create = defineCommand({
  summary: "Create a tag protection",
  details:
    "Only the given users and teams can create and delete matching tags: --whitelist-usernames or --whitelist-teams is " +
    "required.",
  on: "repository",
  needs: [tagProtectionCreate],
  effect: "write",
  args: { pattern: one("glob, or a regular expression between slashes, that matches the names of tags") },
  flags: listFields,
  output: tagProtection,
  exits: { refused: "the protection already exists" },
  examples: [["Let one user create versions", "tongs tag protection create 'v*' --whitelist-usernames mara"]],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    if (args.pattern.trim() === "") throw new UsageError("The pattern must not be empty");
    const body = { ...bodyOf(listFields, flags), name_pattern: args.pattern };
    if ([...(body.whitelist_usernames ?? []), ...(body.whitelist_teams ?? [])].length === 0) {
      throw new UsageError("--whitelist-usernames or --whitelist-teams is required");
    }
    // Servers accept a regular expression that is not valid, and then protect nothing.
    checkPattern(args.pattern);
    await requireWriters(tagLists, body, {}, context);
    const what = `tag protection '${args.pattern}' of ${fullName(repo)}`;
    const created = await call(http, tagProtectionCreate, { repo }, body).catch((error: unknown) => {
      throw explainExisting(error, `Tag protection '${args.pattern}' of ${fullName(repo)}`);
    });
    await out.done(`Created ${what} ${accountLabel(server)}`, { prints: created.id, record: created, what });
  },
});

function checkPattern(pattern: string): void {
  const expression = expressionOf(pattern);
  if (expression === undefined) return;
  try {
    new RegExp(expression, "u");
  } catch {
    throw new UsageError(`'${pattern}' is not a valid regular expression`);
  }
}
