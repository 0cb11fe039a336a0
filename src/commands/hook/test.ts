import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { text, wholeNumber } from "../../command/flags.ts";
import { hookTest } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs hook test`: POST …/hooks/{id}/tests, which exists for repositories only. */
export const test = defineCommand({
  summary: "Deliver a test event to a repository's webhook",
  on: "repository",
  effect: "write",
  args: { id: one("webhook ID", { source: "hook" }) },
  flags: { ref: text("deliver a push event for this branch, tag or commit", { placeholder: "REF" }) },
  examples: [["Test a webhook", "tongs hook test 3"]],
  async run({ args, flags, http, repo, out, server }) {
    const id = wholeNumber(args.id, "ID", 1);
    await call(http, hookTest, { repo, id, ref: flags.ref });
    await out.done(`Requested a test delivery of webhook ${id} of ${fullName(repo)} ${accountLabel(server)}`);
  },
});
