import { rename, rmdir } from "node:fs/promises";
import { type BatchItem, batch } from "../../app/batch.ts";
import { cloneRepository } from "../../app/clone-repository.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import type { Selected } from "../../app/select-repositories.ts";
import { fileNameKey } from "../../download/file-names.ts";
import { withPathLock } from "../../download/save-file.ts";
import { openScratch } from "../../download/scratch.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { Failure } from "../../failure/failure.ts";
import type { Repository } from "../../forge/repos.ts";
import { configured, type Git, isClone } from "../../git/git.ts";
import { pointsTo } from "../../git/remotes.ts";
import { updateClone } from "../../git/update-clone.ts";
import { maskText } from "../../http/mask.ts";
import { type Bar, bars } from "../../output/bars.ts";
import { isOnServer } from "../../profiles/choose.ts";
import { gitAuthConfig } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { fullPath, shownPath } from "../../system/files.ts";
import { type ClonePlace, clonePlace } from "./clone-place.ts";

type CloneContext = BaseContext & ServerContext;

interface ManyOptions {
  readonly dir: string;
  readonly jobs: number;
  /** Flags of git clone, as typed. */
  readonly gitFlags: readonly string[];
}

/** What is cloned, and where to. */
interface Target {
  readonly found: Repository;
  readonly place: ClonePlace;
  readonly gitFlags: readonly string[];
  readonly bar: Bar;
}

/**
 * Clones repositories side by side to `DIR/OWNER/NAME`, and updates those that are there. Continues after a failure, and
 * returns the exit name of the batch.
 */
export async function cloneMany(
  selected: readonly Selected[],
  { dir, jobs, gitFlags }: ManyOptions,
  context: CloneContext,
): Promise<ExitName | undefined> {
  const { options, out, system } = context;
  const top = fullPath(dir, system);
  const progress = await bars({ system, out, quiet: options.quiet });
  /** The directories of the repositories of this command, on a file system that ignores case. */
  const taken = new Map<string, string>();
  const parents = new Set<string>();

  const work = async ({ owner: typed, get }: Selected): Promise<BatchItem> => {
    const found = await get();
    const login = found.owner?.login ?? "";
    // The server says only in which case it is written.
    const owner = login.toLowerCase() === typed?.toLowerCase() ? login : (typed ?? login);
    const place = clonePlace(top, { owner, name: found.name ?? "" });
    const key = fileNameKey(place.path);
    const other = taken.get(key);
    if (other !== undefined) {
      const message = `${shownPath(place.path, system)} is the directory of ${other}, too, where case is ignored`;
      throw new Failure("exists", message, { hint: "Clone it alone: tongs repo clone REPO DIR" });
    }
    taken.set(key, found.full_name);
    parents.add(place.parent);
    const into = shownPath(place.path, system);
    if (options.dryRun) return { message: `Would ${place.exists ? "update" : "clone"} ${found.full_name} in ${into}` };
    const bar = progress.add(found.full_name);
    try {
      const target = { found, place, gitFlags, bar };
      const { parent: folder, name: fileName } = place;
      const done = await withPathLock({ into: folder, fileName, key: fileNameKey(fileName) }, () =>
        place.exists ? update(target, context) : cloneNew(target, context),
      );
      return { ...done, prints: place.path, record: found };
    } finally {
      bar.end();
    }
  };
  try {
    return await batch(selected, work, context, { jobs, name: ({ name }) => name });
  } catch (error) {
    if (system.signal.aborted) out.note("What was cloned is kept. To continue, run the same command again.");
    throw error;
  } finally {
    // One without a clone goes away.
    for (const parent of parents) await rmdir(parent).catch(() => undefined);
  }
}

/** Clones into a scratch directory, which is renamed when it is complete. */
async function cloneNew(
  { found, place, gitFlags, bar }: Target,
  context: CloneContext,
): Promise<Pick<BatchItem, "message">> {
  const scratch = openScratch(place.parent, fileNameKey(place.name), "clone");
  try {
    bar.doing("cloning");
    const options = { typed: found.full_name, dir: scratch.unpacking, gitFlags, progress: showing(bar) };
    const done = await cloneRepository(context, found, options);
    await rename(scratch.unpacking, place.path);
    const upstream = done?.upstream === undefined ? "" : `, with ${fullName(done.upstream)} as upstream`;
    return { message: `Cloned ${found.full_name} into ${shownPath(place.path, context.system)}${upstream}` };
  } finally {
    scratch.remove();
  }
}

/** Updates a clone that is there. */
async function update(
  { found, place: { path }, bar }: Target,
  context: CloneContext,
): Promise<Pick<BatchItem, "message" | "unchanged">> {
  const { git, server } = context;
  bar.doing("fetching");
  const here = git.at(path);
  const repo = { owner: found.owner?.login ?? "", name: found.name ?? "" };
  const remote = await remoteIn(here, repo, context);
  const config = await gitAuthConfig(server);
  const { commits, note } = await updateClone(configured(here, config), remote, { progress: showing(bar) });
  if (commits > 0) return { message: `Updated ${found.full_name} (${commits} commit${commits === 1 ? "" : "s"})` };
  const why = note === undefined ? "is up to date" : `was fetched: ${note}`;
  return { message: `${found.full_name} ${why}`, unchanged: true };
}

/** The remote of a clone that is the repository. Throws if the directory is no clone, or one of another repository. */
async function remoteIn(here: Git, repo: RepoName, { profiles, server }: CloneContext): Promise<string> {
  const hint = "Move it, or pass another --dir.";
  if (!(await isClone(here))) throw new Failure("exists", `${here.cwd} exists, and is not a git repository`, { hint });
  const config = profiles.read();
  const remotes = await here.remotes();
  const found = remotes.find((one) => isOnServer(config, server, one.host) && pointsTo(one, repo));
  if (found !== undefined) return found.name;
  const others = remotes.map(({ name, url }) => `${name} is ${maskText(url)}`).join(", ");
  const message = `${here.cwd} is a clone of another repository${others === "" ? "" : `: ${others}`}`;
  throw new Failure("exists", message, { hint });
}

/** Shows what git reports: the last line, and as a bar the part that is done. */
function showing(bar: Bar): (text: string) => void {
  return (text) => {
    const line = text.split(/[\r\n]/).findLast((one) => one.trim() !== "");
    if (line === undefined) return;
    bar.doing(line.replace(/^remote: /, "").trim());
    const percent = /(\d+)%/.exec(line)?.[1];
    if (percent !== undefined) bar.at(Number(percent), 100);
  };
}
