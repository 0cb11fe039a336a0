import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import type { Output } from "../../output/output.ts";
import { safeLine } from "../../text/safe.ts";
import { compose } from "../../text/styled.ts";
import { type Finding, findings } from "./check/finding.ts";

/** `tongs workflow check`: reads workflow files, and what the server has of what they name. */
export const check = defineCommand({
  summary: "Check workflow files before they run",
  details:
    "Checks the syntax, keys, expressions and needs of the files, and what they name: labels that no runner has, secrets and " +
    "variables that do not exist, events that the server ignores, actions, and the inputs, secrets and outputs of workflows and " +
    "actions of the clone. Their action.yml is checked, too. Warns of scripts that run what others can write. FILE can be the " +
    "folder of an action or of workflows. Without FILE, checks all workflow files of the clone, and .github only if it is alone. " +
    "What you may not read is not checked, which notes and JSON output say. Without a server or repository, only the files " +
    "themselves are checked. A secret or variable in a larger expression, such as secrets.NAME || 'x', is only a warning.",
  on: "profiles",
  onSelected: true,
  effect: "read",
  usesFiles: true,
  args: { file: any("workflow files", { dash: "stdin", names: "input file" }) },
  flags: { online: toggle("look for actions on other servers, too, with git and without credentials") },
  output: findings,
  exits: { failure: "a file has an error" },
  examples: [
    ["Check all workflow files of the clone", "tongs workflow check"],
    ["Check a file, and the actions on other servers", "tongs workflow check .gitea/workflows/ci.yml --online"],
    ["List the errors for a script", "tongs workflow check --jq '.[] | select(.severity == \"error\")'"],
  ],
  async run(context) {
    const { args, flags, out } = context;
    const { checkFiles } = await import("./check/check-files.ts");
    const [files, found] = await checkFiles(args.file, flags, context);
    const isError = found.some(({ severity }) => severity === "error");
    if (out.records) await out.items(found);
    else await show(found, files, out);
    return isError ? "failure" : "ok";
  },
});

/** Prints a finding a line, as compilers do; what was not checked is a note, one for each cause. */
async function show(found: readonly Finding[], files: number, out: Output): Promise<void> {
  for (const finding of found) {
    const { file, line, column, severity, message, cause } = finding;
    const place = safeLine(`${file}:${line}:${column}`);
    if (severity === "unchecked") {
      const [first, ...others] = found.filter((one) => one.severity === "unchecked" && one.cause === cause);
      const more = others.length === 0 ? "" : ` (and ${others.length} more for the same reason)`;
      if (finding === first) out.note(`${place}: not checked: ${safeLine(message)}${more}`);
    } else {
      const word = out.palette(severity === "error" ? "bad" : "warn", severity);
      await out.raw(compose`${place}: ${word}: ${safeLine(message)}\n`);
    }
  }
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const of = (word: Finding["severity"]) => counted(found.filter(({ severity }) => severity === word).length, word);
  out.note(`Checked ${counted(files, "workflow file")}: ${of("error")}, ${of("warning")}`);
}
