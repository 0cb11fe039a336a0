import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { any } from "../../../command/args.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { flagList, flagsRemove, flagsSet } from "../../../forge/repo-flags.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list, string } from "../../../shape/shape.ts";

/** `tongs repo flag set`: PUT all flags of a repository, or DELETE them. */
export const set = defineCommand({
  summary: "Set the flags of a repository, replacing all others",
  on: "repository",
  effect: "destroy",
  needs: [flagsSet, flagsRemove],
  args: { flag: any("flags (default: none, which removes all)", { dash: "lines" }) },
  output: list(string),
  examples: [
    ["Replace all flags", "tongs repo flag set under-review large --yes"],
    ["Remove all flags", "tongs repo flag set --yes"],
  ],
  async run({ args, http, out, prompt, repo, server, system }) {
    const flags = args.flag.length === 0 ? [] : await readTargets(args.flag, system);
    const what = flags.length === 0 ? "Remove all flags" : "Replace all flags";
    const sends = flags.length === 0 ? flagsRemove : flagsSet;
    await prompt.confirmAction({ what: `${what} of ${fullName(repo)}`, sends });
    await (flags.length === 0 ? call(http, flagsRemove, { repo }) : call(http, flagsSet, { repo }, { flags }));
    const said = flags.length === 0 ? "Removed all flags" : `Set the flags ${flags.join(", ")}`;
    await out.done(`${said} of ${fullName(repo)} ${accountLabel(server)}`, {
      record: async () => collect(call(http, flagList, { repo })),
    });
  },
});
