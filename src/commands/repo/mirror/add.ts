import { defineCommand } from "../../../app/define.ts";
import { readSecretFile } from "../../../app/input.ts";
import { one } from "../../../command/args.ts";
import { inputFile, text, textOr, toggle, yesNo } from "../../../command/flags.ts";
import { pushMirror, pushMirrorCreate } from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { refusePassword } from "../arguments.ts";

/** `tongs repo mirror add`: POST a push mirror. */
export const add = defineCommand({
  summary: "Add a push mirror",
  details:
    "The server pushes every branch and tag to the address, or the branches of --branch-filter. It does not try the address until the first sync.",
  on: "repository",
  fieldsOf: pushMirrorCreate,
  effect: "write",
  args: { address: one("URL of the repository to push to") },
  flags: {
    interval: textOr("8h0m0s", "time between syncs; 0 for none", { placeholder: "DURATION" }),
    branchFilter: text("push only these branches: names and patterns with commas between", { placeholder: "BRANCHES" }),
    syncOnCommit: yesNo("also sync after each push to the repository (default)"),
    remoteUsername: text("username at the address", { placeholder: "USER" }),
    remotePasswordFile: inputFile("read the password or token from a file", { names: "password" }),
    useSsh: toggle("authenticate with an SSH key that the server creates"),
  },
  exclusive: [
    ["useSsh", "remoteUsername"],
    ["useSsh", "remotePasswordFile"],
  ],
  output: pushMirror,
  examples: [
    [
      "Mirror to another server",
      "tongs repo mirror add https://example.org/mara/harbor.git --remote-username mara --remote-password-file token.txt",
    ],
    [
      "Mirror only some branches",
      "tongs repo mirror add https://example.org/mara/harbor.git --branch-filter 'main,release/*'",
    ],
  ],
  async run({ args, flags, http, out, prompt, repo, server, system }) {
    refusePassword(args.address, "--remote-password-file");
    const typed = await readSecretFile("--remote-password-file", flags.remotePasswordFile, system);
    const needed = flags.remoteUsername !== undefined && typed === undefined;
    const password = needed
      ? await prompt.password({ message: `Password of ${flags.remoteUsername}`, flag: "--remote-password-file" })
      : typed;
    const added = await call(
      http,
      pushMirrorCreate,
      { repo },
      {
        remote_address: args.address,
        branch_filter: flags.branchFilter,
        interval: flags.interval,
        sync_on_commit: flags.syncOnCommit ?? true,
        remote_username: flags.remoteUsername,
        remote_password: password,
        use_ssh: flags.useSsh || undefined,
      },
    );
    await out.done(`Added push mirror ${added.remote_name} to ${fullName(repo)} ${accountLabel(server)}`, {
      prints: added.remote_name,
      record: added,
      what: `push mirror ${added.remote_name}`,
    });
    if (added.public_key) out.note(`Add this key at the address, with write access: ${added.public_key}`);
  },
});
