import { defineCommand } from "../../../app/define.ts";
import { readPublicKey } from "../../../app/public-key.ts";
import { one } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import { deployKey, deployKeyAdd } from "../../../forge/deploy-keys.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs repo deploy-key add`: POST a public key. It can only read unless --allow-write is given. */
export const add = defineCommand({
  summary: "Add a deploy key",
  details: "The key can only read the repository unless --allow-write is given.",
  on: "repository",
  effect: "write",
  args: { file: one("public key file; - reads stdin", { names: "input file" }) },
  flags: {
    title: text("title of the key (default: its comment)", { placeholder: "TITLE", short: "t" }),
    allowWrite: toggle("allow pushes with the key", { short: "w" }),
  },
  output: deployKey,
  examples: [["Add a key that can push", "tongs repo deploy-key add ci.pub --title ci --allow-write"]],
  async run({ args, flags, http, out, repo, server, system }) {
    const { title, key } = await readPublicKey({ flag: "FILE", file: args.file, title: flags.title }, system);
    const added = await call(http, deployKeyAdd, { repo }, { title, key, read_only: !flags.allowWrite });
    await out.done(`Added deploy key ${title} to ${fullName(repo)} ${accountLabel(server)}`, {
      prints: added.id,
      record: added,
    });
  },
});
