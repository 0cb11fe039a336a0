import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { RepositoryContext } from "../../../app/context.ts";
import { fileGet, readFolder } from "../../../forge/contents.ts";
import { call } from "../../../forge/operation.ts";
import { repoCheck } from "../../../forge/repos.ts";
import { DeniedError, NotFoundError } from "../../../http/errors.ts";
import { addressText } from "../../../profiles/server.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";
import type { Report } from "./finding.ts";
import type { Known } from "./known.ts";
import { didYouMean } from "./rules.ts";
import { actionFiles, actionPrograms, workflowServers } from "./servers.ts";
import type { Job, Program, Step, Word, Workflow } from "./workflow.ts";

/** Where actions and workflows are looked for. */
export interface Places {
  readonly on: RepositoryContext | undefined;
  /** Looks for a ref of a repository on any host, with `--online`: why it was not found; undefined if it was. */
  readonly online: ((url: string, ref: string) => Promise<Missing | undefined>) | undefined;
  readonly product: Known["product"];
}

/** Why something was not found, and whether it is certain that it is missing. */
export interface Missing {
  readonly reason: string;
  readonly isCertain: boolean;
  /** The part of the reason that is the same for others. */
  readonly cause?: string;
}

const anyOfAction = [...actionFiles, "Dockerfile"];

/** Looks for the actions and workflows that a workflow uses. `top`: the top folder of the clone that it is in. */
export type CheckActions = (workflow: Workflow, top: string | undefined, report: Report) => Promise<void>;

/** Looks for the actions of steps and the workflows that jobs call, once each. */
export function actionChecker(places: Places): CheckActions {
  const asked = new Map<string, Promise<Missing | undefined>>();
  return async ({ jobs }, top, report) => {
    const check = async (uses: Word, isWorkflow: boolean, before: readonly Step[]) => {
      const target = parseUses(uses.text, isWorkflow, places);
      if (target === undefined) return;
      if (typeof target === "string") return report.error("action", uses.at, target);
      const key = JSON.stringify([isWorkflow, uses.text, top]);
      const search = asked.get(key) ?? find(target, isWorkflow, { ...places, top });
      asked.set(key, search);
      const missing = await search;
      if (missing === undefined) return;
      // An earlier step can have put it there.
      const isMade = target.kind === "local" && before.some(({ path }) => path !== undefined);
      if (missing.isCertain && !isMade) report.error("action", uses.at, missing.reason);
      else report.unchecked("action", uses.at, missing.reason, missing.cause);
    };
    for (const job of jobs) for (const [uses, isWorkflow, before] of usesOf(job)) await check(uses, isWorkflow, before);
  };
}

/**
 * Finds what an action lacks to run, by its program. A file that is not there is only a warning, because an earlier step can
 * make it. `folder`: where the action is, if that is known.
 */
export function checkProgram({ using, files, at }: Program, folder: string | undefined, report: Report): void {
  const program = using?.text.toLowerCase() ?? "";
  const needed = actionPrograms[program];
  const missing = at === undefined ? "runs" : using === undefined ? "using" : needed && !files.has(needed) && needed;
  if (missing) report.error("syntax", at, `Required property is missing: ${missing}`);
  const known = Object.keys(actionPrograms);
  if (using !== undefined && !known.includes(program))
    report.error("action", using.at, `No server runs actions with '${using.text}'${didYouMean(program, known)}`);
  for (const [key, { text, at }] of files) {
    const isImage = key === "image";
    if (needed === undefined || isImage !== (needed === "image") || text.startsWith("docker://")) continue;
    // Node finds a file without its ending, too.
    if (folder === undefined || ["", ".js"].some((ending) => existsSync(join(folder, text + ending)))) continue;
    report.warning("action", at, `${text} does not exist: the action fails unless a step makes it before`);
  }
}

function usesOf({ uses, steps }: Job): readonly (readonly [Word, boolean, readonly Step[]])[] {
  const called = uses === undefined ? [] : [[uses, true, []] as const];
  return [
    ...called,
    ...steps.flatMap((step, at) => (step.uses ? [[step.uses, false, steps.slice(0, at)] as const] : [])),
  ];
}

type Target =
  | { readonly kind: "local"; readonly path: string }
  | { readonly kind: "here"; readonly repo: RepoName; readonly path: string; readonly ref: string }
  | { readonly kind: "elsewhere"; readonly url: string | undefined; readonly repo: string; readonly ref: string }
  | { readonly kind: "unknown" };

