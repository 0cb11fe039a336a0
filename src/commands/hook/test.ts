import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { text, wholeNumber } from "../../command/flags.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs hook test`: POST …/hooks/{id}/tests; the servers have it for repositories only. */
export const test = defineCommand({
  summary: "Deliver a test event to a repository's webhook",
  on: "repository",
  effect: "write",
  args: { id: one("the hook's id") },
  flags: { ref: text("as if this branch had been pushed", { placeholder: "REF" }) },
  examples: [["Try hook 3", "tongs hook test 3"]],
  async run({ args, flags, forge, repo, out, server }) {
    const id = wholeNumber(args.id, "ID", 1);
    await forge.hooks.test(repo, id, flags.ref);
    await out.done(`Asked for a test delivery of hook ${id} of ${fullName(repo)} ${accountLabel(server)}`);
  },
});
