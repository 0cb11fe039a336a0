import { stream } from "../http/answers.ts";
import { boolean, type Infer, integer, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";

/**
 * An artifact. `size_in_bytes` is the size of the zip file; of its run only `id` and `head_sha` are reliable
 * (docs/server-differences.md, "Artifacts").
 */
export const artifact = serverRecord(
  "an artifact",
  {
    id: integer,
    name: string,
    size_in_bytes: integer,
    /** Set by a daily job, so up to a day after `expires_at`. */
    expired: optional(boolean),
    workflow_run: optional(
      nullable(serverRecord("a run", { id: integer, head_sha: string }, { repository_id: optional(integer) })),
    ),
    /** On Forgejo, in place of `workflow_run`. */
    run_id: optional(integer),
    created_at: optional(time),
    updated_at: optional(time),
    expires_at: optional(time),
  },
  {
    /** On Gitea only. */
    url: optional(string),
    archive_download_url: string,
  },
);

export type Artifact = Infer<typeof artifact>;

/** The ID of the run of an artifact (docs/server-differences.md, "Artifacts"). */
export function runOfArtifact({ workflow_run, run_id }: Artifact): number | undefined {
  return workflow_run?.id ?? run_id;
}

const listed = pagesOf(artifact, { envelope: "artifacts" });

/** The artifacts of a repository, oldest first. `name` must match exactly. */
export const artifactList = operation("GET", "/repos/{owner}/{repo}/actions/artifacts", { answers: listed });

/** The artifacts of all attempts of a run; an empty list if the run does not exist, on Forgejo 404. */
export const runArtifactList = operation("GET", "/repos/{owner}/{repo}/actions/runs/{run}/artifacts", {
  answers: listed,
});

export const artifactGet = operation("GET", "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}", {
  answers: artifact,
});

/** Deletes an artifact. An expired one stays in the list. */
export const artifactDelete = operation("DELETE", "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}");

/** Downloads the zip file through a signed redirect. */
export const artifactDownload = operation("GET", "/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip", {
  answers: stream,
});
