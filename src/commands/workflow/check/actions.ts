import type { RepositoryContext } from "../../../app/context.ts";
import { readFolder } from "../../../forge/contents.ts";
import { call } from "../../../forge/operation.ts";
import { repoCheck } from "../../../forge/repos.ts";
import { DeniedError, NotFoundError } from "../../../http/errors.ts";
import { addressText } from "../../../profiles/server.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";
import { once } from "../../../system/concurrency.ts";
import { anyOfAction, isLocal, localFile, usesIn } from "./calls.ts";
import { didYouMean, type Report } from "./finding.ts";
import { actionPrograms, type Product, workflowServers } from "./servers.ts";
import type { Step, Workflow } from "./workflow.ts";

/** Where actions and workflows are looked for. */
export interface Places {
  readonly on: RepositoryContext | undefined;
  /** Looks for a ref of a repository on any host, with `--online`: why it was not found; undefined if it was. */
  readonly online: ((url: string, ref: string) => Promise<Missing | undefined>) | undefined;
  readonly product: Product | undefined;
}

/** Why something was not found, and whether it is certain that it is missing. */
export interface Missing {
  readonly reason: string;
  readonly isCertain: boolean;
  /** The part of the reason that is the same for others. */
  readonly cause?: string;
}

/**
 * Looks for the actions of steps and the workflows that jobs call, each once. `top`: the top folder of the clone that the
 * workflow is in.
 */
export function actionChecker(places: Places) {
  const search = once((...of: Parameters<typeof find>) => JSON.stringify(of.slice(0, 3)), find);
  return async (workflow: Workflow, top: string | undefined, report: Report): Promise<void> => {
    for (const { uses, isWorkflow, job, at } of usesIn(workflow)) {
      const missing = await search(uses.text, isWorkflow, top, places);
      if (missing === undefined) continue;
      // An earlier step with a path can have put it there.
      const makes = ({ with: inputs }: Step, place: number) => place < at && inputs.some(({ text }) => text === "path");
      const isMade = isLocal(uses.text) && job.steps.some(makes);
      if (missing.isCertain && !isMade) report.error("action", uses.at, missing.reason);
      else report.unchecked("action", uses.at, missing.reason, missing.cause);
    }
  };
}

/** Finds what an action lacks to run, by its program. */
export function checkProgram({ kind, runs }: Workflow, report: Report): void {
  if (kind === "workflow") return;
  const using = runs?.find(({ text }) => text === "using");
  const program = String(using?.value ?? "").toLowerCase();
  const needed = actionPrograms.get(program);
  const missing = [runs && "using", needed].find((key) => key && !runs?.some(({ text }) => text === key));
  if (runs === undefined || missing)
    report.error("syntax", undefined, `Required property is missing: ${missing ?? "runs"}`);
  else if (needed === undefined) {
    const near = didYouMean(program, [...actionPrograms.keys()]);
    report.error("action", using?.value.range?.start, `No server runs actions with '${program}'${near}`);
  }
}

const unsure = (cause: string, what?: string): Missing => ({
  reason: what === undefined ? cause : `${what}: ${cause}`,
  isCertain: false,
  cause,
});
const certain = (reason: string): Missing => ({ reason, isCertain: true });

/** Looks for what `uses` names; undefined if it is there, and for an image. */
async function find(
  uses: string,
  isWorkflow: boolean,
  top: string | undefined,
  { on, online, product }: Places,
): Promise<Missing | undefined> {
  if (uses.includes("${{")) return unsure("What an expression of uses names is known only when the job runs");
  if (uses.startsWith("docker://") && !isWorkflow) return undefined;
  if (isLocal(uses)) {
    if (top === undefined)
      return unsure("the workflow that uses it is not in a clone here, so it was not looked for", uses);
    const file = localFile(uses, isWorkflow, top);
    return "missing" in file ? certain(file.missing) : undefined;
  }
  const base = on && `${addressText(on.server.base)}/`;
  const isHere = base !== undefined && uses.toLowerCase().startsWith(base.toLowerCase());
  const [, url] = isHere ? [] : (/^(https?:\/\/[^/]*)\//i.exec(uses) ?? []);
  if (url?.includes("@")) return certain("A URL of uses must not have a user or password");
  const rest = isHere ? uses.slice(base.length) : uses.slice(url === undefined ? 0 : url.length + 1);
  const [, owner, name, path = "", ref] = /^([^/@:]+)\/([^/@:]+?)(?:\.git)?((?:\/[^@]*)?)@(.+)$/.exec(rest) ?? [];
  if (owner === undefined || name === undefined || ref === undefined) {
    const forms = isWorkflow ? "OWNER/NAME/PATH@REF, a URL or" : "OWNER/NAME@REF, a URL, docker://IMAGE or";
    return certain(`'${uses}' is not ${forms} ./PATH`);
  }
  if (on !== undefined && (isHere || (url === undefined && isWorkflow)))
    return findHere({ owner, name }, path.slice(1), ref, isWorkflow, on);
  const where = `${fullName({ owner, name })}@${ref}${url === undefined ? "" : ` on ${url}`}`;
  if (online === undefined) return unsure("other servers are only asked with --online", where);
  const host = url ?? (product && workflowServers[product].actions);
  if (host === undefined) return unsure("without a server, it is not known where it is", where);
  const missing = await online(`${host}/${fullName({ owner, name })}`, ref);
  // The administrator can have set another place, which no API tells.
  return missing && url === undefined ? { ...missing, isCertain: false } : missing;
}

async function findHere(
  repo: RepoName,
  path: string,
  ref: string,
  isWorkflow: boolean,
  { http, server }: RepositoryContext,
): Promise<Missing | undefined> {
  const name = fullName(repo);
  try {
    // A workflow is looked for in its folder.
    const folder = isWorkflow ? path.replace(/(^|\/)[^/]*$/, "") : path;
    const names = isWorkflow ? [path.slice(path.lastIndexOf("/") + 1)] : anyOfAction;
    const entries = await readFolder(http, repo, folder, ref);
    if (entries.some((entry) => names.includes(entry.name))) return undefined;
    return certain(`${folder === "" ? name : `${folder} of ${name}`} has no ${names.join(", ")} at ${ref}`);
  } catch (error) {
    if (error instanceof DeniedError && error.status !== 401)
      return unsure(`${name} cannot be read (${error.message})`);
    if (!(error instanceof NotFoundError)) throw error;
    // What may not be read is not found, too.
    if (!(await call(http, repoCheck, { repo })))
      return unsure(`${name} on ${server.base.host} does not exist, or you may not read it`);
    return certain(`${name} has no ${path === "" ? "" : `${path} at `}${ref}`);
  }
}
