import { posix } from "node:path";
import type { BaseContext, RepositoryContext } from "../app/context.ts";
import { defineCommand } from "../app/define.ts";
import { readNumber } from "../app/issue-selector.ts";
import { currentFolder } from "../app/shared.ts";
import { openInBrowser } from "../app/web.ts";
import { optional } from "../command/args.ts";
import { text, toggle } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { call } from "../forge/operation.ts";
import { defaultBranch, repoGet } from "../forge/repos.ts";
import { addressText } from "../profiles/server.ts";
import { string } from "../shape/shape.ts";
import { percentEncoded } from "../text/percent.ts";

/** `tongs browse`: opens a page of the repository. Reads the repository only to learn its default branch. */
export const browse = defineCommand({
  summary: "Open a repository, file, issue or pull request in the browser",
  details:
    "A number is an issue or a pull request, and 7 to 64 hexadecimal digits are a commit. A path can have a line or " +
    "lines: src/main.ts:12 or src/main.ts:12-20. In a clone, it is relative to the current folder, as for git; with --repo, " +
    "or with a / before it, to the top of the repository.",
  on: "repository",
  effect: "read",
  asTool: "none",
  args: {
    what: optional("path, number, OWNER/REPO#NUMBER or commit (default: the repository)", {
      locate: ([typed = ""]) => readNumber(typed)?.place,
    }),
  },
  flags: {
    branch: text("open the path on this branch (default: the default branch)", {
      short: "b",
      placeholder: "BRANCH",
      source: "branch",
    }),
    commit: text("open this commit, or the path at this commit", { short: "c", placeholder: "SHA" }),
    noBrowser: toggle("print the address instead of opening it", { short: "n" }),
    releases: toggle("open the releases", { short: "r" }),
    settings: toggle("open the settings", { short: "s" }),
    wiki: toggle("open the wiki", { short: "w" }),
  },
  output: string,
  exclusive: [["branch", "commit", "releases", "settings", "wiki"]],
  examples: [
    ["Open the current repository", "tongs browse"],
    ["Open an issue or pull request", "tongs browse 12"],
    ["Print the address of a line of a file", "tongs browse src/main.ts:12 --no-browser"],
  ],
  async run(context) {
    const { args, flags, server, repo, out } = context;
    const base = `${addressText(server.base)}/${percentEncoded(repo.owner)}/${percentEncoded(repo.name)}`;
    const page = (["releases", "settings", "wiki"] as const).find((name) => flags[name]);
    if (page !== undefined && args.what !== undefined) throw new UsageError(`--${page} takes no argument`);
    const address = page === undefined ? base + (await below(args.what, flags, context)) : `${base}/${page}`;
    if (flags.noBrowser) return out.records ? out.record(address, () => ({ fields: [] })) : out.raw(`${address}\n`);
    await openInBrowser(address, context);
  },
});

/** The part of the address below the repository. */
async function below(
  what: string | undefined,
  { branch, commit }: { readonly branch: string | undefined; readonly commit: string | undefined },
  context: RepositoryContext & Pick<BaseContext, "git" | "profiles" | "isRepoGiven">,
): Promise<string> {
  const { http, repo } = context;
  if (commit !== undefined && !/^[0-9a-f]{4,64}$/i.test(commit)) {
    throw new UsageError(`'${commit}' is not the hash of a commit`);
  }
  if (what === undefined) {
    if (commit !== undefined) return `/commit/${commit}`;
    return branch === undefined ? "" : `/src/branch/${escaped(branch)}`;
  }
  // The servers redirect from the issue to the pull request with its number.
  const number = readNumber(what)?.id;
  if (number !== undefined && branch === undefined && commit === undefined) return `/issues/${number}`;
  if (/^[0-9a-f]{7,64}$/.test(what) && branch === undefined && commit === undefined) return `/commit/${what}`;
  const [, typed = what, from, to] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(what) ?? [];
  if (/^:\d/.test(what)) throw new UsageError(`'${what}' names lines, but no file`, "Pass PATH:LINE.");
  if (from !== undefined && (Number(from) < 1 || Number(to ?? from) < Number(from))) {
    throw new UsageError(`'${what}' has no lines: they count from 1, the first one first`);
  }
  const whole = typed.startsWith("/") ? typed.replace(/^\/+/, "") : posix.join(await currentFolder(context), typed);
  const path = posix
    .normalize(whole)
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (path.includes("..")) throw new UsageError(`'${typed}' is not a path in the repository`);
  const lines = from === undefined ? "" : `#L${from}${to === undefined ? "" : `-L${to}`}`;
  const at =
    commit === undefined
      ? `branch/${escaped(branch ?? defaultBranch(await call(http, repoGet, { repo })))}`
      : `commit/${commit}`;
  return `/src/${[at, ...path.map(percentEncoded)].join("/")}${lines}`;
}

function escaped(name: string): string {
  return name.split("/").map(percentEncoded).join("/");
}
