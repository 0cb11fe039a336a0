import { createHash } from "node:crypto";
import { readFileFlagBytes } from "../../app/input.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one, optional } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { Failure, unlessFailed } from "../../failure/failure.ts";
import { changedContent, createFile, fileChanged, updateFile } from "../../forge/file-changes.ts";
import { lookUpFiles } from "../../forge/many-files.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { fullName } from "../../repo/repo-name.ts";
import { notAFile } from "./not-a-file.ts";
import { changedBranch, commitOptions, committed, requirePlain, writablePath, writeFlags } from "./shared.ts";

/** `tongs file put`: POST a new file, or PUT an existing one with the hash that it has. */
export const put = writeCommand({
  summary: "Create or update a file of a repository",
  details:
    "Makes one commit. Without FILE, uploads the local file with the same path. With --sha, updates the file only if it " +
    "still has this hash (tongs file list --json path,sha). A link, and a new file that is executable, is refused. Prints the URL of the commit.",
  on: "repository",
  args: {
    path: one("path in the repository"),
    file: optional("local file (default: PATH)", { dash: "stdin", names: "input file" }),
  },
  flags: { ...writeFlags, sha: text("hash of the file that is replaced", { placeholder: "SHA" }) },
  exits: { refused: "the file has changed, or exists already" },
  output: changedContent,
  examples: [
    ["Upload a file", 'tongs file put docs/tides.md tides.md -m "Update the tides"'],
    ["Write a file to a new branch", "date | tongs file put built.txt - -m Built --new-branch built"],
  ],
  async work(context) {
    const { args, flags, http, repo, system } = context;
    const path = writablePath(args.path);
    const bytes = await readFileFlagBytes("FILE", args.file ?? args.path, system);
    const options = await commitOptions(flags, context);
    const existing = await lookUpFiles(http, repo, { paths: [path], ref: flags.branch })(path);
    if (existing !== undefined && existing.type !== "file") throw notAFile({ ...existing, path });
    requirePlain(args.file ?? args.path, { isNew: existing === undefined, system });
    const sha = existing?.sha;
    if (flags.sha !== undefined && flags.sha !== sha) throw fileChanged(flags.sha, sha ?? `no ${path}`);
    if (sha !== undefined && sha === blobHash(bytes, sha.length) && flags.newBranch === undefined) {
      const record = { content: existing, commit: null, verification: null };
      return { done: `${path} is unchanged; no commit was made`, record, unchanged: true };
    }
    const body = { ...options, content: bytes.toString("base64") };
    const branch = await changedBranch(flags, context);
    const send = () =>
      sha === undefined ? createFile(http, repo, path, body) : updateFile(http, repo, path, { ...body, sha });
    const made = await send().catch(async (error: unknown) => {
      // An earlier attempt can have written it, whose answer was lost.
      const isUnsure = mayHaveActed(error) || (error instanceof Failure && error.exit === "refused");
      const look = () => lookUpFiles(http, repo, { paths: [path], ref: flags.newBranch ?? flags.branch })(path);
      const now = isUnsure ? await unlessFailed(look()) : undefined;
      if (now?.sha === undefined || now.sha !== blobHash(bytes, now.sha.length)) throw error;
      return { content: now, commit: null, verification: null };
    });
    const verb = sha === undefined ? "Created" : "Updated";
    return committed(`${verb} ${path} on ${branch} of ${fullName(repo)}`, made);
  },
});

/** The hash that git gives a file; the length of another hash tells SHA-1 from SHA-256. */
function blobHash(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
