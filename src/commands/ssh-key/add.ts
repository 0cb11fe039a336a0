import { defineCommand } from "../../app/define.ts";
import { readPublicKey } from "../../app/public-key.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { keyAdd } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { publicKey } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";

/** `tongs ssh-key add`: POST /user/keys. */
export const add = defineCommand({
  summary: "Add an SSH key to your account",
  on: "server",
  effect: "write",
  args: { file: one("file with the public key; - reads stdin", { names: "input file" }) },
  flags: { title: text("title of the key (default: its comment)", { short: "t", placeholder: "TITLE" }) },
  output: publicKey,
  examples: [["Add a key", "tongs ssh-key add ~/.ssh/id_ed25519.pub --title laptop"]],
  async run({ args, flags, http, out, server, system }) {
    const body = await readPublicKey({ flag: "FILE", file: args.file, title: flags.title }, system);
    const added = await call(http, keyAdd, {}, body);
    const message = `Added SSH key ${body.title} to your account ${accountLabel(server)}`;
    await out.done(message, { prints: added.id, record: added });
  },
});
