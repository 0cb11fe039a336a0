import { Failure } from "../failure/failure.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { contentText } from "./contents.ts";
import type { Forge } from "./index.ts";

/** A workflow file as it is at a ref, and how its server reads inputs. */
export interface WorkflowSource {
  readonly path: string;
  readonly text: string;
  /** What a boolean input must be to be true: Forgejo takes only "on" (api-facts 3.6.5). */
  readonly yes: "true" | "on";
}

const folders = [".gitea/workflows", ".github/workflows"];

/** Reads the file of a workflow. Servers without workflow records look into the first of three folders that exists. */
export async function workflowSource(forge: Forge, repo: RepoName, file: string, ref: string): Promise<WorkflowSource> {
  const known = await forge.workflows.get(repo, file).then(
    ({ path }) => ({ paths: [path], yes: "true" as const }),
    (error: unknown) => {
      if (error instanceof UnknownOperationError)
        return { paths: [".forgejo/workflows", ...folders], yes: "on" as const };
      // It may be in another branch than the default one.
      if (error instanceof NotFoundError) return { paths: folders, yes: "true" as const };
      throw error;
    },
  );
  const paths = known.paths.map((path) => (path.endsWith(`/${file}`) ? path : `${path}/${file}`));
  for (const path of paths) {
    try {
      return { path, text: contentText(await forge.contents.file(repo, path, ref)), yes: known.yes };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw new Failure("not_found", "notFound", `There is no workflow ${file} at ${ref} in ${fullName(repo)}`, {
    hint: `Looked for ${paths.join(", ")}.`,
  });
}
