import type { Command } from "../../app/define.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one, optional } from "../../command/args.ts";
import { text, yesNo } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type BranchPulls, deletionEffect, joinBranchPulls, readBranchPulls } from "../../forge/branch-pulls.ts";
import {
  type Branch,
  branch,
  branchCreate,
  branchDelete,
  branchGet,
  branchList,
  branchRename,
  deleteBranch,
  wasAt,
} from "../../forge/branches.ts";
import { filterListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { repoGet } from "../../forge/repos.ts";
import { explainUnknownCommit } from "../../forge/resolve-commit.ts";
import { isBranchName } from "../../git/refs.ts";
import { DeniedError } from "../../http/errors.ts";
import { shownName, styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { list, nullable, record, string, words } from "../../shape/shape.ts";

/** A branch that is deleted, the commit that it was at, and the open pull requests that had it. */
const deletedBranch = record({
  branch: string,
  repository: string,
  result: words("deleted", "unchanged"),
  commit: nullable(string),
  closes: list(string),
  based: list(string),
});

/** A branch, with its open pull requests if it is to be deleted. */
type Named = Pick<Branch, "name"> & Partial<BranchPulls>;

const pullsIn = ({ heads = [], bases = [] }: Named): BranchPulls => ({ heads, bases });

const branches = resource({
  ...inRepository,
  noun: ["branch", "branches"],
  a: "a branch",
  record: branch,
  argument: { key: "branch", one: "name of the branch", many: "names of branches", source: "branch" },
  get: (name, { http, repo }) => call(http, branchGet, { repo, branch: name }),
  target:
    () =>
    (name): Named => ({ name }),
  name: ({ name }: Named) => `branch ${name}`,
  page: ({ name }, repo) => repoPage(repo, "src/branch", name),
});

/** The verbs of `tongs branch`. */
export const verbs: Table<Command> = {
  list: branches.list({
    flags: {
      search: text("filter by a part of the name", { short: "S", filters: true }),
      protected: yesNo("show only protected branches, or none", { filters: true }),
    },
    columns: [
      column<Branch>("NAME", "name", { style: "link", flexible: true }),
      column<Branch>("COMMIT", "commit.id", { as: "commit" }),
      column<Branch>("TITLE", "commit.message", { as: "first line", flexible: true }),
      column<Branch>("PROTECTED", "protected", (one) => (one.protected ? "protected" : "")),
      column<Branch>("UPDATED", "commit.timestamp", { as: "time", rank: "optional" }),
    ],
    fetch({ flags: { search, protected: isProtected }, http, repo }) {
      const all = call(http, branchList, { repo, q: search });
      if (search === undefined && isProtected === undefined) return all;
      const lower = search?.toLowerCase() ?? "";
      // Forgejo ignores the search (docs/server-differences.md, "Branches and tags").
      return filterListing(
        all,
        ({ name, ...one }) =>
          name.toLowerCase().includes(lower) && (isProtected === undefined || (one.protected ?? false) === isProtected),
      );
    },
    page: ({ repo }) => repoPage(repo, "branches"),
    examples: [
      ["List branches", "tongs branch list"],
      ["Print the names of protected branches", "tongs branch list --protected --all --jq '.[].name'"],
    ],
  }),
  view: branches.view({
    sheet: (found, { repo, server }) => ({
      title: found.name,
      fields: [
        ["commit", styled("warn", found.commit?.id)],
        ["title", found.commit?.message?.split("\n", 1)[0]],
        ["updated", when(found.commit?.timestamp)],
        ["protected", found.protected],
        ["protection", found.effective_branch_protection_name],
        ["required approvals", found.required_approvals || undefined],
        [
          "required checks",
          found.enable_status_check ? (found.status_check_contexts ?? []).map(shownName).join(", ") : undefined,
        ],
        ["you can push", found.user_can_push],
        ["you can merge", found.user_can_merge],
        ["url", styled("link", `${addressText(server.base)}/${repo.owner}/${repo.name}/src/branch/${found.name}`)],
      ],
    }),
    examples: [
      ["View a branch", "tongs branch view main"],
      ["Print the commit it is at", "tongs branch view main --jq .commit.id"],
    ],
  }),
  create: writeCommand({
    summary: "Create a branch",
    on: "repository",
    args: {
      name: one("name of the branch", { source: "new branch" }),
      ref: optional("branch, tag or commit to start from (default: the default branch)", { source: "ref" }),
    },
    output: branch,
    exits: { refused: "a branch or a tag with this name exists" },
    async work(context) {
      const { args, http, repo } = context;
      if (!isBranchName(args.name)) throw new UsageError(`'${args.name}' is not a valid branch name`);
      if (args.ref === "") throw new UsageError("REF must not be empty");
      const body = { new_branch_name: args.name, old_ref_name: args.ref };
      const record = await call(http, branchCreate, { repo }, body).catch((error: unknown) =>
        explainUnknownCommit(error, args.ref, context),
      );
      const at = record.commit?.id.slice(0, 10) ?? "";
      return { done: `Created branch ${record.name} at ${at} in ${fullName(repo)}`, prints: record.name, record };
    },
    examples: [
      ["Create a branch at the default branch", "tongs branch create fix-tides"],
      ["Create a branch at a tag", "tongs branch create release/1.2 v1.2.0"],
    ],
  }),
  rename: writeCommand({
    summary: "Rename a branch",
    details:
      "Open pull requests and the protection of that name move with it. The default branch needs an administrator.",
    on: "repository",
    needs: [branchRename],
    args: { branch: one("name of the branch", { source: "branch" }), name: one("new name", { source: "new branch" }) },
    output: branch,
    exits: { invalid: "the new name exists, or is the same" },
    async work({ args: { branch, name }, http, repo }) {
      if (!isBranchName(name)) throw new UsageError(`'${name}' is not a valid branch name`);
      await call(http, branchRename, { repo, branch }, { name });
      const record = () => call(http, branchGet, { repo, branch: name });
      return { done: `Renamed branch ${branch} to ${name} in ${fullName(repo)}`, record };
    },
    examples: [["Rename a branch", "tongs branch rename master main"]],
  }),
  update: () => import("./update.ts").then((file) => file.update()),
  delete: branches.delete({
    sends: branchDelete,
    details:
      "The default branch and protected branches are not deleted. When a branch is deleted, the server closes its open pull " +
      "requests, and closes or retargets those based on it. The prompt and --dry-run list them.",
    async target({ http, out, repo }) {
      const found = await call(http, repoGet, { repo });
      const { default_branch, full_name } = found;
      const pullsOf = await readBranchPulls(http, [found], out.warn);
      return (name) => {
        if (name === default_branch) throw isDefault(name, repo);
        return { name, ...pullsOf(full_name, name) };
      };
    },
    remark: (records) => deletionEffect(joinBranchPulls(records.map(pullsIn))),
    leavesNothing: false,
    output: deletedBranch,
    async work(record, { http, out, repo }) {
      const { name } = record;
      const commit = await deleteBranch(http, repo, name).catch((error: unknown) => {
        throw explainKept(error, name);
      });
      const { heads, bases } = pullsIn(record);
      const repository = out.nameNow(fullName(repo));
      const about = { branch: name, repository, result: "deleted" as const, commit: commit ?? null };
      return { ...about, closes: heads, based: bases };
    },
    says(name, where, _, record, after) {
      const effect = deletionEffect(pullsIn(record));
      return `Deleted ${name}${wasAt(after?.commit)} from ${where}${effect === undefined ? "" : `, which ${effect}`}`;
    },
    exits: { refused: "it is the default branch, or protected" },
    examples: [["Delete two branches", "tongs branch delete fix-tides fix-lamp --yes"]],
  }),
  protection: noun("Manage branch protections", () => import("./protection/protection.ts")),
};

/** The failure for the default branch, which servers refuse to delete. */
function isDefault(name: string, repo: RepoName): Failure {
  return new Failure("default_branch", `${name} is the default branch of ${fullName(repo)}`, {
    hint: "Make another branch the default branch first.",
  });
}

/** Why a branch was not deleted. 403 means that it cannot be deleted, too, not only that the caller may not. */
function explainKept(error: unknown, name: string): unknown {
  if (!(error instanceof DeniedError)) return error;
  const details = { status: error.status, method: error.method, path: error.path, cause: error };
  if (error.serverMessage === "branch protected") {
    return new Failure("protected", `Branch ${name} is protected`, {
      ...details,
      hint: "List the protections with: tongs branch protection list",
    });
  }
  if (!/pull request target branch$/.test(error.serverMessage)) return error;
  return new Failure("branch_in_use", `Branch ${name} is the target of open pull requests`, {
    ...details,
    hint: `List them with: tongs pr list --base ${name}`,
  });
}
