import { rows, section } from "../command/help.ts";
import type { Git } from "../git/git.ts";
import { asFailure } from "../output/report-failure.ts";
import { profileNamed } from "../profiles/profile.ts";
import { accountLabel, addressText, type Server } from "../profiles/server.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import { wrap } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";
import { openQuietContext } from "./quiet-context.ts";

/** How long git may take, in milliseconds. */
const limit = 3000;

type Row = readonly [name: string, text: string];

/**
 * The text for `tongs` alone on a terminal of a width: the account, the repository, commits that are not pushed, and five
 * commands. Nothing is asked over the network: it comes from the profiles and git.
 */
export async function startScreen(system: System, width: number): Promise<string> {
  const context = openQuietContext(system, {}, limit);
  try {
    const found = await Promise.race([
      situation(context), // When git takes too long, or on Ctrl-C.
      context.timeUp.catch(() => nowhere("git did not respond in time")),
    ]);
    const { server, problem, repo, branch } = found;
    const account: Row = ["Account", server === undefined ? problem : accountText(server, found.signedIn)];
    const here: Row[] = [
      [
        "Repository",
        repo === undefined ? "none here" : `${fullName(repo)}${branch === undefined ? "" : `, ${branch.name}`}`,
      ],
      ...waiting(branch),
    ];
    return [
      wrap(`tongs ${version}: the command line for Gitea and Forgejo servers.`, width),
      "",
      ...aligned(server === undefined ? [account] : [account, ...here], width),
      "",
      ...section("NEXT", rows(nextCommands(found), width)),
    ].join("\n");
  } finally {
    context.close();
  }
}

/** What is known here. */
interface Situation {
  readonly server: Server | undefined;
  readonly signedIn: boolean;
  /** Why there is no server. */
  readonly problem: string;
  readonly repo: RepoName | undefined;
  readonly branch: Branch | undefined;
}

/** The current branch. */
interface Branch {
  readonly name: string;
  /** Commits that no remote has, as of the last fetch. */
  readonly unpushed: number;
}

/** What is known if no server is selected, and why. */
function nowhere(problem: string): Situation {
  return { server: undefined, signedIn: false, problem, repo: undefined, branch: undefined };
}

async function situation(context: ReturnType<typeof openQuietContext>): Promise<Situation> {
  let server: Server;
  try {
    server = await context.choose();
  } catch (error) {
    return nowhere(asFailure(error).message);
  }
  const repo = await context.locate().catch(() => undefined);
  const branch = repo === undefined ? undefined : await branchHere(context.git).catch(() => undefined);
  return { server, signedIn: await isSignedIn(server, context), problem: "", repo, branch };
}

/** Whether there is a token. No keyring is opened for it, and no program run. */
async function isSignedIn(server: Server, { profiles }: ReturnType<typeof openQuietContext>): Promise<boolean> {
  if (server.profile === undefined) return (await server.token()) !== undefined;
  const { token_command: command } = profileNamed(profiles.read(), server.profile) ?? {};
  return command !== undefined || profiles.credentials.has(server.profile);
}

/** The current branch with its commits that no remote has; undefined outside of a clone. */
async function branchHere(git: Git): Promise<Branch | undefined> {
  const name = await git.currentBranch();
  if (name === undefined) return undefined;
  const { code, stdout } = await git.attempt(["rev-list", "--count", "HEAD", "--not", "--remotes"]);
  return { name, unpushed: code === 0 ? Number(stdout) : 0 };
}

function accountText(server: Server, signedIn: boolean): string {
  const where = addressText(server.base);
  if (!signedIn) return `not signed in to ${where}`;
  return `${accountLabel(server).replace(/^(as|on) /, "")} (${server.because})`;
}

/** The commits of a branch that are not pushed. */
function waiting(branch: Branch | undefined): Row[] {
  const unpushed = branch?.unpushed ?? 0;
  const commits = unpushed === 1 ? "1 commit that is" : `${unpushed} commits that are`;
  return unpushed === 0 ? [] : [["Waiting", `${commits} not pushed on ${branch?.name}`]];
}

/** Five commands that fit the situation. */
function nextCommands({ server, signedIn, repo, branch }: Situation): Row[] {
  const help: Row = ["tongs --help", "list all commands"];
  const doctor: Row = ["tongs doctor", "diagnose problems"];
  if (server === undefined || !signedIn) {
    const host = server === undefined ? "https://git.example.org" : addressText(server.base);
    return [
      [`tongs auth login --host ${host}`, "sign in"],
      ["tongs sandbox", "start a server to try tongs on"],
      ["tongs help coming-from-gh", "commands of gh, and their equivalents in tongs"],
      doctor,
      help,
    ];
  }
  const status: Row = ["tongs status", "ask all servers what is waiting for you"];
  if (repo === undefined) {
    return [
      status,
      ["tongs repo list", "list your repositories"],
      ["tongs repo clone OWNER/NAME", "clone one"],
      ["tongs notification list", "list your notifications"],
      help,
    ];
  }
  const create: Row = ["tongs pr create --fill --push", "push the branch and create a pull request"];
  const pulls: Row = ["tongs pr list", "list the open pull requests"];
  return [
    status,
    ...(branch !== undefined && branch.unpushed > 0 ? [create] : [pulls]),
    ["tongs issue list", "list the open issues"],
    ["tongs run list", "list the runs of workflows"],
    help,
  ];
}

function aligned(pairs: readonly Row[], width: number): string[] {
  const left = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs.flatMap(([name, text]) => {
    const lines = wrap(safeLine(text), Math.max(20, width - left)).split("\n");
    return lines.map((line, index) => (index === 0 ? name : "").padEnd(left) + line);
  });
}
