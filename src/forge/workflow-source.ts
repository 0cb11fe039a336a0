import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { contentsApi, contentText } from "./contents.ts";
import { workflowsApi } from "./workflows.ts";

/** A workflow file at a ref, and how the server reads its inputs. */
export interface WorkflowSource {
  readonly path: string;
  readonly text: string;
  /** The value of a true boolean input: Forgejo accepts only "on" (docs/server-differences.md, "Workflows"). */
  readonly trueValue: "true" | "on";
}

const folders = [".gitea/workflows", ".github/workflows"];

/** Reads a workflow file. Servers without workflow records use the first of three folders that exists. */
export async function workflowSource(http: Http, repo: RepoName, file: string, ref: string): Promise<WorkflowSource> {
  const known = await workflowsApi(http)
    .get(repo, file)
    .then(
      ({ path }) => ({ paths: [path], yes: "true" as const }),
      (error: unknown) => {
        if (error instanceof UnknownOperationError)
          return { paths: [".forgejo/workflows", ...folders], yes: "on" as const };
        // The file may exist only on another branch than the default branch.
        if (error instanceof NotFoundError) return { paths: folders, yes: "true" as const };
        throw error;
      },
    );
  const paths = known.paths.map((path) => (path.endsWith(`/${file}`) ? path : `${path}/${file}`));
  for (const path of paths) {
    try {
      return { path, text: contentText(await contentsApi(http).file(repo, path, ref)), trueValue: known.yes };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw new Failure("not_found", "notFound", `Workflow ${file} not found at ${ref} in ${fullName(repo)}`, {
    hint: `Looked for ${paths.join(", ")}.`,
  });
}
