import type { CreateReleaseOption, EditReleaseOption } from "../../forge/generated/operations.ts";
import {
  releaseCreate,
  releaseDelete,
  releaseEdit,
  releaseGetByTag,
  releaseGetLatest,
  releaseList,
} from "../../forge/releases.ts";
import { changeRefs, commitOf } from "../git/refs.ts";
import { annotatedTag } from "../git/write.ts";
import { collection } from "../http/collection.ts";
import { isRefName, type Sent } from "../http/form.ts";
import { releaseGet } from "../http/other-operations.ts";
import { fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { releaseJson } from "../serializers/repos.ts";
import type { ReleaseRecord } from "../state/records/repos.ts";

export const reading = { repo: "any" } as const;
export const writing = { repo: "any", signedIn: true, right: "write" } as const;

/** Releases. Drafts are seen by those who can write. */
export const releases: Area = {
  routes: [
    route(releaseGetLatest, reading, (call) => {
      const latest = visible(call).find(({ draft, prerelease }) => !draft && !prerelease);
      return json(200, releaseJson(call, call.repo, found(latest)));
    }),
    route(releaseGetByTag, reading, (call) => {
      const release = visible(call).find(({ tag_name }) => tag_name === call.param("tag"));
      return json(200, releaseJson(call, call.repo, found(release)));
    }),
    collection(
      "releases",
      { read: reading, write: writing },
      {
        get: releaseGet,
        list: [releaseList, list],
        find: findRelease,
        create: [releaseCreate, create],
        edit: [releaseEdit, edit],
        remove: [
          releaseDelete,
          ({ table }, { id }) => table("releaseAssets").remove(({ releaseId }) => releaseId === id),
        ],
        serialize: (call, release) => releaseJson(call, call.repo, release),
      },
    ),
  ],
};

/** The releases that the caller can see, newest first. */
function visible({ site, repo, access }: Call<typeof reading>): ReleaseRecord[] {
  const mine = site.table("releases").filter((one) => one.repoId === repo.id);
  return mine.filter(({ draft }) => !draft || access.atLeast("write")).reverse();
}

function list(call: Call<typeof reading>): ReleaseRecord[] {
  const { query } = call;
  const isFiltered = (name: string) => query.get(name) !== null && query.get(name) !== "";
  const fits = (one: ReleaseRecord) =>
    (!isFiltered("draft") || one.draft === call.flag("draft")) &&
    (!isFiltered("pre-release") || one.prerelease === call.flag("pre-release"));
  return visible(call).filter(fits);
}

/** The release of a path by its id. */
export function findRelease(call: Call<typeof reading>): ReleaseRecord {
  return found(visible(call).find(({ id }) => id === call.number("id")));
}

async function create(call: Call<typeof writing>, body: Sent<CreateReleaseOption>): Promise<ReleaseRecord> {
  const { site, repo, currentUser } = call;
  if (repo.empty) refuse(422, "repo is empty");
  const tag = body.tag_name;
  if (!isRefName(tag)) fail(`release tag name is not valid [tag_name: ${tag}]`);
  if (visible(call).some(({ tag_name }) => tag_name === tag)) refuse(409, "Release is has no Tag");
  const exists = (await commitOf(call, `refs/tags/${tag}`)) !== undefined;
  const target = body.target_commitish || (exists ? "" : repo.default_branch);
  if (!exists && (await commitOf(call, target)) === undefined) notFound("target not found");
  const now = site.now();
  const release = site.table("releases").add({
    repoId: repo.id,
    authorId: currentUser.id,
    tag_name: tag,
    target_commitish: target,
    name: body.name ?? "",
    body: body.body ?? "",
    draft: body.draft ?? false,
    prerelease: body.prerelease ?? false,
    created_at: now,
    published_at: now,
  });
  await createTag(call, release, body.tag_message);
  return release;
}

/** Edits a release; empty texts are ignored. Publishing a draft creates its tag. */
async function edit(call: Call<typeof writing>, before: ReleaseRecord, body: Sent<EditReleaseOption>) {
  const { site } = call;
  const next: ReleaseRecord = {
    ...before,
    tag_name: body.tag_name || before.tag_name,
    target_commitish: body.target_commitish || before.target_commitish,
    name: body.name || before.name,
    body: body.body || before.body,
    draft: body.draft ?? before.draft,
    prerelease: body.prerelease ?? before.prerelease,
    published_at: before.draft && body.draft === false ? site.now() : before.published_at,
  };
  await createTag(call, next);
  return site.table("releases").put(next);
}

/** Creates the tag of a published release at its target, if it does not exist; annotated, if there is a message. */
async function createTag(
  { site, repo, currentUser }: Call<typeof writing>,
  release: ReleaseRecord,
  message = "",
): Promise<void> {
  const ref = `refs/tags/${release.tag_name}`;
  if (release.draft || (await commitOf({ site, repo }, ref)) !== undefined) return;
  const target = found(
    await commitOf({ site, repo }, release.target_commitish || repo.default_branch),
    "target not found",
  );
  const name = release.tag_name;
  const to = message === "" ? target : await annotatedTag({ site, repo }, currentUser, { name, target, message });
  await changeRefs({ site, repo }, currentUser, [{ ref, from: undefined, to }]);
}
