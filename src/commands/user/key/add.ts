import { defineCommand } from "../../../app/define.ts";
import { readFileFlag } from "../../../app/input.ts";
import { one } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { publicKey } from "../../../forge/users.ts";
import { accountLabel } from "../../../profiles/server.ts";

/** `tongs user key add`: POST /admin/users/{username}/keys. */
export const add = defineCommand({
  summary: "Add a public key to a user",
  on: "server",
  effect: "write",
  args: { name: one("the user") },
  flags: {
    title: text("what the key is called (default: its comment)", { placeholder: "T" }),
    keyFile: text("the file with the public key; - is stdin", { placeholder: "F" }),
    readOnly: toggle("sent as it is; the servers heed it for deploy keys only"),
  },
  output: publicKey,
  examples: [["From a file", "tongs user key add mara --title laptop --key-file mara.pub"]],
  async run({ args, flags, forge, out, server, system }) {
    if (flags.keyFile === undefined)
      throw new UsageError("--key-file is missing", "Name the public key's file, or - for stdin.");
    const key = (await readFileFlag("--key-file", flags.keyFile, system)).trim();
    if (/PRIVATE KEY/.test(key)) {
      throw new UsageError(
        "This is a private key; it was not sent",
        "The public one is in the file that ends in .pub.",
      );
    }
    const title = flags.title ?? key.split(/\s+/).slice(2).join(" ");
    if (title === "") throw new UsageError("--title is missing, and the key has no comment to take it from");
    const added = await forge.adminUsers.addKey(args.name, {
      title,
      key,
      ...(flags.readOnly ? { read_only: true } : {}),
    });
    await out.done(`Added the key ${title} to ${args.name} ${accountLabel(server)}`, {
      prints: added.id,
      record: added,
    });
  },
});
