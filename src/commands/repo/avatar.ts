import { readAvatar } from "../../app/avatar.ts";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { call } from "../../forge/operation.ts";
import { repoAvatarDelete, repoAvatarSet } from "../../forge/repo-settings.ts";
import { accountLabel } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { repoArgument } from "./arguments.ts";

/** `tongs repo avatar set`: POST the image in base64. */
export const set = defineCommand({
  summary: "Set the avatar of a repository",
  details: "The image is a png, jpeg, gif or webp file.",
  on: "repository",
  effect: "write",
  args: { file: one("image file; - reads stdin", { names: "input file" }), repo: repoArgument },
  examples: [["Set the avatar", "tongs repo avatar set anchor.png"]],
  async run({ args, http, out, repo, server, system }) {
    await call(http, repoAvatarSet, { repo }, { image: await readAvatar(args.file, system) });
    await out.done(`Set the avatar of ${fullName(repo)} ${accountLabel(server)}`);
  },
});

/** `tongs repo avatar delete`: DELETE the avatar; without one, nothing changes. */
export const remove = defineCommand({
  summary: "Delete the avatar of a repository",
  on: "repository",
  effect: "destroy",
  args: { repo: repoArgument },
  examples: [["Delete the avatar", "tongs repo avatar delete --yes"]],
  async run({ http, out, prompt, repo, server }) {
    await prompt.confirmAction({ what: `Delete the avatar of ${fullName(repo)}` });
    await call(http, repoAvatarDelete, { repo });
    await out.done(`Deleted the avatar of ${fullName(repo)} ${accountLabel(server)}`);
  },
});
