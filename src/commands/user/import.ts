import { rmSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { requireJournal } from "../../app/rows/journal-file.ts";
import { optional } from "../../command/args.ts";
import { choice, integer, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { addressText } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { applyFile } from "./import/apply.ts";
import { checkFile } from "./import/check.ts";
import { importCommand } from "./import/command-line.ts";
import { readServerState } from "./import/existing-users.ts";
import { needsUser, problemsOfNewUsers } from "./import/new-users.ts";
import { lacksPassword, outcome } from "./import/outcome.ts";
import { planFile } from "./import/plan.ts";
import { reportProblems } from "./import/report-problems.ts";
import type { Problem } from "./import/rows.ts";
import { lockFiles, openSource, requireFile, type Source } from "./import/source.ts";

/** `tongs user import`: POST /admin/users for each new user, PATCH for other fields and existing users. */
export const importUsers = defineCommand({
  summary: "Create and update users from a file",
  details:
    "The file is CSV, with commas, semicolons or TABs, or JSON lines. Its columns are the API's field names: username, email, full_name, password, " +
    "must_change_password, admin, … The whole file is checked before anything is sent. --plan also finds usernames and " +
    "email addresses that are already in use on the server. A journal next to the file records each result on one server: after a " +
    "crash or Ctrl-C, --resume with the file, or with --journal alone, continues with the same options, and detects " +
    "users created by requests whose response was lost. Failed rows are written to FILE.failed, which can be imported again. Input from " +
    "stdin or a pipe is copied next to the journal (stdin.journal for stdin) until the import has finished.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: {
    file: optional("file to import (default with --resume: the file in the journal)", {
      dash: "stdin",
      names: "input file",
    }),
  },
  flags: {
    format: choice(["csv", "jsonl"], "format of the file (default: by its extension)"),
    plan: toggle("show what would change, without changing anything"),
    onExisting: choice(["skip", "update", "fail"], "what to do with users that already exist (default: fail)"),
    generatePasswords: text("generate missing passwords and save them to this new file", {
      names: "output file",
      placeholder: "FILE",
    }),
    jobs: integer("number of requests at once (default: 8)", { min: 1, max: 64 }),
    journal: text("journal file (default: FILE.journal)", { names: "output file", placeholder: "FILE" }),
    resume: toggle("continue an interrupted import"),
  },
  output: list(outcome),
  exits: { usage: "the file has errors; nothing was sent", partly: "some rows failed" },
  examples: [
    ["Show what would change", "tongs user import people.csv --plan"],
    ["Import users with generated passwords", "tongs user import people.csv --generate-passwords passwords.csv"],
    ["Continue an interrupted import", "tongs user import people.csv --resume"],
  ],
  async run(context) {
    const { args, flags, system, options, server } = context;
    const command = importCommand(args.file, flags, context);
    if (command.resume) requireJournal(command.journal, { host: addressText(server.base) });
    const { input, format, journal, resume, generatePasswords } = command;
    const writes = !flags.plan && !options.dryRun;
    const locked = [journal, generatePasswords].filter((path) => path !== undefined);
    if (writes) for (const path of locked) requireFile(path);
    const lock = writes ? await lockFiles(locked) : undefined;
    let source: Source | undefined;
    try {
      source = await openSource(input, format, { system, journal: writes ? journal : undefined, resume });
      const generates = generatePasswords !== undefined;
      const checked = await checkFile(source, {
        needsPassword: (row) => lacksPassword(row, generates) && command.onExisting === "fail",
        needsUser: (row) => needsUser(row, generates),
      });
      const refuse = (problems: readonly Problem[]) => {
        if (problems.length === 0) return;
        reportProblems(problems, system);
        const count = problems.length;
        throw new UsageError(`${count} ${count === 1 ? "error" : "errors"} in ${input}; nothing was sent`);
      };
      refuse(checked.problems);
      if (flags.plan) return await planFile(checked, command, context);
      const state = readServerState(context.http, checked, checked.rows);
      const how = { jobs: command.jobs ?? 8, generates };
      if (!resume) refuse(await problemsOfNewUsers(context.http, checked, state, how));
      const exit = await applyFile(checked, command, context);
      // There is nothing left to resume.
      if (writes && exit === undefined && command.journalInCwd) rmSync(journal);
      return exit;
    } finally {
      source?.remove();
      lock?.release();
    }
  },
});
