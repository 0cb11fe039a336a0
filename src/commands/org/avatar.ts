import { readAvatar } from "../../app/avatar.ts";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { orgAvatarDelete, orgAvatarSet } from "../../forge/orgs.ts";
import { accountLabel } from "../../profiles/server.ts";

/** `tongs org avatar set`: POST the image in base64. */
export const set = defineCommand({
  summary: "Set the avatar of an organization",
  details: "The image is a png, jpeg, gif or webp file.",
  on: "server",
  effect: "write",
  args: { org: one("organization"), file: one("image file; - reads stdin", { names: "input file" }) },
  examples: [["Set the avatar", "tongs org avatar set tidewater anchor.png"]],
  async run({ args, http, out, server, system }) {
    await call(http, orgAvatarSet, { org: args.org }, { image: await readAvatar(args.file, system) });
    await out.done(`Set the avatar of ${args.org} ${accountLabel(server)}`);
  },
});

/** `tongs org avatar delete`: DELETE the avatar; without one, nothing changes. */
export const remove = defineCommand({
  summary: "Delete the avatar of an organization",
  on: "server",
  effect: "destroy",
  args: { org: one("organization") },
  examples: [["Delete the avatar", "tongs org avatar delete tidewater --yes"]],
  async run({ args, http, out, prompt, server }) {
    await prompt.confirmAction({ what: `Delete the avatar of ${args.org}` });
    await call(http, orgAvatarDelete, { org: args.org });
    await out.done(`Deleted the avatar of ${args.org} ${accountLabel(server)}`);
  },
});
