import { nearest } from "../../../text/nearest.ts";
import type { Report } from "./finding.ts";
import type { Known } from "./known.ts";
import { isGitHubEvent } from "./library.ts";
import type { Reference } from "./references.ts";
import { type Product, workflowServers } from "./servers.ts";
import type { Job, Workflow } from "./workflow.ts";

const { gitea, forgejo } = workflowServers;
const productNames = { gitea: "Gitea", forgejo: "Forgejo" } as const;

/** Finds what jobs name and do not have: `matrix.KEY`, `needs.JOB`, its outputs, `steps.ID`, inputs; and `jobs.JOB` of outputs. */
export function checkJobs(
  workflow: Pick<Workflow, "kind" | "inputs" | "jobs" | "references" | "wrongDefaults" | "schedules">,
  report: Report,
): void {
  const { kind, inputs, jobs, wrongDefaults } = workflow;
  for (const { text, at } of workflow.schedules) {
    if (!hasDay(text)) report.error("schedule", at, `No month of the schedule '${text}' has such a day`);
  }
  for (const { text, at } of wrongDefaults)
    report.warning("inputs", at, `The default '${text}' is no value that the input can have`);
  for (const { context, name, at } of allReferences(workflow)) {
    if (
      inputs === undefined ||
      context.toLowerCase() !== "inputs" ||
      typeof name !== "string" ||
      inputs.includes(name.toLowerCase())
    )
      continue;
    report.error("inputs", at, `inputs.${name}: the ${kind} has no input '${name}'${didYouMean(name, inputs)}`);
  }
  for (const { text, at } of jobs.flatMap(({ empty }) => empty))
    report.error("syntax", at, `'${text}' must not be empty`);
  for (const job of jobs) {
    const known: Readonly<Record<string, readonly string[] | undefined>> = {
      matrix: job.matrix.isOpen ? undefined : [...job.matrix.values.keys()],
      needs: [...job.needs],
      steps: job.steps.flatMap(({ id }) => id ?? []),
    };
    for (const reference of job.references) {
      const context = reference.context.toLowerCase();
      const names = known[context];
      if (names === undefined || typeof reference.name !== "string") continue;
      if (names.includes(reference.name.toLowerCase())) {
        if (context === "needs") checkOutput(reference, jobs, report);
        continue;
      }
      report.error(context, reference.at, missing(job, context, reference.name, names));
    }
    for (const { text, at } of job.matrix.excluded) {
      const { keys } = job.matrix;
      if (!keys.includes(text))
        report.error("matrix", at, `The matrix of job '${job.id}' has no key '${text}'${didYouMean(text, keys)}`);
    }
  }
  for (const reference of workflow.references) {
    const { context, name, at } = reference;
    // Outputs of a workflow that can be called are those of its jobs.
    if (context.toLowerCase() !== "jobs" || typeof name !== "string") continue;
    const ids = jobs.map(({ id }) => id);
    if (ids.some((id) => id.toLowerCase() === name.toLowerCase())) checkOutput(reference, jobs, report);
    else report.error("jobs", at, `jobs.${name}: the workflow has no job '${name}'${didYouMean(name, ids)}`);
  }
}

function checkOutput(
  { context, at, name, rest: [part, output] }: Reference,
  jobs: readonly Job[],
  report: Report,
): void {
  const job = jobs.find(({ id }) => id.toLowerCase() === name?.toLowerCase());
  const isOutput = part?.toLowerCase() === "outputs" && typeof output === "string";
  if (!isOutput || job?.outputs === undefined || job.outputs.includes(output.toLowerCase())) return;
  const near = didYouMean(output, job.outputs);
  const of = context.toLowerCase();
  report.error(of, at, `${of}.${name}.outputs.${output}: job '${job.id}' has no output '${output}'${near}`);
}

/** The most days that each month has. */
const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a day of a cron expression is ever one of its months: 31 2 is none. Only plain numbers and lists are looked at. */
function hasDay(cron: string): boolean {
  const [, , day = "", month = "", weekday = ""] = cron
    .replace(/^(CRON_)?TZ=\S+ +/, "")
    .trim()
    .split(/\s+/);
  const numbers = (field: string) => (/^\d+(,\d+)*$/.test(field) ? field.split(",").map(Number) : undefined);
  const [days, months] = [numbers(day), numbers(month)];
  if (days === undefined || months === undefined || !["*", "?"].includes(weekday)) return true;
  return months.some((one) => Math.min(...days) <= (daysOf[one - 1] ?? 31));
}

function missing({ id }: Job, context: string, name: string, names: readonly string[]): string {
  const what = {
    matrix: `the matrix of job '${id}' has no key '${name}'`,
    needs: `job '${id}' does not need '${name}'`,
    steps: `${id === "" ? "the action" : `job '${id}'`} has no step with the ID '${name}'`,
  }[context];
  return `${context}.${name}: ${what}${didYouMean(name, names)}`;
}

/** ` (did you mean x?)`, or nothing. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearest(typed, [...new Set(names)]);
  return near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
}

/** Finds what the server ignores or does not know: events, keys and contexts. Asks which server it is where that matters. */
export async function checkServer(workflow: Workflow, known: Pick<Known, "product">, report: Report): Promise<void> {
  const only = async (has: (product: Product) => boolean): Promise<Product | undefined> => {
    if (has("gitea") && has("forgejo")) return undefined;
    const product = await known.product();
    return product === undefined || has(product) ? undefined : product;
  };
  for (const { text: event, at } of workflow.events) {
    if (!gitea.events.has(event) && !forgejo.events.has(event)) {
      // The schema has refused others.
      if (isGitHubEvent(event)) report.warning("event", at, `Neither Gitea nor Forgejo starts workflows on '${event}'`);
      continue;
    }
    const lacking = await only((product) => workflowServers[product].events.has(event));
    if (lacking) report.warning("event", at, `${productNames[lacking]} starts no workflow on '${event}'`);
  }
  const [first] = workflow.ofCalls;
  const starting = workflow.events.filter(({ text }) => text !== "workflow_call" && text !== "workflow_dispatch");
  if (first !== undefined && starting.length > 0 && (await known.product()) === "gitea") {
    const listed = starting.map(({ text }) => `'${text}'`).join(", ");
    const why = `Gitea ignores a file that has ${first.text} of workflow_call and starts on other events`;
    report.error("event", first.at, `${why}: nothing starts on ${listed}`);
  }
  for (const { text: key, at } of workflow.keys) {
    if (!forgejo.keys.has(key)) continue;
    const lacking = await only((product) => workflowServers[product].keys.has(key));
    if (lacking) report.warning("key", at, `${productNames[lacking]} ignores '${key}'`);
  }
  for (const { context, at } of workflow.ofGitea) {
    if (await only((product) => product === "gitea"))
      report.error("context", at, `Forgejo has no context '${context}' here; Gitea has`);
  }
  for (const { context, at } of allReferences(workflow)) {
    if (!forgejo.aliases.has(context.toLowerCase())) continue;
    const lacking = await only((product) => workflowServers[product].aliases.has(context.toLowerCase()));
    if (lacking) report.error("context", at, `${productNames[lacking]} has no context '${context}'; both have 'gitea'`);
  }
}

/** What all expressions of a workflow name. */
export const allReferences = ({ jobs, references }: Pick<Workflow, "jobs" | "references">): readonly Reference[] => [
  ...references,
  ...jobs.flatMap((job) => job.references),
];
