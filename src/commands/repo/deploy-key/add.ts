import { defineCommand } from "../../../app/define.ts";
import { readFileFlag } from "../../../app/input.ts";
import { one } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { deployKey, deployKeysApi } from "../../../forge/deploy-keys.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs repo deploy-key add`: POST a public key. It can only read unless --allow-write is given. */
export const add = defineCommand({
  summary: "Add a deploy key",
  details: "The key can only read the repository unless --allow-write is given.",
  on: "repository",
  effect: "write",
  args: { file: one("public key file; - reads stdin") },
  flags: {
    title: text("title of the key (default: its comment)", { placeholder: "TITLE", short: "t" }),
    allowWrite: toggle("allow pushes with the key", { short: "w" }),
  },
  output: deployKey,
  examples: [["Add a key that can push", "tongs repo deploy-key add ci.pub --title ci --allow-write"]],
  async run({ args, flags, http, out, repo, server, system }) {
    const key = (await readFileFlag("FILE", args.file, system)).trim();
    if (/PRIVATE KEY/.test(key)) {
      throw new UsageError(
        "This is a private key; it was not sent",
        "Pass the public key, which is usually in the file ending in .pub.",
      );
    }
    const title = flags.title ?? key.split(/\s+/).slice(2).join(" ");
    if (title === "") throw new UsageError("--title is required: the key has no comment");
    const added = await deployKeysApi(http).add(repo, { title, key, read_only: !flags.allowWrite });
    await out.done(`Added deploy key ${title} to ${fullName(repo)} ${accountLabel(server)}`, {
      prints: added.id,
      record: added,
    });
  },
});
