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
import { holdFiles, nameSource, openSource, type Source } from "./import/source.ts";

/** `tongs user import`: POST /admin/users for each row, PATCH for what that lacks and for existing accounts. */
export const importUsers = defineCommand({
  summary: "Create and update accounts from a file",
  details:
    "The file is CSV or JSON lines; its columns are the API's field names (username, email, full_name, password, " +
    "must_change_password, admin, …). It is checked from end to end before anything is sent. --plan also finds names " +
    "and mail addresses that others have on the server: it reads the server's lists of accounts and mail addresses, or " +
    "asks for each row where that takes fewer requests. A journal beside the file " +
    "notes each answer: after a crash or Ctrl-C, --resume goes on where it stopped, and finds out about accounts that may " +
    "have been created although the answer was lost. Rows that failed are written to FILE.failed, which can be imported " +
    "again. stdin and other pipes are read once and kept beside the journal (stdin.journal) until the import ends.",
  on: "server",
  effect: "write",
  args: { file: one("the file; - is stdin") },
  flags: {
    format: choice(["csv", "jsonl"], "what the file is (by its name)"),
    plan: toggle("only say what would happen; nothing but reads is sent"),
    onExisting: choiceOr(["skip", "update", "fail"], "fail", "an account that is there already"),
    generatePasswords: text("make missing passwords and write them to this new file (0600)", { placeholder: "FILE" }),
    jobs: integer("how many requests are under way at once (8)", { min: 1, max: 64 }),
    journal: text("the journal (FILE.journal)", { placeholder: "FILE" }),
    resume: toggle("go on after an interruption"),
  },
  output: list(outcome),
  exits: { usage: "the file has mistakes; nothing was sent", partly: "some rows failed" },
  examples: [
    ["See what would happen", "tongs user import people.csv --plan"],
    ["Do it, with passwords made", "tongs user import people.csv --generate-passwords passwords.csv"],
    ["Go on after an interruption", "tongs user import people.csv --resume"],
  ],
  async run(context) {
    const { args, flags, system, options } = context;
    const named = nameSource(args.file, flags, system);
    const { journal } = named;
    const writes = !flags.plan && !options.dryRun;
    const files = [journal, flags.generatePasswords].filter((one) => one !== undefined);
    const held = writes ? await holdFiles(files) : undefined;
    let source: Source | undefined;
    try {
      const about = { system, journal: writes ? journal : undefined, resume: flags.resume };
      source = await openSource(args.file, named.format, about);
      const makes = flags.generatePasswords !== undefined;
      const checked = await checkFile(source, (row) => {
        const local = Number(row.fields["source_id"] ?? 0) === 0;
        return local && row.fields["password"] === undefined && !makes && flags.onExisting !== "update";
      });
      if (checked.problems.length > 0) {
        for (const { line, username, wrong } of checked.problems) {
          system.stderr.write(`${safeLine(`line ${line}${username ? ` (${username})` : ""}: ${wrong}`)}\n`);
        }
        const count = checked.problems.length;
        throw new UsageError(`${count} ${count === 1 ? "mistake" : "mistakes"} in ${args.file}; nothing was sent`);
      }
      if (flags.plan) return await planFile(checked, flags, context);
      const ended = await applyFile(checked, named, flags, context);
      // Nothing is left that could be resumed.
      if (writes && ended === undefined && named.standsIn) rmSync(journal);
      return ended;
    } finally {
      source?.remove();
      held?.release();
    }
  },
});