/** What `uses` names; a sentence if it names nothing, undefined for an image. */
function parseUses(text: string, isWorkflow: boolean, { on }: Places): Target | string | undefined {
  if (text.includes("${{")) return { kind: "unknown" };
  if (text.startsWith("docker://") && !isWorkflow) return undefined;
  if (/^\.\.?(\/|$)/.test(text)) return { kind: "local", path: text };
  const base = on === undefined ? undefined : `${addressText(on.server.base)}/`;
  const isHere = base !== undefined && text.toLowerCase().startsWith(base.toLowerCase());
  const [, url = ""] = isHere ? [] : (/^(https?:\/\/[^/]*)\//i.exec(text) ?? []);
  if (url.includes("@")) return "A URL of uses must not have a user or password";
  const rest = text.slice(isHere ? base.length : url === "" ? 0 : url.length + 1);
  const [, owner, name, path = "", ref] = /^([^/@:]+)\/([^/@:]+?)(?:\.git)?((?:\/[^@]*)?)@(.+)$/.exec(rest) ?? [];
  if (owner === undefined || name === undefined || ref === undefined) {
    const forms = isWorkflow
      ? "OWNER/NAME/PATH@REF, a URL or ./PATH"
      : "OWNER/NAME@REF, a URL, ./PATH or docker://IMAGE";
    return `'${text}' is not ${forms}`;
  }
  const repo = { owner, name };
  if (isHere || (url === "" && isWorkflow && on !== undefined)) return { kind: "here", repo, path: path.slice(1), ref };
  return { kind: "elsewhere", url: url === "" ? undefined : url, repo: fullName(repo), ref };
}

/** Where to look, from one file. */
interface FromFile extends Places {
  readonly top: string | undefined;
}

async function find(target: Target, isWorkflow: boolean, places: FromFile): Promise<Missing | undefined> {
  if (target.kind === "unknown") return unsure("What an expression of uses names is known only when the job runs");
  if (target.kind === "local") return findLocal(target.path, isWorkflow, places);
  if (target.kind === "here" && places.on) return findHere(target, isWorkflow, places.on);
  if (target.kind !== "elsewhere") return undefined;
  const { url, repo, ref } = target;
  const product = url === undefined && places.online ? await places.product() : undefined;
  const host = url ?? (product && workflowServers[product].actions);
  const where = `${repo}@${ref}${url === undefined ? "" : ` on ${url}`}`;
  if (places.online === undefined) return unsure("other servers are only asked with --online", where);
  if (host === undefined) return unsure("without a server, it is not known where it is", where);
  const missing = await places.online(`${host}/${repo}`, ref);
  // The administrator can have set another place, which no API tells.
  return missing && url === undefined ? { ...missing, isCertain: false } : missing;
}

const unsure = (cause: string, what?: string): Missing => ({
  reason: what === undefined ? cause : `${what}: ${cause}`,
  isCertain: false,
  cause,
});
const certain = (reason: string): Missing => ({ reason, isCertain: true });

function findLocal(path: string, isWorkflow: boolean, { top }: Pick<FromFile, "top">): Missing | undefined {
  if (top === undefined)
    return unsure("the workflow that uses it is not in a clone here, so it was not looked for", path);
  const full = join(top, path);
  if (relative(top, full).split(sep)[0] === "..") return certain(`${path} is outside of the repository`);
  if (isWorkflow) return existsSync(full) ? undefined : certain(`${path} does not exist`);
  if (anyOfAction.some((file) => existsSync(join(full, file)))) return undefined;
  return certain(existsSync(full) ? `${path} has no ${anyOfAction.join(", ")}` : `${path} does not exist`);
}

async function findHere(
  { repo, path, ref }: Extract<Target, { readonly kind: "here" }>,
  isWorkflow: boolean,
  { http, server }: RepositoryContext,
): Promise<Missing | undefined> {
  const name = fullName(repo);
  try {
    if (isWorkflow) {
      await call(http, fileGet, { repo, filepath: path, ref });
      return undefined;
    }
    const entries = await readFolder(http, repo, path, ref);
    if (entries.some((entry) => anyOfAction.includes(entry.name))) return undefined;
    return certain(`${path === "" ? name : `${path} of ${name}`} has no ${anyOfAction.join(", ")} at ${ref}`);
  } catch (error) {
    if (error instanceof DeniedError && error.status !== 401)
      return unsure(`${name} cannot be read (${error.message})`);
    if (!(error instanceof NotFoundError)) throw error;
    // What may not be read is not found, too.
    if (!(await call(http, repoCheck, { repo }))) {
      return unsure(`${name} on ${server.base.host} does not exist, or you may not read it`);
    }
    return certain(`${name} has no ${path === "" ? "" : `${path} at `}${ref}`);
  }
}
