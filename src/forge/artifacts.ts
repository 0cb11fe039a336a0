import { json, nothing, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, nullable, optional, serverRecord, string, time } from "../shape/shape.ts";

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
    /** On Gitea only. */
    url: optional(string),
    archive_download_url: string,
    /** Set by a daily job, so up to a day after `expires_at`. */
    expired: optional(boolean),
    workflow_run: optional(
      nullable(
        serverRecord("a run", { id: integer, repository_id: optional(integer), head_sha: string }, ["id", "head_sha"]),
      ),
    ),
    /** On Forgejo, in place of `workflow_run`. */
    run_id: optional(integer),
    created_at: optional(time),
    updated_at: optional(time),
    expires_at: optional(time),
  },
  ["id", "name", "size_in_bytes", "expired", "workflow_run", "run_id", "created_at", "updated_at", "expires_at"],
);

export type Artifact = Infer<typeof artifact>;

/** The ID of the run of an artifact (docs/server-differences.md, "Artifacts"). */
export function runOfArtifact({ workflow_run, run_id }: Artifact): number | undefined {
  return workflow_run?.id ?? run_id;
}

const since = "1.24 and Forgejo 16.0";
const listed = { envelope: "artifacts", unique: "id", since } as const;

/** Artifacts. */
export function artifactsApi(http: Http) {
  return {
    /** Lists the artifacts of a repository, oldest first. `name` must match exactly. */
    list: (repo: RepoName, name?: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/artifacts`, {
        items: artifact,
        ...listed,
        query: { name },
      }),

    /** Lists the artifacts of all attempts of a run; an empty list if the run does not exist, on Forgejo 404. */
    ofRun: (repo: RepoName, run: number, name?: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/artifacts`, {
        items: artifact,
        ...listed,
        query: { name },
      }),

    get: (repo: RepoName, id: number) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}`, { answers: json(artifact), since }),

    /** Deletes an artifact. An expired one stays in the list. */
    delete: (repo: RepoName, id: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}`, { answers: nothing, since }),

    /** Downloads the zip file through a signed redirect; waits for `signed` before following the redirect. */
    download: (repo: RepoName, id: number, headers: Readonly<Record<string, string>>, signed: () => Promise<void>) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}/zip`, {
        ...{ answers: stream, headers, beforeRedirect: signed, since },
      }),
  };
}
