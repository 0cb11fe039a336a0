import { spawn } from "node:child_process";
import pMap from "p-map";
import { type BatchItem, batch, type Progress } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import {
  firstWithHost,
  matcher,
  readPatterns,
  type Selected,
  selectRepositories,
} from "../../app/select-repositories.ts";
import { any, many } from "../../command/args.ts";
import { integer, textOr, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { safely, withoutRepository } from "../../git/git.ts";
import { NotFoundError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, isPattern, parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { list, record, string, integer as whole } from "../../shape/shape.ts";
import { fullPath, shownPath } from "../../system/files.ts";
import { startable } from "../../system/program.ts";
import { compose } from "../../text/styled.ts";
import { joinWords } from "../../text/words.ts";
import { checkoutsIn } from "./checkouts.ts";

/** What a program did in one repository. */
const result = record({ repository: string, path: string, exit_code: whole, stdout: string, stderr: string });

/** Where a program runs, and the repository that it finds in the environment; or why it does not. */
interface Place {
  readonly path: string;
  readonly repo: RepoName;
  readonly failure?: Failure;
}

/** `tongs repo exec`: runs a program in each clone. With --remote, GET the repositories that patterns match. */
export const exec = defineCommand({
  summary: "Run a command in many repositories",
  details:
    "Runs the command in each clone in DIR, or in the directories of DIR, that has a remote of a matching repository. The " +
    "command finds the repository in TONGS_REPO and the server in TONGS_HOST, so tongs works on it, too. It is started " +
    "without a shell: pass sh -c 'COMMANDS' for pipes and variables. With --remote, it runs once for each repository on the " +
    "server, without clones, in the current directory.\n\nOn a terminal, the output is grouped by repository; elsewhere each " +
    "line begins with the name of the repository and a tab. Those in which the command failed are listed at the end.",
  external: { uses: "other programs" },
  on: "server",
  effect: "write",
  asTool: "none",
  args: {
    repo: many("OWNER/NAME, NAME for one of your own, or a pattern: 'acme/*'", {
      source: "repository",
      dash: "lines",
      locate: (typed) => firstWithHost(typed.filter((word) => word.includes("/"))),
    }),
    command: any("the command and its arguments", { afterDashes: true }),
  },
  flags: {
    dir: textOr(".", "directory with the clones", { short: "D", names: "output file", placeholder: "DIR" }),
    jobs: integer("number of commands run at a time (default: 8)", { min: 1, max: 64 }),
    remote: toggle("run for the repositories on the server, without clones"),
  },
  output: list(result),
  exits: { partly: "the command failed in some repositories" },
  examples: [
    [
      "Show what is not committed in the clones of an organization",
      "tongs repo exec 'tidewater/*' -- git status --short",
    ],
    ["Create a label in each of your repositories", "tongs repo exec '*' --remote -- tongs label create urgent"],
  ],
  async run(context) {
    const { args, flags, options, out, system } = context;
    const [program] = args.command;
    if (program === undefined)
      throw new UsageError("No command given", "Pass it after --: tongs repo exec 'acme/*' -- git pull");
    const places = await (flags.remote ? onServer(args.repo, context) : inClones(args.repo, flags.dir, context));
    const env = environment(context);
    let last: Promise<unknown> = Promise.resolve();
    const work = async ({ path, repo, failure: missing }: Place): Promise<BatchItem> => {
      if (missing !== undefined) throw missing;
      const name = fullName(repo);
      const line = joinWords(args.command);
      if (options.dryRun) {
        out.note(`Would run ${line} in ${shownPath(path, system)} for ${name}`);
        return { message: undefined };
      }
      const before = last;
      const shown = runIn(path, args.command, { ...env, TONGS_REPO: name }, context).then(async (ran) => {
        await before;
        if (!out.records) await print(name, ran, context);
        return ran;
      });
      // One after the other, in the order of the repositories.
      last = Promise.allSettled([before, shown]);
      const { code, stdout, stderr } = await shown;
      const record = { repository: name, path, exit_code: code, stdout, stderr };
      const failure = code === 0 ? undefined : new Failure("program", `${program} exited with code ${code}`);
      return { message: undefined, record, failure };
    };
    const interrupted = ({ total, done }: Progress) =>
      `The command ended by itself in ${done.length} of ${total}: ${done.join(", ") || "none"}`;
    return batch(places, work, context, { jobs: flags.jobs ?? 8, name: ({ repo }) => fullName(repo), interrupted });
  },
});

type ExecContext = BaseContext & ServerContext;

async function inClones(typed: readonly string[], dir: string, context: ExecContext): Promise<Place[]> {
  const patterns = await readPatterns(typed, context);
  const path = fullPath(dir, context.system);
  const found = await checkoutsIn(path, matcher(patterns), context);
  const without = patterns.filter((one) => !found.some(({ repo }) => matcher([one])(repo)));
  for (const one of without.filter((spec) => isPattern(fullName(spec))))
    if (found.length > 0) context.out.warn(`No clones match '${fullName(one)}'`);
  const missing = without.flatMap((repo) => {
    const message = `No clone of ${fullName(repo)} found in ${dir}`;
    return isPattern(fullName(repo)) ? [] : [{ path, repo, failure: new Failure("not_found", message) }];
  });
  if (found.length > 0) return [...found, ...missing];
  const hint = `Clone them: tongs repo clone ${joinWords(typed)} --dir ${joinWords([dir])}`;
  throw new Failure("not_found", `No clones of ${typed.join(", ")} found in ${dir}`, { hint });
}

async function onServer(typed: readonly string[], context: ExecContext): Promise<Place[]> {
  const selected = await selectRepositories(typed, context);
  const read = async ({ name, get }: Selected): Promise<Place> => {
    const place = { path: context.system.cwd, repo: parseRepo(name) };
    try {
      await get();
      return place;
    } catch (failure) {
      if (failure instanceof NotFoundError) return { ...place, failure };
      throw failure;
    }
  };
  return pMap(selected, read, { concurrency: 8 });
}

/** The environment of the command: that of the user, with the selected server. */
function environment({ server, system }: ExecContext): Record<string, string | undefined> {
  const profile = server.profile === undefined ? {} : { TONGS_PROFILE: server.profile };
  return { ...safely(withoutRepository(system.env)), TONGS_HOST: addressText(server.base), ...profile };
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runIn(
  cwd: string,
  [program = "", ...args]: readonly string[],
  env: Record<string, string | undefined>,
  { system }: ExecContext,
): Promise<Result> {
  const { platform, signal } = system;
  const start = startable(program, { env, platform });
  const refused = (reason: string) => new Failure("program", `Could not start ${program}: ${reason}`);
  if (start === undefined) throw refused("it is not on the PATH");
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the program has started ends with it.
    const isGroup = platform !== "win32";
    const child = spawn(start, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: isGroup });
    const end = () => {
      if (!isGroup || child.pid === undefined) return void child.kill();
      try {
        process.kill(-child.pid, "SIGTERM");
      } catch {
        // It has ended.
      }
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", ({ message }) => reject(signal.aborted ? signal.reason : refused(message)));
    child.on("close", (code, killed) => {
      signal.removeEventListener("abort", abort);
      const [stdout = "", stderr = ""] = [out, errors].map((chunks) => Buffer.concat(chunks).toString("utf8"));
      if (killed === null) resolve({ code: code ?? 1, stdout, stderr });
      else reject(new Failure("program", `${program} was ended by ${killed}`));
    });
  });
}

/** Prints the output in one repository: below its name on a terminal, else after its name in each line. */
async function print(
  name: string,
  { stdout, stderr }: Pick<Result, "stdout" | "stderr">,
  { out, system }: ExecContext,
): Promise<void> {
  const lines = (text: string) => text.replace(/\n$/, "").split("\n");
  if (out.terminal) {
    if (stdout + stderr !== "") await out.raw(compose`${out.palette("strong", name)}\n`);
    if (stdout !== "") await out.raw(`${lines(stdout).join("\n")}\n`);
    if (stderr !== "") system.stderr.write(`${lines(stderr).join("\n")}\n`);
    return;
  }
  const prefixed = (text: string) =>
    lines(text)
      .map((line) => `${name}\t${line}\n`)
      .join("");
  if (stdout !== "") await out.raw(prefixed(stdout));
  if (stderr !== "") system.stderr.write(prefixed(stderr));
}
