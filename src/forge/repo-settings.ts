import type { IgnoredField } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { ServerError } from "../http/errors.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { integer, map, string } from "../shape/shape.ts";
import { asDuration, asName, type ReadField, under } from "./applied.ts";
import type { EditRepoOption, TransferRepoOption } from "./generated/operations.ts";
import { call, operation, pagesOf, respond } from "./operation.ts";
import { type Repository, repoGet, repoSettings, repository, unitRecords } from "./repos.ts";
import { neededBeside, type Settings, withNeeded } from "./setting.ts";
import { cannot, notRestored, notUndone, recordHas, undoEdit } from "./undo.ts";

/** The bytes of code per language. */
export const languages = map(integer);

/** No server returns it, and tongs sends it to pull mirrors only. */
const signIn = "no server returns it";

/** Servers do not say it, and leave it as it is where it does not apply (docs/server-differences.md, "Repositories"). */
const enable_prune: ReadField<Repository> = (record, asked) => (under("mirror")(record) === false ? null : asked);

/** The settings that a unit loses when it is switched off, and that servers ignore while it is. */
export const unitSettings = [
  ...Object.entries<Settings[string]>(repoSettings).map(([name, { needs = [] }]) => ({ of: needs, sends: [name] })),
  ...Object.entries(unitRecords).map(([name, { unit }]) => ({ of: [unit], sends: [name] })),
];
const pullFields = unitSettings.flatMap(({ of, sends }) => (of.includes("has_pull_requests") ? sends : []));

/** Servers ignore the settings of pull requests while these are off. */
const ofPulls = (name: string): ReadField<Repository> => {
  const read = under(name);
  return (record) => (record.has_pull_requests === false ? null : read(record));
};

function whyIgnored(fields: readonly IgnoredField[], edited: Repository): string {
  const ignored = fields.map(({ name }) => name);
  if (ignored.includes("default_branch"))
    return "The default branch must exist. To list branches, run: tongs branch list";
  if (ignored.includes("private")) return "A fork has the visibility of its parent.";
  if (ignored.includes("enable_prune") || ignored.includes("mirror_interval")) return "The repository is not a mirror.";
  if (edited.has_pull_requests === false && ignored.some((field) => /^(allow|default|autodetect)_/.test(field)))
    return "Pull requests are disabled. To enable them, add: --has-pull-requests";
  if (under("has_issues")(edited) === false && ignored.some((field) => /_tracker\./.test(field)))
    return "Issues are disabled. To enable them, add: --has-issues";
  const outside = [
    { field: "has_issues", name: "issue tracker", is: under("external_tracker")(edited) },
    { field: "has_wiki", name: "wiki", is: under("external_wiki")(edited) },
  ].find(({ field, is }) => is != null && ignored.includes(field));
  if (outside !== undefined) {
    const flag = outside.field.replace("_", "-");
    return `The server keeps an external ${outside.name}. Replace it by its own first: --${flag}, then --no-${flag}`;
  }
  if (under("has_wiki")(edited) === false && ignored.some((field) => field.startsWith("external_wiki.")))
    return "The wiki is disabled. To enable it, add: --has-wiki";
  if (under("has_projects")(edited) === false && ignored.includes("projects_mode"))
    return "Projects are disabled. To enable them, add: --has-projects";
  return "The server may not have these settings.";
}

/** Absent fields stay as they are. */
export const repoEdit = operation("PATCH", "/repos/{owner}/{repo}", {
  answers: repository,
  undo: undoEdit({
    // A unit loses its settings when it is switched off, and an internal and an external one replace each other.
    along: {
      has_pull_requests: pullFields,
      has_issues: ["internal_tracker", "external_tracker"],
      internal_tracker: ["external_tracker"],
      external_tracker: ["internal_tracker"],
      has_wiki: ["external_wiki"],
      external_wiki: ["has_wiki"],
    },
    moved({ full_name: name }) {
      const [owner = "", repo = ""] = String(name ?? "").split("/");
      return repo === "" ? {} : { owner, repo };
    },
    adjust({ old, now, isChanged }) {
      if (!isChanged("private") || (now["private"] === true && old["stars_count"] === 0)) return {};
      const isLost = now["private"] === true;
      return {
        loses: [isLost ? notRestored("the stars that it removed") : "undo removes the stars that it has by then"],
      };
    },
  }),
  applied: {
    reads: {
      mirror_interval: asDuration(under("mirror_interval")),
      enable_prune,
      ...Object.fromEntries(pullFields.map((name) => [name, ofPulls(name)])),
    },
    except: { mirror_username: signIn, mirror_password: signIn, mirror_token: signIn },
    answered: [
      ...(["has_code", "projects_mode", "default_update_style", "allow_merge_update"] as const),
      ...(["wiki_branch", "globally_editable_wiki"] as const),
      ...(["internal_tracker", "external_tracker", "external_wiki"] as const),
    ],
    hint: whyIgnored,
  },
});

