import { rmSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { choice, choiceOr, integer, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { list } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";
import { applyFile } from "./import/apply.ts";
import { checkFile } from "./import/check.ts";
import { outcome } from "./import/outcome.ts";
import { planFile } from "./import/plan.ts";
import { importFiles, lockFiles, openSource, type Source } from "./import/source.ts";

/** `tongs user import`: POST /admin/users for each new user, PATCH for other fields and existing users. */
export const importUsers = defineCommand({
  summary: "Create and update users from a file",
  details:
    "The file is CSV or JSON lines. Its columns are the API's field names: username, email, full_name, password, " +
    "must_change_password, admin, … The whole file is checked before anything is sent. --plan also finds user names and " +
    "email addresses that are already in use on the server. A journal next to the file records each result: after a " +
    "crash or Ctrl-C, run the same command with --resume to continue, and to find out which users were created by " +
    "requests that got no response. Failed rows are written to FILE.failed, which can be imported again. Input from " +
    "stdin or a pipe is copied next to the journal (stdin.journal for stdin) until the import has finished.",
  on: "server",
  effect: "write",
  args: { file: one("file to import; - reads stdin") },
  flags: {
    format: choice(["csv", "jsonl"], "format of the file (default: by its extension)"),
    plan: toggle("show what would change, without changing anything"),
    onExisting: choiceOr(["skip", "update", "fail"], "fail", "what to do with users that already exist"),
    generatePasswords: text("generate missing passwords and save them to this new file", { placeholder: "FILE" }),
    jobs: integer("number of requests at once (default 8)", { min: 1, max: 64 }),
    journal: text("journal file (default FILE.journal)", { placeholder: "FILE" }),
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
    const { args, flags, system, options } = context;
    const files = importFiles(args.file, flags, system);
    const { journal } = files;
    const writes = !flags.plan && !options.dryRun;
    const locked = [journal, flags.generatePasswords].filter((path) => path !== undefined);
    const lock = writes ? await lockFiles(locked) : undefined;
    let source: Source | undefined;
    try {
      const sourceOptions = { system, journal: writes ? journal : undefined, resume: flags.resume };
      source = await openSource(args.file, files.format, sourceOptions);
      const generates = flags.generatePasswords !== undefined;
      const checked = await checkFile(source, (row) => {
        const isLocal = Number(row.fields["source_id"] ?? 0) === 0;
        return isLocal && row.fields["password"] === undefined && !generates && flags.onExisting !== "update";
      });
      if (checked.problems.length > 0) {
        for (const { line, username, message } of checked.problems) {
          system.stderr.write(`${safeLine(`line ${line}${username ? ` (${username})` : ""}: ${message}`)}\n`);
        }
        const count = checked.problems.length;
        throw new UsageError(`${count} ${count === 1 ? "error" : "errors"} in ${args.file}; nothing was sent`);
      }
      if (flags.plan) return await planFile(checked, flags, context);
      const exit = await applyFile(checked, files, flags, context);
      // There is nothing left to resume.
      if (writes && exit === undefined && files.journalInCwd) rmSync(journal);
      return exit;
    } finally {
      source?.remove();
      lock?.release();
    }
  },
});
