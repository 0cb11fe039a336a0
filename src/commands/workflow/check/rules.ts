import type { Called } from "./calls.ts";
import { didYouMean, type Report } from "./finding.ts";
import { isGitHubEvent } from "./library.ts";
import type { Reference } from "./references.ts";
import { githubNames, type Product, workflowServers } from "./servers.ts";
import type { Job, Workflow } from "./workflow.ts";

const { gitea, forgejo } = workflowServers;

/** What a context has, how a sentence says that it lacks a name, and the outputs of a name, if they are all known. */
type Names = { names: readonly string[]; lacks: string; outputs?: (name: string) => readonly string[] | undefined };

/**
 * Finds what expressions name and there is not: keys of a matrix, jobs, earlier steps, their outputs, and inputs. That
 * `github` lacks a name is only a warning, as later releases can have it.
 */
export function checkReferences({ kind, inputs, jobs, references }: Workflow, called: Called, report: Report): void {
  const jobOutputs = (id: string) => {
    const job = jobs.find((one) => one.id.toLowerCase() === id);
    return job?.uses === undefined ? job?.outputs : called.get(job.uses)?.callee.declared?.outputs;
  };
  const ofAll = new Map<string, Names>(
    ["github", ...forgejo.aliases].map((name) => [name, { names: githubNames, lacks: "the servers have no" }]),
  );
  if (inputs !== undefined) ofAll.set("inputs", { names: inputs, lacks: `the ${kind} has no input` });
  const ids = jobs.map(({ id }) => id.toLowerCase());
  check(references, new Map(ofAll).set("jobs", { names: ids, lacks: "the workflow has no job", outputs: jobOutputs }));
  for (const { id, needs, matrix, steps, references } of jobs) {
    const here = kind === "action" ? "the action" : `job '${id}'`;
    const ofJob = new Map(ofAll).set("needs", { names: needs, lacks: `${here} does not need`, outputs: jobOutputs });
    if (matrix) ofJob.set("matrix", { names: [...matrix.keys()], lacks: `the matrix of ${here} has no key` });
    const withSteps = (before: Job["steps"], which: string) =>
      new Map(ofJob).set("steps", {
        names: before.flatMap((step) => step.id ?? []),
        lacks: `${here} has no ${which}step with the ID`,
        outputs: (name) => called.get(before.findLast((step) => step.id === name)?.uses)?.callee.declared?.outputs,
      });
    check(references, withSteps(steps, ""));
    for (const [at, { references }] of steps.entries())
      if (references.length > 0) check(references, withSteps(steps.slice(0, at), "earlier "));
  }

  function check(all: readonly Reference[], contexts: ReadonlyMap<string, Names>): void {
    for (const { context, name, rest, at } of all) {
      const known = contexts.get(context);
      if (known === undefined || typeof name !== "string") continue;
      const [part, output] = rest;
      if (!known.names.includes(name.toLowerCase())) {
        const message = `${context}.${name}: ${known.lacks} '${name}'${didYouMean(name, known.names)}`;
        if (known.names === githubNames) report.warning("context", at, message);
        else report.error(context, at, message);
      } else if (part?.toLowerCase() === "outputs" && typeof output === "string") {
        const outputs = known.outputs?.(name.toLowerCase());
        if (outputs !== undefined && !outputs.includes(output.toLowerCase()))
          report.error(context, at, `${context}.${name} has no output '${output}'${didYouMean(output, outputs)}`);
      }
    }
  }
}

/** Events by which others start a workflow that has the secrets of the repository. */
const byOthers = ["pull_request_target", "issues", "issue_comment", "pull_request_comment"];

/** What others write into an event: titles, texts, messages, names of authors and of branches. */
const written = /^\w+\.(head_ref|event\.(.*\.)?(title|body|message|head\.(ref|label)|author\.(name|email)))$/i;

const shells = ["bash", "cmd", "node", "powershell", "pwsh", "python", "sh"];

/**
 * Finds conditions that are always true, shells that there are not, events with two filters that exclude each other, and
 * scripts that get what others write in them, where it can end a string and go on as commands.
 */
export function checkWords(workflow: Workflow, report: Report): void {
  for (const at of workflow.mixed) {
    report.warning("condition", at, `The condition is always true: text or a line break is outside of \${{ }}`);
  }
  for (const { text, at } of workflow.shells) {
    if (/^\w+$/.test(text) && !shells.includes(text))
      report.warning("shell", at, `No server has the shell '${text}'${didYouMean(text, shells)}`);
  }
  for (const keys of workflow.filters) {
    for (const { text, at } of keys) {
      if (keys.some((other) => `${other.text}-ignore` === text))
        report.warning("event", at, `An event has either ${text.replace("-ignore", "")} or ${text}, not both`);
    }
  }
  const event = workflow.events.find(({ text }) => byOthers.includes(text));
  for (const { context, name, rest, key, at } of event === undefined ? [] : allReferences(workflow)) {
    const path = `${context}.${[name, ...rest].map((part) => part ?? "*").join(".")}`;
    if (key !== "run" || !(context === "github" || forgejo.aliases.has(context)) || !written.test(path)) continue;
    const what = `anyone can put commands into ${path}, and on '${event?.text}' they run with your secrets`;
    report.warning("injection", at, `Script injection: ${what}. Pass it in env, and use the variable`);
  }
}

/** Finds events and contexts that the server does not know. */
export function checkServer(workflow: Workflow, product: Product | undefined, report: Report): void {
  const server = product && workflowServers[product];
  for (const { text: event, at } of workflow.events) {
    if (!gitea.events.has(event) && !isGitHubEvent(event)) {
      const near = didYouMean(event, [...gitea.events]);
      report.error("event", at, `No server starts workflows on '${event}'${near}`);
    } else if (!gitea.events.has(event)) {
      report.warning("event", at, `Neither Gitea nor Forgejo starts workflows on '${event}'`);
    } else if (server && !server.events.has(event)) {
      report.warning("event", at, `${server.name} starts no workflow on '${event}'`);
    }
  }
  for (const { context, at } of allReferences(workflow)) {
    if (server && forgejo.aliases.has(context) && !server.aliases.has(context))
      report.error("context", at, `${server.name} has no context '${context}'; both have 'gitea'`);
  }
}

/** What all expressions of a workflow name. */
export const allReferences = ({ jobs, references }: Workflow): readonly Reference[] => [
  ...references,
  ...jobs.flatMap((job) => [...job.references, ...job.steps.flatMap((step) => step.references)]),
];