/** 201 while the new owner has to accept, 202 when it is done. */
export const repoTransfer = operation("POST", "/repos/{owner}/{repo}/transfer", {
  answers: repository,
  effect: "destroy",
  undo: "the new owner can reject it while it is pending, and transfer it back afterwards",
  applied: { except: { new_owner: "takes effect when it is accepted", team_ids: "no record has them" } },
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
export const repoAvatarSet = operation("POST", "/repos/{owner}/{repo}/avatar", { undo: cannot.picture });

export const repoAvatarDelete = operation("DELETE", "/repos/{owner}/{repo}/avatar", {
  undo: notUndone(cannot.picture, {
    state: recordHas("/repos/{owner}/{repo}", ({ avatar_url: avatar }) => Boolean(avatar)),
  }),
});

const copied = "what is copied";
const source = "where it is copied from";

/** At least one of the items to copy must be true. */
export const repoGenerate = operation("POST", "/repos/{template_owner}/{template_repo}/generate", {
  answers: repository,
  applied: {
    reads: { owner: asName(({ owner }) => owner?.login) },
    except: {
      topics: copied,
      avatar: copied,
      git_content: copied,
      git_hooks: copied,
      labels: copied,
      protected_branch: copied,
      webhooks: copied,
    },
  },
});

/** Answers when everything is copied. */
export const repoMigrate = operation("POST", "/repos/migrate", {
  answers: repository,
  applied: {
    reads: {
      repo_name: ({ name }) => name,
      repo_owner: asName(({ owner }) => owner?.login),
      mirror_interval: asDuration(under("mirror_interval")),
    },
    except: {
      clone_addr: source,
      service: source,
      uid: "the owner by ID; repo_owner has the name",
      auth_username: source,
      auth_password: source,
      auth_token: source,
      aws_access_key_id: source,
      aws_secret_access_key: source,
      lfs: copied,
      lfs_endpoint: source,
      issues: copied,
      labels: copied,
      milestones: copied,
      pull_requests: copied,
      releases: copied,
      wiki: copied,
    },
  },
});

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
 * Edits a repository. Gitea before 1.26 ignores settings of a unit unless the request says that the unit is on
 * (docs/server-differences.md, "Repositories"); `before` is the repository if the caller has it, which is read otherwise.
 */
export async function editRepo(
  http: Http,
  repo: RepoName,
  given: EditRepoOption,
  before?: Repository,
): Promise<Repository> {
  const isRead = neededBeside(unitSettings, given).length > 0;
  const body = isRead ? withNeeded(unitSettings, given, before ?? (await call(http, repoGet, { repo }))) : given;
  return call(http, repoEdit, { repo }, body).catch(async (error: unknown) => {
    if (!(error instanceof ServerError) || body.default_branch === undefined) throw error;
    return editedAnyway(await call(http, repoGet, { repo }), body, error);
  });
}

/**
 * The body of an edit, of changes that have records of units. Servers replace each as a whole, so what it does not change is
 * kept, and need the unit to be on (docs/server-differences.md, "Repositories"). Instead of an empty one, the unit is the
 * server's own.
 */
export function withUnits(changed: Readonly<Record<string, unknown>>, before: object): EditRepoOption {
  const now: Readonly<Record<string, unknown>> = { ...before };
  const body: Record<string, unknown> = { ...changed };
  for (const [name, { unit }] of Object.entries(unitRecords)) {
    if (changed[name] === undefined) continue;
    body[unit] = true;
    if (Object.keys(Object(changed[name])).length === 0) delete body[name];
    else body[name] = { ...Object(now[name]), ...Object(changed[name]) };
  }
  return body;
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

/** A change of the default branch can be 500 although it was made (docs/server-differences.md, "Repositories"). */
function editedAnyway(found: Repository, body: EditRepoOption, error: ServerError): Repository {
  const now: Readonly<Record<string, unknown>> = found;
  const isMade = Object.entries(body).every(([field, value]) => now[field] === value);
  if (isMade) return found;
  throw error;
}
