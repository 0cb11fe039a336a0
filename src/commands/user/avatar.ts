import { readAvatar } from "../../app/avatar.ts";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { ownAvatarDelete, ownAvatarSet } from "../../forge/account.ts";
import { call } from "../../forge/operation.ts";
import { currentUserGet, user } from "../../forge/users.ts";
import { accountLabel } from "../../profiles/server.ts";

/** `tongs user avatar set`: POST /user/avatar. */
export const set = defineCommand({
  summary: "Set your avatar",
  on: "server",
  effect: "write",
  args: { file: one("PNG, JPEG, GIF or WebP image; - reads stdin", { names: "input file" }) },
  output: user,
  examples: [["Set your avatar", "tongs user avatar set mara.png"]],
  async run({ args, http, out, server, system }) {
    await call(http, ownAvatarSet, {}, { image: await readAvatar(args.file, system) });
    await out.done(`Set your avatar ${accountLabel(server)}`, { record: () => call(http, currentUserGet, {}) });
  },
});

/** `tongs user avatar delete`: DELETE /user/avatar. */
export const remove = defineCommand({
  summary: "Delete your avatar",
  details: "The server shows a generated image instead.",
  on: "server",
  effect: "destroy",
  output: user,
  examples: [["Delete your avatar", "tongs user avatar delete --yes"]],
  async run({ http, out, prompt, server }) {
    await prompt.confirmAction({ what: "Delete your avatar" });
    await call(http, ownAvatarDelete, {});
    await out.done(`Deleted your avatar ${accountLabel(server)}`, { record: () => call(http, currentUserGet, {}) });
  },
});
