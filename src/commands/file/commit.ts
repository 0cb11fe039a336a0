import type { CommandContext } from "../../app/context.ts";
import { readFileFlagBytes } from "../../app/input.ts";
import { writeCommand } from "../../app/write-command.ts";
import { texts } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { contentBytes } from "../../forge/contents.ts";
import { changedContents, changeFiles, type FileChange } from "../../forge/file-changes.ts";
import { lookUpFiles } from "../../forge/many-files.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { type ExistingFile, existingFiles } from "./existing-files.ts";
import { notAFile } from "./not-a-file.ts";
import {
  changedBranch,
  commitOptions,
  committed,
  repositoryPath,
  requirePlain,
  writablePath,
  writeFlags,
} from "./shared.ts";

const flags = {
  ...writeFlags,
  put: texts("create or update the file PATH from the local file FILE", {
    dash: "stdin",
    names: "input file",
    placeholder: "PATH=FILE",
  }),
  delete: texts("delete a file", { placeholder: "PATH" }),
  move: texts("rename a file", { placeholder: "OLD=NEW" }),
};

/** `tongs file commit`: POST several changes of files, which make one commit. */
export const commit = writeCommand({
  summary: "Change several files of a repository in one commit",
  details:
    "Either all changes are made, or none. A link, and a new file that is executable, is refused: the server would store a " +
    "plain file. Prints the URL of the commit.",
  on: "repository",
  flags,
  exits: { refused: "a file has changed, or exists already" },
  output: changedContents,
  examples: [
    [
      "Change three files in one commit",
      'tongs file commit -m "Tidy up" --put docs/tides.md=tides.md --delete old.md --move a.txt=docs/a.txt',
    ],
  ],
  async work(context) {
    const { flags, http, repo } = context;
    const plan = readPlan(context.flags);
    const options = await commitOptions(flags, context);
    const files = await changes(plan, context);
    const branch = await changedBranch(flags, context);
    const made = await changeFiles(http, repo, { ...options, files });
    const count = `${files.length} change${files.length === 1 ? "" : "s"}`;
    return committed(`Committed ${count} to ${branch} of ${fullName(repo)}`, made);
  },
});

type CommitContext = CommandContext<"repository", Readonly<Record<never, never>>, typeof flags>;

/** What is to be done, by path in the repository. */
interface ChangePlan {
  readonly puts: readonly { readonly path: string; readonly file: string }[];
  readonly deletes: readonly string[];
  readonly moves: readonly { readonly from: string; readonly path: string }[];
}

/** Reads the flags. Throws a usage error if they change nothing, or a path twice. */
function readPlan({ put, delete: deleted, move }: CommitContext["flags"]): ChangePlan {
  const plan: ChangePlan = {
    puts: put.map((typed) => {
      const [path, file] = pair(typed, "--put", "PATH=FILE");
      return { path: writablePath(path), file };
    }),
    deletes: deleted.map(repositoryPath),
    moves: move.map((typed) => {
      const [from, path] = pair(typed, "--move", "OLD=NEW");
      return { from: repositoryPath(from), path: writablePath(path) };
    }),
  };
  const { puts, deletes, moves } = plan;
  const touched = [...puts.map(({ path }) => path), ...deletes, ...moves.flatMap(({ from, path }) => [from, path])];
  if (touched.length === 0) throw new UsageError("Nothing to commit: pass --put, --delete or --move");
  const twice = touched.find((path, at) => touched.indexOf(path) !== at);
  if (twice !== undefined) throw new UsageError(`${twice} is changed more than once`);
  if (puts.filter(({ file }) => file === "-").length > 1) throw new UsageError("Only one --put can read stdin");
  return plan;
}

/** `A=B` as `[A, B]`. */
function pair(typed: string, flag: string, form: string): [string, string] {
  const at = typed.indexOf("=");
  if (at <= 0 || at === typed.length - 1) throw new UsageError(`${flag} must be ${form}, not '${typed}'`);
  return [typed.slice(0, at), typed.slice(at + 1)];
}

/** The changes for the server, with the hashes that the files have now. */
async function changes({ puts, deletes, moves }: ChangePlan, context: CommitContext): Promise<FileChange[]> {
  const { flags, http, repo, system } = context;
  const uploads: { path: string; file: string; content: string }[] = [];
  for (const { path, file } of puts) {
    uploads.push({ path, file, content: (await readFileFlagBytes("--put", file, system)).toString("base64") });
  }
  const needed = [...deletes, ...moves.map(({ from }) => from)];
  const existing = new Map((await existingFiles(needed, flags.branch, context)).map((file) => [file.path, file]));
  const written = [...uploads, ...moves].map(({ path }) => path);
  const lookUp = lookUpFiles(http, repo, { paths: written, ref: flags.branch });
  for (const { path } of moves) if ((await lookUp(path)) !== undefined) throw existsAlready(path);
  return [
    ...(await Promise.all(
      uploads.map(async ({ path, file, content }): Promise<FileChange> => {
        const replaced = await lookUp(path);
        requirePlain(file, { isNew: replaced === undefined, system });
        if (replaced === undefined) return { operation: "create", path, content };
        if (replaced.type !== "file") throw notAFile({ ...replaced, path });
        return { operation: "update", path, content, sha: replaced.sha };
      }),
    )),
    ...deletes.map((path): FileChange => ({ operation: "delete", path, sha: existing.get(path)?.sha })),
    ...moves.map(({ from, path }) => moved(from, path, existing.get(from), repo)),
  ];
}

function existsAlready(path: string): Failure {
  return new Failure("exists", `${path} already exists`, { hint: "Nothing was changed." });
}

/**
 * Forgejo cannot rename, so a file is moved by an update with its content (docs/server-differences.md, "Commits and
 * files").
 */
function moved(from: string, path: string, file: ExistingFile | undefined, repo: RepoName): FileChange {
  const bytes = file && contentBytes(file);
  if (bytes === undefined) {
    throw new Failure("too_large", `${from} of ${fullName(repo)} is too large to be moved, or is not a file`, {
      hint: "Nothing was changed. Move it in a clone, with git mv.",
    });
  }
  return { operation: "update", path, from_path: from, sha: file?.sha, content: bytes.toString("base64") };
}
