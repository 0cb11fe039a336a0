import type { CreateRepoOption } from "../../forge/generated/operations.ts";
import { orgRepoCreate, repoCreate } from "../../forge/repos.ts";
import { signatureOf } from "../git/commits.ts";
import { changeRefs, createBare } from "../git/refs.ts";
import { commitPaths, type PathChange } from "../git/write.ts";
import { alphaDashDot, gitRefName, max, type Sent } from "../http/form.ts";
import { repoCreateFor, repoCreateIn } from "../http/other-operations.ts";
import { fail, json, refuse } from "../http/reply.ts";
import { type Area, type Call, route, type View } from "../http/route.ts";
import { repoJson } from "../serializers/repos.ts";
import { teamsOf } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { newRepo, repoNamed } from "../state/repos.ts";
import { labelSets, newLabel } from "./labels.ts";

const createRepoOption = {
  name: [alphaDashDot, max(100)],
  description: [max(2048)],
  default_branch: [gitRefName, max(100)],
  object_format_name: [max(6)],
} as const;
const inOrganization = { org: true, signedIn: true, body: createRepoOption } as const;

/** Creates repositories for the caller, for an organization and, as an administrator, for any user. */
export const repoCreation: Area = {
  routes: [
    route(repoCreate, { signedIn: true, body: createRepoOption }, (call) =>
      create(call, call.currentUser, call.currentUser, call.body),
    ),
    route(repoCreateFor, { siteAdmin: true, signedIn: true, user: true, body: createRepoOption }, (call) =>
      create(call, call.currentUser, call.subject, call.body),
    ),
    ...[orgRepoCreate, repoCreateIn].map((operation) =>
      route(operation, inOrganization, (call) => {
        checkCreator(call, call.org);
        return create(call, call.currentUser, call.org, call.body);
      }),
    ),
  ],
};

/** Throws 403 if the caller may not create repositories in an organization. */
export function checkCreator({ site, currentUser }: Call<{ signedIn: true }>, org: UserRecord): void {
  const teams = teamsOf(site.store, org.id, currentUser.id);
  if (currentUser.is_admin || teams.some((team) => team.can_create_org_repo || team.permission === "owner")) return;
  refuse(403, "User is not allowed to create repositories in this organization.");
}

async function create(view: View, doer: UserRecord, owner: UserRecord, body: Sent<CreateRepoOption>) {
  checkRepoName(body.name);
  if (repoNamed(view.site.store, owner.id, body.name)) refuse(409, "The repository with the same name already exists.");
  const { site } = view;
  const readme = body.readme ?? "";
  if (body.auto_init && readme !== "" && readme !== "Default") {
    refuse(400, "readme template does not exist, available templates: [Default]");
  }
  const labels = body.issue_labels ? labelSet(body.issue_labels) : [];
  if (body.object_format_name && body.object_format_name !== "sha1") {
    fail(`unsupported object format ${body.object_format_name}`);
  }
  const files = body.auto_init ? initialFiles(body) : [];
  const repo = newRepo(site.store, site.now(), {
    ownerId: owner.id,
    name: body.name,
    description: body.description ?? "",
    private: body.private ?? false,
    template: body.template ?? false,
    default_branch: body.default_branch || "main",
    license: body.auto_init ? (body.license ?? "") : "",
    watchers: [doer.id],
  });
  for (const label of labels) newLabel(site.store, { ...label, repoId: repo.id });
  await createBare({ site, repo });
  if (body.auto_init) await firstCommit(view, doer, repo, files);
  return json(201, repoJson(view, site.table("repos").get(repo.id) ?? repo));
}

function labelSet(name: string) {
  const set = labelSets[name];
  return set ?? refuse(422, `failed to load label template file "${name}": label template "${name}" not found`);
}

async function firstCommit({ site }: View, doer: UserRecord, repo: RepoRecord, files: readonly PathChange[]) {
  const by = signatureOf(site, doer);
  const id = await commitPaths({ site, repo }, files, {
    parents: [],
    message: "Initial commit\n",
    author: by,
    committer: by,
  });
  await changeRefs({ site, repo }, doer, [{ ref: `refs/heads/${repo.default_branch}`, from: undefined, to: id }]);
}

/** The initial files: a README, and short texts for the most common licenses and gitignore templates. */
function initialFiles({ name, description, license, gitignores }: Sent<CreateRepoOption>): PathChange[] {
  const files = [{ path: "README.md", text: `# ${name}\n\n${description ?? ""}` }];
  if (license) files.push({ path: "LICENSE", text: template(licenses, license) });
  if (gitignores) {
    const parts = gitignores.split(",").map((one) => template(ignoreLists, one.trim()));
    files.push({ path: ".gitignore", text: parts.join("\n") });
  }
  return files.map(({ path, text }) => ({ path, content: Buffer.from(text) }));
}

function template(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) fail(`the sandbox has no template "${name}"`);
  return text;
}

const licenses: Readonly<Record<string, string>> = {
  MIT: "MIT License\n\nSee https://spdx.org/licenses/MIT.html\n",
  "Apache-2.0": "Apache License, Version 2.0\n\nSee https://spdx.org/licenses/Apache-2.0.html\n",
};
const ignoreLists: Readonly<Record<string, string>> = {
  Go: "*.exe\n*.test\n*.out\n/vendor/\n",
  Node: "node_modules/\n*.log\ndist/\n",
  Python: "__pycache__/\n*.py[cod]\n.venv/\n",
};

/** Throws if a repository name is reserved. */
export function checkRepoName(name: string): void {
  if (name === "." || name === "..") fail(`name is reserved [name: ${name}]`);
  if (name === "-") refuse(422, `name is reserved [name: ${name}]`);
  const ending = ["*.wiki", "*.git", "*.rss", "*.atom"].find((pattern) =>
    name.toLowerCase().endsWith(pattern.slice(1)),
  );
  if (ending !== undefined) refuse(422, `name pattern is not allowed [pattern: ${ending}]`);
}
