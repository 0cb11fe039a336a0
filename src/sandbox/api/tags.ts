import type { CreateTagOption } from "../../forge/generated/operations.ts";
import { tagCreate, tagDelete, tagGet, tagList } from "../../forge/tags.ts";
import { readCommit } from "../git/commits.ts";
import { git, gitOrUndefined } from "../git/git.ts";
import { changeRefs, commitOf } from "../git/refs.ts";
import { annotatedTag } from "../git/write.ts";
import { isRefName } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, fail, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, pathOf, route } from "../http/route.ts";
import { recordOf } from "../release.ts";
import type { RepoAt } from "../site.ts";
import { mayTag } from "../state/rules.ts";

const read = { repo: "code", slashes: true } as const;
const write = { ...read, signedIn: true, right: "write", unarchived: true } as const;

/** Lightweight and annotated tags. */
export const tags: Area = {
  routes: [
    route(tagList, read, async (call) => listReply(call, await names(call), tagJson, "total")),
    route(tagGet, read, async (call) => json(200, await tagJson(call, call.param("tag")))),
    route(tagCreate, write, create),
    route(tagDelete, write, remove),
  ],
};

/** Newest first. */
async function names({ site, repo }: Call<typeof read>): Promise<string[]> {
  const format = "--format=%(refname:lstrip=2)";
  const out = await git({ site, repo }, ["for-each-ref", "--sort=-creatordate", format, "refs/tags/"]);
  return out === "" ? [] : out.split("\n");
}

const idOf = ({ site, repo }: Pick<Call<typeof read>, "site" | "repo">, tag: string) =>
  gitOrUndefined({ site, repo }, ["rev-parse", "--verify", "--quiet", `refs/tags/${tag}`]);

async function tagJson(call: Call<typeof read>, name: string) {
  const { site, repo } = call;
  const id = found(await idOf(call, name));
  const { api, web } = pathOf(call, repo);
  const commit = await readCommit(call, found(await commitOf(call, id)));
  return recordOf(site, "Tag", {
    name,
    message: id === commit.sha ? commit.message : await annotation(call, id),
    id,
    commit: { url: `${api}/git/commits/${id}`, sha: commit.sha, created: commit.committer.date },
    zipball_url: `${web}/archive/${name}.zip`,
    tarball_url: `${web}/archive/${name}.tar.gz`,
  });
}

async function annotation(at: RepoAt, id: string): Promise<string> {
  const text = await git(at, ["cat-file", "tag", id]);
  return `${text.slice(text.indexOf("\n\n") + 2)}\n`;
}

async function create(call: Call<typeof write, CreateTagOption>) {
  const { site, repo, currentUser, body } = call;
  const name = body.tag_name;
  if (!isRefName(name)) fail(`release tag name is not valid [tag_name: ${name}]`);
  const target = found(
    await commitOf(call, body.target || repo.default_branch),
    `target not found: object does not exist [id: ${body.target}, rel_path: ]`,
  );
  if ((await idOf(call, name)) !== undefined) refuse(409, `tag already exists [name: ${name}]`);
  if (!mayTag(site.store, repo.id, name, currentUser)) fail(`tag ${name} is protected`);
  const id = body.message ? await annotatedTag(call, currentUser, { name, target, message: body.message }) : target;
  await changeRefs(call, currentUser, [{ ref: `refs/tags/${name}`, from: undefined, to: id }]);
  return json(201, await tagJson(call, name));
}

async function remove(call: Call<typeof write>) {
  const { site, repo, currentUser } = call;
  const name = call.param("tag");
  const id = (await idOf(call, name)) ?? notFound();
  if (site.table("releases").find((one) => one.repoId === repo.id && one.tag_name === name && !one.draft))
    refuse(409, "a tag attached to a release cannot be deleted directly");
  if (!mayTag(site.store, repo.id, name, currentUser)) refuse(422, "user cannot delete protected tag");
  await changeRefs(call, currentUser, [{ ref: `refs/tags/${name}`, from: id, to: undefined }]);
  return empty(204);
}
