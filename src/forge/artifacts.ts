import { json, nothing, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, nullable, optional, record, string, time } from "../shape/shape.ts";

/** An artifact of a run. `size_in_bytes` is that of the zip file; of its run only `id` and `head_sha` count (api-facts 3.6.8). */
export const artifact = record({
  id: integer,
  name: string,
  size_in_bytes: integer,
  url: string,
  archive_download_url: string,
  /** Set by a daily job: false for some hours after `expires_at`. */
  expired: boolean,
  workflow_run: nullable(record({ id: integer, repository_id: optional(integer), head_sha: string })),
  created_at: time,
  updated_at: time,
  expires_at: time,
});

export type Artifact = Infer<typeof artifact>;

const listed = { envelope: "artifacts", unique: "id", since: "1.24" } as const;
const since = "1.24";

/** Artifacts of runs (api-facts 3.6.8). Forgejo has none of these operations. */
export const artifacts = (http: Http) => ({
  /** All of a repository, oldest first. `name` is exact. */
  list: (repo: RepoName, name?: string) =>
    http.list<Artifact>(path`/repos/${repo.owner}/${repo.name}/actions/artifacts`, { ...listed, query: { name } }),

  /** Those of every attempt of a run; none for a run that does not exist. */
  ofRun: (repo: RepoName, run: number, name?: string) =>
    http.list<Artifact>(path`/repos/${repo.owner}/${repo.name}/actions/runs/${run}/artifacts`, {
      ...listed,
      query: { name },
    }),

  get: (repo: RepoName, id: number) =>
    http.get(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}`, { answers: json<Artifact>(), since }),

  /** An expired one stays in the lists. */
  delete: (repo: RepoName, id: number) =>
    http.delete(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}`, { answers: nothing, since }),

  /** The zip file, by way of a newly signed address; `signed` is waited for when that address is there. */
  download: (repo: RepoName, id: number, headers: Readonly<Record<string, string>>, signed: () => Promise<void>) =>
    http.get(path`/repos/${repo.owner}/${repo.name}/actions/artifacts/${id}/zip`, {
      ...{ answers: stream, headers, beforeRedirect: signed, since },
    }),
});
