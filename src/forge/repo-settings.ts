import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { ServerError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { integer, map } from "../shape/shape.ts";
import { type Repository, repository } from "./repos.ts";

/** The body of `PATCH /repos/{owner}/{repo}`: any of its fields. Absent fields stay as they are. */
export interface EditRepoOption {
  readonly name?: string | undefined;
  readonly default_branch?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly [field: string]: unknown;
}

/** The body of `POST …/generate`; at least one of the items to copy must be true. */
export interface GenerateRepoOption {
  readonly owner: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The body of `POST /repos/migrate`. */
export interface MigrateRepoOptions {
  readonly clone_addr: string;
  readonly repo_name: string;
  readonly [field: string]: unknown;
}

/** The bytes of code per language. */
export const languages = map(integer);

/** Settings, transfers and origins of repositories. */
export function repoSettingsApi(http: Http) {
  const of = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}`;
  return {
    /** `before` is the repository if the caller has it. Otherwise it is read for settings that depend on it. */
    async edit(repo: RepoName, given: EditRepoOption, before?: Repository): Promise<Repository> {
      const read = () => http.get(of(repo), { answers: json(repository) });
      const body = needsFeature(given) ? withFeatures(given, before ?? (await read())) : given;
      return http.patch(of(repo), { body, answers: json(repository) }).catch(async (error: unknown) => {
        if (!(error instanceof ServerError) || body.default_branch === undefined) throw error;
        return editedAnyway(await read(), body, error);
      });
    },

    /** 201 while the new owner has to accept, 202 when it is done. */
    async transfer(
      repo: RepoName,
      body: { readonly new_owner: string; readonly team_ids?: readonly number[] | undefined },
    ): Promise<{ readonly repository: Repository; readonly waits: boolean }> {
      const { status, value } = await http.send("POST", path`/repos/${repo.owner}/${repo.name}/transfer`, {
        body,
        answers: json(repository),
      });
      return { repository: value, waits: status === 201 };
    },

    acceptTransfer: (repo: RepoName) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/transfer/accept`, { answers: json(repository) }),

    rejectTransfer: (repo: RepoName) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/transfer/reject`, { answers: json(repository) }),

    /** `image` is base64. The server answers 500 if it is not an image. */
    setAvatar: (repo: RepoName, image: string) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/avatar`, { body: { image }, answers: nothing }),

    deleteAvatar: (repo: RepoName) => http.delete(path`/repos/${repo.owner}/${repo.name}/avatar`, { answers: nothing }),

    generate: (template: RepoName, body: GenerateRepoOption) =>
      http.post(path`/repos/${template.owner}/${template.name}/generate`, { body, answers: json(repository) }),

    /** Answers when everything is copied. */
    migrate: (body: MigrateRepoOptions) => http.post(path`/repos/migrate`, { body, answers: json(repository) }),

    /** An object with a number for each language, in no fixed order. */
    languages: (repo: RepoName) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/languages`, { answers: json(languages) }),

    /** The names of the licenses that the server found. */
    licenses: (repo: RepoName) =>
      http.list<string>(path`/repos/${repo.owner}/${repo.name}/licenses`, { unpaged: true, since: "1.23" }),
  };
}

/**
 * The settings of a feature. Gitea before 1.26 ignores them unless the request says that the feature is on
 * (docs/server-differences.md, "Repositories").
 */
const features = [
  {
    on: "has_pull_requests",
    settings:
      /^(allow_|autodetect_manual_merge|default_(merge|update)_style|default_delete_|default_allow_|ignore_whitespace_)/,
  },
  { on: "has_projects", settings: /^projects_mode$/ },
] as const;

const missingFeatures = (body: EditRepoOption) =>
  features.filter(
    ({ on, settings }) =>
      body[on] === undefined && Object.keys(body).some((name) => settings.test(name) && body[name] !== undefined),
  );

const needsFeature = (body: EditRepoOption) => missingFeatures(body).length > 0;

/** Says that the features are on if they are. A feature that is off stays off. */
function withFeatures(body: EditRepoOption, before: Repository): EditRepoOption {
  const now: Readonly<Record<string, unknown>> = before;
  const on = missingFeatures(body).filter((feature) => now[feature.on] === true);
  return { ...body, ...Object.fromEntries(on.map((feature) => [feature.on, true])) };
}

/** A change of the default branch can be 500 although it was made (docs/server-differences.md, "Repositories"). */
function editedAnyway(found: Repository, body: EditRepoOption, error: ServerError): Repository {
  const now: Readonly<Record<string, unknown>> = found;
  const isMade = Object.entries(body).every(([field, value]) => now[field] === value);
  if (isMade) return found;
  throw error;
}
