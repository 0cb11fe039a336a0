import { nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { ServerError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { integer, map, string } from "../shape/shape.ts";
import type { EditRepoOption, TransferRepoOption } from "./generated/operations.ts";
import { call, operation, pagesOf, respond } from "./operation.ts";
import { type Repository, repoGet, repository } from "./repos.ts";
import { cannot } from "./undo.ts";

/** The bytes of code per language. */
export const languages = map(integer);

/** Absent fields stay as they are. */
export const repoEdit = operation("PATCH", "/repos/{owner}/{repo}", { answers: repository, undo: { by: "restore" } });

/** 201 while the new owner has to accept, 202 when it is done. */
export const repoTransfer = operation("POST", "/repos/{owner}/{repo}/transfer", {
  answers: repository,
  effect: "destroy",
  undo: "the new owner can transfer it back",
});

export const repoTransferAccept = operation("POST", "/repos/{owner}/{repo}/transfer/accept", {
  answers: repository,
  undo: "transfer the repository back instead",
});

export const repoTransferReject = operation("POST", "/repos/{owner}/{repo}/transfer/reject", {
  answers: repository,
  undo: "its owner can transfer it again",
});

/** `image` is base64. The server answers 500 if it is not an image. */
export const repoAvatarSet = operation("POST", "/repos/{owner}/{repo}/avatar", {
  answers: nothing,
  undo: cannot.picture,
});

export const repoAvatarDelete = operation("DELETE", "/repos/{owner}/{repo}/avatar", {
  answers: nothing,
  undo: cannot.picture,
});

/** At least one of the items to copy must be true. */
export const repoGenerate = operation("POST", "/repos/{template_owner}/{template_repo}/generate", {
  answers: repository,
  undo: cannot.create,
});

/** Answers when everything is copied. */
export const repoMigrate = operation("POST", "/repos/migrate", { answers: repository, undo: cannot.create });

/** Makes a pull mirror a regular repository. */
export const repoConvert = operation("POST", "/repos/{owner}/{repo}/convert", {
  answers: repository,
  effect: "destroy",
  undo: "a mirror that was made a repository stays one",
});

/** An object with a number for each language, in no fixed order. */
export const repoLanguageList = operation("GET", "/repos/{owner}/{repo}/languages", { answers: languages });

/** The names of the licenses that the server found. */
export const licenseList = operation("GET", "/repos/{owner}/{repo}/licenses", {
  answers: pagesOf(string, { unpaged: true }),
});

/**
 * Edits a repository. `before` is the repository if the caller has it. Otherwise it is read for settings that depend on
 * it.
 */
export async function editRepo(
  http: Http,
  repo: RepoName,
  given: EditRepoOption,
  before?: Repository,
): Promise<Repository> {
  const body = needsFeature(given) ? withFeatures(given, before ?? (await call(http, repoGet, { repo }))) : given;
  return call(http, repoEdit, { repo }, body).catch(async (error: unknown) => {
    if (!(error instanceof ServerError) || body.default_branch === undefined) throw error;
    return editedAnyway(await call(http, repoGet, { repo }), body, error);
  });
}

/** Transfers a repository, and says whether it waits for the new owner to accept. */
export async function transferRepo(
  http: Http,
  repo: RepoName,
  body: TransferRepoOption,
): Promise<{ readonly repository: Repository; readonly waits: boolean }> {
  const { status, value } = await respond(http, repoTransfer, { repo }, body);
  return { repository: value, waits: status === 201 };
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
      body[on] === undefined &&
      Object.entries(body).some(([name, value]) => settings.test(name) && value !== undefined),
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
