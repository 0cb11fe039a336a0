import { Failure } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { contentText, fileGet } from "./contents.ts";
import { call } from "./operation.ts";
import { contentsRef } from "./resolve-commit.ts";
import { workflowGet } from "./workflows.ts";

/** A workflow file at a ref, and how the server takes a dispatch (docs/server-differences.md, "Workflows"). */
export interface WorkflowSource extends Dialect {
  readonly path: string;
  readonly text: string;
}

interface Dialect {
  /** The value of a true boolean input: Forgejo accepts only "on". */
  readonly trueValue: "true" | "on";
  /** Where the server is asked to return the run. */
  readonly returnRun: "query" | "body";
}

const gitea: Dialect = { trueValue: "true", returnRun: "query" };
const forgejo: Dialect = { trueValue: "on", returnRun: "body" };

const folders = [".gitea/workflows", ".github/workflows"];

/** Reads a workflow file. Servers without workflow records use the first of three folders that exists. */
export async function workflowSource(http: Http, repo: RepoName, file: string, ref: string): Promise<WorkflowSource> {
  const known = await call(http, workflowGet, { repo, workflow_id: file }).then(
    ({ path }) => ({ paths: [path], dialect: gitea }),
    (error: unknown) => {
      if (error instanceof UnknownOperationError)
        return { paths: [".forgejo/workflows", ...folders], dialect: forgejo };
      // The file may exist only on another branch than the default branch.
      if (error instanceof NotFoundError) return { paths: folders, dialect: gitea };
      throw error;
    },
  );
  const paths = known.paths.map((path) => (path.endsWith(`/${file}`) ? path : `${path}/${file}`));
  const at = await contentsRef(ref, { http, repo });
  for (const path of paths) {
    try {
      return {
        path,
        text: contentText(await call(http, fileGet, { repo, filepath: path, ref: at })),
        ...known.dialect,
      };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw new Failure("not_found", `Workflow ${file} not found at ${ref} in ${fullName(repo)}`, {
    hint: `Looked for ${paths.join(", ")}.`,
  });
}
