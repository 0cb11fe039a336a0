import { defineCommand } from "../../../app/define.ts";
import { readPublicKey } from "../../../app/public-key.ts";
import { one } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { userKeyAdd } from "../../../forge/admin-users.ts";
import { call } from "../../../forge/operation.ts";
import { publicKey } from "../../../forge/users.ts";
import { accountLabel } from "../../../profiles/server.ts";

/** `tongs user key add`: POST /admin/users/{username}/keys. */
export const add = defineCommand({
  summary: "Add a public key to a user",
  on: "server",
  effect: "write",
  args: { name: one("username", { source: "account" }) },
  flags: {
    title: text("title of the key (default: its comment)", { placeholder: "TITLE" }),
    keyFile: text("read the public key from a file; - reads stdin", { names: "input file", placeholder: "FILE" }),
    readOnly: toggle("make the key read-only (servers only apply this to deploy keys)"),
  },
  output: publicKey,
  examples: [["Add a key", "tongs user key add mara --title laptop --key-file mara.pub"]],
  async run({ args, flags, http, out, server, system }) {
    if (flags.keyFile === undefined)
      throw new UsageError("--key-file is required", "Pass a public key file, or - for stdin.");
    const { title, key } = await readPublicKey({ flag: "--key-file", file: flags.keyFile, title: flags.title }, system);
    const added = await call(
      http,
      userKeyAdd,
      { username: args.name },
      {
        title,
        key,
        ...(flags.readOnly ? { read_only: true } : {}),
      },
    );
    await out.done(`Added key ${title} to ${args.name} ${accountLabel(server)}`, {
      prints: added.id,
      record: added,
    });
  },
});
