import { defineCommand } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { one, optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { tag, tagCreate } from "../../forge/tags.ts";
import { isBranchName } from "../../git/refs.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** `tongs tag create`: POST a tag. */
export const create = defineCommand({
  summary: "Create a tag",
  details: "With a message, the tag is annotated.",
  on: "repository",
  effect: "write",
  args: {
    name: one("name of the tag"),
    ref: optional("branch, tag or commit (default: the default branch)", { source: "ref" }),
  },
  flags: {
    message: text("message of an annotated tag", { short: "m" }),
    messageFile: text("read the message from a file; - reads stdin", {
      short: "F",
      names: "input file",
      placeholder: "FILE",
    }),
  },
  exclusive: [["message", "messageFile"]],
  output: tag,
  exits: { refused: "a tag with this name exists" },
  examples: [
    ["Tag the default branch", "tongs tag create v1.2.0"],
    ["Create an annotated tag at a commit", 'tongs tag create v1.2.0 3f2a91c -m "Version 1.2"'],
  ],
  async run({ args, flags, http, repo, server, out, system }) {
    // The servers say 500 for an invalid name, without a reason.
    if (!isBranchName(args.name)) throw new UsageError(`'${args.name}' is not a valid tag name`);
    const given = { text: flags.message, file: flags.messageFile, flag: "--message-file" };
    const message = await givenText(system, given);
    const created = await call(http, tagCreate, { repo }, { tag_name: args.name, target: args.ref, message });
    const at = created.commit?.sha.slice(0, 10) ?? "";
    const done = `Created tag ${created.name} at ${at} in ${fullName(repo)} ${accountLabel(server)}`;
    await out.done(done, { prints: created.name, record: created });
  },
});
