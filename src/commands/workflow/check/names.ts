import { isBasicExpression, isMapping, isSequence, isString } from "@actions/workflow-parser";
import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import { didYouMean, type Report } from "./finding.ts";
import type { Known } from "./known.ts";
import { referencesOf } from "./references.ts";
import { allReferences } from "./rules.ts";
import { workflowServers } from "./servers.ts";
import { itemsOf, type Job, type Workflow } from "./workflow.ts";

/**
 * Finds secrets and variables that do not exist. In a larger expression, which can allow for that, it is a warning. Asks
 * only for what the workflow names.
 */
export async function checkNames(workflow: Workflow, known: Known, report: Report): Promise<void> {
  const { gitea, forgejo } = workflowServers;
  for (const { context, name: typed, at, isAlone } of allReferences(workflow)) {
    if ((context !== "vars" && context !== "secrets") || typed === undefined) continue;
    const rule = context === "vars" ? "variable" : "secret";
    const name = typed?.toUpperCase();
    if (name === undefined) {
      report.unchecked(rule, at, `The name of a ${rule} is known only when the job runs`);
      continue;
    }
    if (rule === "secret") {
      // Each job has some, and callers pass others.
      if (gitea.secrets.has(name) || workflow.declared?.secrets?.has(name.toLowerCase())) continue;
      if (forgejo.secrets.has(name) && known.product === "forgejo") continue;
    }
    const supply = rule === "secret" ? known.secrets : known.variables;
    const { found, unread } = await supply((names) => names.includes(name));
    const message = `The ${rule} '${typed}' does not exist${didYouMean(name, found)}`;
    if (found.includes(name)) continue;
    if (unread !== undefined) report.unchecked(rule, at, `The ${rule} '${typed}': ${unread}`, unread);
    else if (isAlone) report.error(rule, at, message);
    else report.warning(rule, at, message);
  }
}

/** Finds jobs that no runner takes: a runner must have all labels of `runs-on`. Asks only if a job has labels. */
export async function checkLabels({ jobs }: Workflow, { runners }: Known, report: Report): Promise<void> {
  for (const { id, runsOn, matrix } of jobs) {
    const sets = runsOn && labelSets(runsOn, matrix);
    const at = runsOn?.range?.start;
    if (runsOn !== undefined && sets === undefined)
      report.unchecked("label", at, `The labels of job '${id}' are known only when it runs`);
    // An expression with a mistake stays text.
    const isWrong = sets?.flat().some((label) => label === "" || label.includes("${{"));
    for (const labels of isWrong ? [] : (sets ?? [])) await checkSet(id, labels, at, { runners, report });
  }
}

async function checkSet(
  id: string,
  labels: readonly string[],
  at: Parameters<Report["error"]>[1],
  { runners, report }: Pick<Known, "runners"> & { readonly report: Report },
): Promise<void> {
  type Runner = Parameters<Parameters<Known["runners"]>[0]>[0][number];
  const fits = (runner: Runner) => labels.every((label) => runner.labels.includes(label));
  const works = ({ isOnline, isDisabled }: Runner) => isOnline && !isDisabled;
  const { found, unread } = await runners((all) => all.some((runner) => fits(runner) && works(runner)));
  const fitting = found.filter(fits);
  if (fitting.some(works)) return;
  const listed = labels.map((label) => `'${label}'`).join(", ");
  const words = labels.length === 1 ? `the label ${listed}` : `all of the labels ${listed}`;
  if (unread !== undefined) return report.unchecked("label", at, `Runners with ${words}: ${unread}`, unread);
  if (fitting.length > 0) {
    const why = fitting.some(({ isOnline }) => isOnline) ? "disabled or offline" : "offline";
    return report.warning("label", at, `Only runners that are ${why} have ${words}`);
  }
  const known = [...new Set(found.flatMap((runner) => runner.labels))];
  const [unknown = ""] = labels.filter((label) => !known.includes(label));
  report.error("label", at, `No runner has ${words}, so job '${id}' waits for ever${didYouMean(unknown, known)}`);
}

/** The labels that jobs of a matrix ask for: texts, or one value of the matrix alone. Undefined if they are not known. */
function labelSets(runsOn: TemplateToken, matrix: Job["matrix"]): readonly (readonly string[])[] | undefined {
  // The servers take a group as one more label.
  const given = isMapping(runsOn) ? [...runsOn].map(({ value }) => value) : [runsOn];
  const parts = given.flatMap((part) => (isSequence(part) ? itemsOf(part) : [part]));
  if (parts.length === 0) return [];
  if (parts.every(isString)) return [parts.map(({ value }) => value)];
  const [part, ...others] = parts;
  const isOne = part !== undefined && others.length === 0 && isBasicExpression(part) && !part.originalExpressions;
  const [reference] = isOne ? referencesOf(part) : [];
  const isOfMatrix = reference?.isAlone && reference.context === "matrix" && reference.rest.length === 0;
  const values = isOfMatrix ? matrix?.get(reference.name?.toLowerCase() ?? "") : undefined;
  return values && [...new Set(values)].map((value) => [value]);
}
