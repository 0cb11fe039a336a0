import type { Report } from "./finding.ts";
import type { Known } from "./known.ts";
import type { Reference } from "./references.ts";
import { allReferences, didYouMean } from "./rules.ts";
import { workflowServers } from "./servers.ts";
import type { Workflow } from "./workflow.ts";

/** Secrets that jobs have on either server, or only on Forgejo. */
const automatic = { both: workflowServers.gitea.secrets, forgejo: workflowServers.forgejo.secrets };

/**
 * Finds secrets and variables that do not exist. In a larger expression, which can allow for that, it is a warning. Asks
 * only for what the workflow names.
 */
export async function checkNames(workflow: Workflow, known: Known, report: Report): Promise<void> {
  for (const reference of allReferences(workflow)) {
    const context = reference.context.toLowerCase();
    if (context === "vars") await checkName("variable", reference, known, report);
    if (context !== "secrets") continue;
    const name = reference.name?.toUpperCase() ?? "";
    if (automatic.both.has(name) || workflow.passed.has(name)) continue;
    if (automatic.forgejo.has(name) && (await known.product()) === "forgejo") continue;
    await checkName("secret", reference, known, report);
  }
}

async function checkName(
  rule: "secret" | "variable",
  { at, name, isAlone }: Reference,
  known: Known,
  report: Report,
): Promise<void> {
  if (name === undefined) return;
  if (name === null) return report.unchecked(rule, at, `The name of a ${rule} is known only when the job runs`);
  const supply = rule === "secret" ? known.secrets : known.variables;
  const { found, unread } = await supply((names) => names.includes(name.toUpperCase()));
  if (found.includes(name.toUpperCase())) return;
  if (unread !== undefined) return report.unchecked(rule, at, `The ${rule} '${name}': ${unread}`, unread);
  const message = `The ${rule} '${name}' does not exist${didYouMean(name.toUpperCase(), found)}`;
  if (isAlone) report.error(rule, at, message);
  else report.warning(rule, at, message);
}
