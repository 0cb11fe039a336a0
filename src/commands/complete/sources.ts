import { entities, isInRepository } from "../../app/entities.ts";
import { keptOperations } from "../../app/operation-words.ts";
import type { QuietContext } from "../../app/quiet-context.ts";
import { selectedLevel } from "../../app/shared.ts";
import { workflowFile } from "../../app/workflow-file.ts";
import { declaredInputs } from "../../app/workflow-inputs.ts";
import type { Offer, TypedLine } from "../../command/complete.ts";
import type { Source } from "../../command/source.ts";
import { call } from "../../forge/operation.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { workflowSource } from "../../forge/workflow-source.ts";
import type { Http } from "../../http/client.ts";
import { openAliases } from "../../profiles/aliases.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { cached } from "./cache.ts";

/** The entities with titles, which are read up to one page. */
const titled: readonly Source[] = ["pull", "issue", "thread", "closed issue", "release", "run", "artifact"];

/** Reads what a source lists, from the server or from the answers of the last 20 seconds. */
export async function liveOffers(source: Source, line: TypedLine, context: QuietContext): Promise<readonly Offer[]> {
  if (source === "profile") {
    const { profiles } = context.profiles.read();
    return Object.entries(profiles).map(([word, { host }]) => ({ word, description: host }));
  }
  if (source === "alias") {
    const aliases = openAliases(context.system).read();
    return Object.entries(aliases).map(([word, expansion]) => ({ word, description: expansion }));
  }
  if (source === "new branch" || source === "new tag") return [];
  if (source === "operation") return keptOperations(context.system).map(({ id }) => ({ word: id }));
  if (source === "parameter") {
    const typed = keptOperations(context.system).find(({ id }) => id === line.args[0]);
    return (typed?.parameters ?? []).map((word) => ({ word }));
  }
  const server = await context.choose();
  const has = (name: string) => line.switches.has(name);
  const level = selectedLevel({ org: line.flags.get("org")?.at(-1), user: has("user"), admin: has("admin") });
  const repo =
    level === undefined && (source === "input" || isInRepository(source))
      ? await context.locate()
      : { owner: "", name: "" };
  const key = [server.base.href, server.profile, server.user, fullName(repo), source, level, dependsOn(source, line)];
  return cached(context.system, key, async () => {
    const { http } = await context.connect();
    if (source === "input") return workflowInputs(http, repo, line);
    const listed = await entities[source].list(
      { http, repo, level: level ?? { of: "repository", repo } },
      titled.includes(source) ? 50 : 200,
    );
    return listed.map(({ word, description }) => ({ word, description }));
  });
}

/** What else of the command line the answer depends on. */
function dependsOn(source: Source, line: TypedLine): unknown {
  return source === "input" ? [line.args[0], line.flags.get("ref")] : undefined;
}

/** `NAME=` for each input of the workflow, and `NAME=VALUE` for one with few values. */
async function workflowInputs(http: Http, repo: RepoName, line: TypedLine): Promise<Offer[]> {
  const typed = line.args[0];
  if (typed === undefined) return [];
  const file = await workflowFile(typed, { of: "repository", repo }, { http });
  const ref = line.flags.get("ref")?.at(-1) ?? defaultBranch(await call(http, repoGet, { repo }));
  const { text } = await workflowSource(http, repo, file, ref);
  return [...(await declaredInputs(text, file))].flatMap(([name, { type, options }]) => {
    const values = type === "boolean" ? ["true", "false"] : options;
    return [{ word: `${name}=`, description: type }, ...values.map((value) => ({ word: `${name}=${value}` }))];
  });
}
