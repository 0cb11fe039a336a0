import type { Command } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import { any } from "../../../command/args.ts";
import type { Table } from "../../../command/table.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { flagAdd, flagCheck, flagList, flagRemove, flagsRemove, flagsSet } from "../../../forge/repo-flags.ts";
import { wordColumn } from "../../../output/table.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { list, string } from "../../../shape/shape.ts";
import { repoArgument } from "../arguments.ts";

const flags = resource({
  ...inRepository,
  noun: ["flag", "flags"],
  a: "a flag",
  record: string,
  argument: { key: "flag", one: "flag", many: "flags" },
  target: () => (flag) => flag,
  name: (flag: string) => `flag ${flag}`,
});

/** The verbs of `tongs repo flag`. */
export const verbs: Table<Command> = {
  list: flags.list({
    summary: "List the flags of a repository",
    needs: [flagList],
    details: "Flags are marks that only administrators of the server can see and set.",
    args: { repo: repoArgument },
    columns: [wordColumn("FLAG")],
    fetch: ({ http, repo }) => call(http, flagList, { repo }),
    page: ({ repo }) => repoPage(repo, "flags"),
    examples: [["List the flags", "tongs repo flag list mara/harbor"]],
  }),
  add: flags.each({
    verb: ["add", "added"],
    summary: "Add flags to a repository",
    needs: [flagAdd],
    leavesNothing: true,
    work: (flag, { http, repo }) => call(http, flagAdd, { repo, flag }),
    examples: [["Add a flag", "tongs repo flag add under-review"]],
  }),
  remove: flags.each({
    verb: ["remove", "removed"],
    summary: "Remove flags from a repository",
    needs: [flagRemove],
    leavesNothing: true,
    work: (flag, { http, repo }) => call(http, flagRemove, { repo, flag }),
    examples: [["Remove a flag", "tongs repo flag remove under-review"]],
  }),
  set: writeCommand({
    summary: "Set the flags of a repository, replacing all others",
    on: "repository",
    needs: [flagsSet, flagsRemove],
    args: { flag: any("flags (default: none, which removes all)", { dash: "lines" }) },
    output: list(string),
    asks: ({ args, repo }) =>
      args.flag.length === 0
        ? { what: `Remove all flags of ${fullName(repo)}`, sends: flagsRemove }
        : { what: `Replace all flags of ${fullName(repo)}`, sends: flagsSet },
    async work({ args, http, repo, system }) {
      const record = () => collect(call(http, flagList, { repo }));
      if (args.flag.length === 0) {
        await call(http, flagsRemove, { repo });
        return { done: `Removed all flags of ${fullName(repo)}`, record };
      }
      const flags = await readTargets(args.flag, system);
      await call(http, flagsSet, { repo }, { flags });
      return { done: `Set the flags ${flags.join(", ")} of ${fullName(repo)}`, record };
    },
    examples: [
      ["Replace all flags", "tongs repo flag set under-review large --yes"],
      ["Remove all flags", "tongs repo flag set --yes"],
    ],
  }),
  check: flags.check({
    summary: "Check whether a repository has a flag",
    needs: [flagCheck],
    holds: (flag, { http, repo }) => call(http, flagCheck, { repo, flag }),
    says: (flag, holds, { repo }) => `${fullName(repo)} ${holds ? "has" : "does not have"} the flag ${flag}`,
    exits: { ok: "the repository has the flag", failure: "it does not" },
    examples: [["Check in a script", "if tongs repo flag check under-review; then echo yes; fi"]],
  }),
};
