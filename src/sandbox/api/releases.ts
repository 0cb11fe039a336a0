import {
  releaseCreate,
  releaseDelete,
  releaseEdit,
  releaseGetByTag,
  releaseGetLatest,
  releaseList,
} from "../../forge/releases.ts";
import { changeRefs, commitOf } from "../git/refs.ts";
import { annotatedTag } from "../git/trees.ts";
import { collection } from "../http/collection.ts";
import { isRefName } from "../http/form.ts";
import { fail, found, notFound, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, other, route } from "../http/route.ts";
import { releaseJson } from "../serializers/repos.ts";
import type { ReleaseRecord } from "../state/records/repos.ts";

export const reading = { repo: "any" } as const;
export const writing = { repo: "any", signedIn: true, right: "write" } as const;

/** Releases. Drafts are seen by those who can write. */
export const releases: Area = [
  route(releaseGetLatest, reading, (call) => first(call, ({ draft, prerelease }) => !draft && !prerelease)),
  route(releaseGetByTag, reading, (call) => first(call, ({ tag_name }) => tag_name === call.param("tag"))),
  collection({
    table: "releases",
    needs: { read: reading, write: writing },
    get: other("GET /repos/{owner}/{repo}/releases/{id}"),
    list: [releaseList, list],
    find: findRelease,
    create: [releaseCreate, create],
    edit: [releaseEdit, edit],
    remove: [releaseDelete, ({ table }, { id }) => table("releaseAssets").remove(({ releaseId }) => releaseId === id)],
    serialize: (call, release) => releaseJson(call, call.repo, release),
  }),
];

/** The releases that the caller can see, newest first. */
function visible({ site, repo, access }: Call<typeof reading>): ReleaseRecord[] {
  const mine = site.table("releases").filter((one) => one.repoId === repo.id);
  return mine.filter(({ draft }) => !draft || access.atLeast("write")).reverse();
}

const first = (call: Call<typeof reading>, fits: (release: ReleaseRecord) => boolean) =>
  releaseJson(call, call.repo, found(visible(call).find(fits)));

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

async function create(call: Call<typeof writing>, body: BodyOf<typeof releaseCreate>): Promise<ReleaseRecord> {
  const { site, repo, currentUser } = call;
  if (repo.empty) refuse(422, "repo is empty");
  const { tag_message, ...rest } = body;
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
    name: "",
    body: "",
    draft: false,
    prerelease: false,
    ...rest,
    target_commitish: target,
    created_at: now,
    published_at: now,
  });
  await createTag(call, release, tag_message);
  return release;
}

/** Edits a release; empty texts are ignored. Publishing a draft creates its tag. */
async function edit(call: Call<typeof writing>, before: ReleaseRecord, body: BodyOf<typeof releaseEdit>) {
  const { site } = call;
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));
  const isPublished = before.draft && body.draft === false;
  const next: ReleaseRecord = { ...before, ...given, ...(isPublished ? { published_at: site.now() } : {}) };
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
