import { repoKind } from "../../app/columns.ts";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { pagePath, repoPage } from "../../app/web.ts";
import { integer, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { type Content, contentBytes, contentsGet, rootGet } from "../../forge/contents.ts";
import { call } from "../../forge/operation.ts";
import { type Repository, repoGet, repoGetById, repository } from "../../forge/repos.ts";
import { DeniedError, NotFoundError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import type { RepoName } from "../../repo/repo-name.ts";
import { repoArgument } from "./arguments.ts";

/** `tongs repo view`: GET one repository. */
export const view = defineCommand({
  summary: "View a repository and its README",
  on: "server",
  effect: "read",
  args: { repo: repoArgument },
  flags: {
    id: integer("view the repository with this ID", { min: 1 }),
    branch: text("view the README of this branch (default: the default branch)", {
      short: "b",
      placeholder: "BRANCH",
      source: "branch",
    }),
  },
  output: repository,
  examples: [
    ["View the current repository", "tongs repo view"],
    ["Print the default branch", "tongs repo view mara/harbor --jq .default_branch"],
  ],
  web: {
    async page({ args, flags, http, locate }) {
      if (args.repo !== undefined || flags.id === undefined) {
        return repoPage(await locate(), ...(flags.branch === undefined ? [] : ["src/branch", flags.branch]));
      }
      return pagePath((await call(http, repoGetById, { id: flags.id })).full_name);
    },
    uses: ["id", "branch"],
  },
  async run(context) {
    const { args, flags, http, locate, out } = context;
    if (flags.id !== undefined && args.repo !== undefined)
      throw new UsageError("--id cannot be used with a repository");
    const found =
      flags.id === undefined
        ? await call(http, repoGet, { repo: await locate() })
        : await call(http, repoGetById, { id: flags.id });
    if (out.records) return out.record(found, repoSheet);
    const [owner = "", name = ""] = found.full_name.split("/");
    const readme = found.empty === true ? undefined : await readmeOf({ owner, name }, flags.branch, context);
    await out.record(found, (shown) => ({
      ...repoSheet(shown),
      body: readme?.text,
      markdown: readme?.isMarkdown === true,
    }));
  },
});

/** A repository, field by field. */
function repoSheet(repo: Repository): Sheet {
  const parent = repo.parent as { readonly full_name?: string } | null | undefined;
  return {
    title: repo.full_name,
    fields: [
      ["description", repo.description],
      ["kind", repoKind(repo)],
      ["fork of", parent?.full_name],
      ["default branch", repo.default_branch],
      ["merge style", repo.default_merge_style],
      ["language", repo.language],
      ["topics", (repo.topics ?? []).join(", ")],
      ["stars", repo.stars_count],
      ["forks", repo.forks_count],
      ["open issues", repo.open_issues_count],
      ["open pull requests", repo.open_pr_counter],
      ["website", repo.website],
      ["created", when(repo.created_at)],
      ["updated", when(repo.updated_at)],
      ["clone", repo.clone_url],
      ["ssh", repo.ssh_url],
      ["url", styled("link", repo.html_url)],
    ],
  };
}

/** The README of a repository. */
interface Readme {
  readonly path: string;
  readonly text: string;
  readonly isMarkdown: boolean;
}

/** The preferred extensions first. */
const extensions = ["md", "markdown", "txt", ""];

/**
 * The README in the root folder of a branch (default: the default branch); undefined if there is none, or if the server
 * left its content out. Reads the folder, then the file.
 */
async function readmeOf(
  repo: RepoName,
  branch: string | undefined,
  { http }: Pick<ServerContext, "http">,
): Promise<Readme | undefined> {
  try {
    const path = readmeIn(await call(http, rootGet, { repo, ref: branch }));
    if (path === undefined) return undefined;
    const file = await call(http, contentsGet, { repo, filepath: path, ref: branch });
    const bytes = "path" in file ? contentBytes(file) : undefined;
    if (bytes === undefined || bytes.includes(0)) return undefined;
    return { path, text: bytes.toString("utf8"), isMarkdown: /\.(md|markdown)$/i.test(path) };
  } catch (error) {
    // A repository without commits, or one whose code the user may not read.
    if (branch === undefined && (error instanceof NotFoundError || error instanceof DeniedError)) return undefined;
    throw error;
  }
}

function readmeIn(entries: readonly Content[]): string | undefined {
  const files = entries.filter(({ type }) => type === "file");
  for (const extension of extensions) {
    const name = extension === "" ? "readme" : `readme.${extension}`;
    const found = files.find((entry) => entry.name.toLowerCase() === name);
    if (found !== undefined) return found.path;
  }
  return undefined;
}
