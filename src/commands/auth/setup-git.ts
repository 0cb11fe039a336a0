import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { Failure } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { matchesAddress, requireProfile } from "../../profiles/choose.ts";
import { asksTongs, setHelper } from "../../profiles/git-helper.ts";
import { addressText, serverAddress } from "../../profiles/server.ts";
import { list, record, string, words } from "../../shape/shape.ts";

/** `tongs auth setup-git`: writes tongs as the credential helper to git's global configuration; sends no request. */
export const setupGit = defineCommand({
  summary: "Set up git to use the stored tokens",
  details:
    "Makes tongs git's credential helper for the servers of all profiles, or of --host or --profile, in the global git " +
    "configuration: git push, pull and clone over HTTP then sign in automatically. The token is not stored in it.",
  on: "profiles",
  effect: "write",
  output: list(record({ server: string, result: words("set up") })),
  exits: { denied: "not signed in to that server" },
  examples: [
    ["Set up git for all servers", "tongs auth setup-git"],
    ["Set up git for one server", "tongs auth setup-git --host https://git.example.org"],
  ],
  async run(context) {
    const { git, out } = context;
    const servers = serversToSetUp(context);
    if (await reportDryRun(context, `set up git for ${servers.map(addressText).join(", ")}`)) return;
    const { code } = await git.attempt(["-c", "alias.find-tongs=!command -v tongs", "find-tongs"]);
    if (code !== 0) out.warn("tongs is not on PATH: git cannot ask it until it is");
    for (const base of servers) {
      await setHelper(git, base, "--global");
      out.say(`Git uses tongs to sign in to ${addressText(base)}`);
    }
    if (out.records) await out.items(servers.map((base) => ({ server: addressText(base), result: "set up" })));
  },
});

/** The servers of the profiles that are signed in, limited by `--profile` and `--host`, each once. */
function serversToSetUp({ profiles, options }: BaseContext): URL[] {
  const config = profiles.read();
  if (options.profile !== undefined) requireProfile(config, options.profile);
  const found = Object.entries(config.profiles)
    .filter(([name]) => options.profile === undefined || name === options.profile)
    .filter(([name, { token_command: command }]) => command !== undefined || profiles.credentials.has(name))
    .map(([, { host }]) => serverAddress(host))
    .filter((base) => options.host === undefined || matchesAddress(base, options.host));
  if (found.length > 0) return [...new Map(found.map((base) => [addressText(base), base])).values()];
  const where = options.host ?? "any server";
  throw new Failure("not_signed_in", `Not signed in to ${where}`, {
    hint: `Run: tongs auth login${options.host === undefined ? "" : ` --host ${options.host}`}`,
  });
}

/** After a sign-in on a terminal, offers to set up git. The sign-in stands whatever the answer is. */
export async function offerGitSetup({ git, prompt, options, out }: BaseContext, base: URL): Promise<void> {
  if (!prompt.able || (await git.attempt(["--version"])).code !== 0 || (await asksTongs(git, base))) return;
  const message = "Authenticate Git with this account?";
  const wants =
    options.yes ||
    (await prompt.confirm({ message, flag: "--yes", default: true }).catch((error: unknown) => {
      if (error instanceof Cancelled) return false;
      throw error;
    }));
  if (!wants) return;
  await setHelper(git, base, "--global");
  out.note(`Git uses tongs to sign in to ${addressText(base)}`);
}
