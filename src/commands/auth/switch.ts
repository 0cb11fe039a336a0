import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { optional } from "../../command/args.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { matchesAddress } from "../../profiles/choose.ts";
import type { Config } from "../../profiles/profile.ts";
import { addressText, serverAddress } from "../../profiles/server.ts";
import { profileRecord, toRecord } from "../profile/shared.ts";

/** `tongs auth switch`: makes another account of a server the default profile; sends no request. */
export const switchAccount = defineCommand({
  summary: "Switch to another account of a server",
  details:
    "Makes the profile of another user on the same server the default. Without USER, " +
    "switches to the other account if there are two, and prompts if there are more. The server is the selected one, or " +
    "the one given by --host.",
  on: "profiles",
  effect: "write",
  args: { user: optional("the username of the account") },
  output: profileRecord,
  exits: { denied: "no other account of this server is signed in" },
  examples: [
    ["Switch between two accounts", "tongs auth switch"],
    ["Switch to an account by its name", "tongs auth switch mara"],
  ],
  async run(context) {
    const { args, profiles, out, options } = context;
    const config = profiles.read();
    const { base, profile: current } = await context.choose();
    const here = accountsOf(config, base);
    const name = await chooseAccount(context, here, { user: args.user, current, host: addressText(base) });
    const { user = name } = config.profiles[name] ?? {};
    if (await reportDryRun({ out, options }, `make ${name} the default profile`)) return;
    await profiles.update((stored) => ({ ...stored, default: name }));
    await out.done(`Switched to ${user} on ${addressText(base)} (profile ${name})`, {
      record: toRecord(profiles.read(), name),
    });
  },
});

interface Account {
  readonly name: string;
  readonly user: string;
}

/** The profiles of a server that have a user. */
function accountsOf(config: Config, base: URL): Account[] {
  return Object.entries(config.profiles).flatMap(([name, { host, user }]) =>
    user !== undefined && matchesAddress(serverAddress(host), addressText(base)) ? [{ name, user }] : [],
  );
}

async function chooseAccount(
  { prompt }: Pick<BaseContext, "prompt">,
  accounts: readonly Account[],
  {
    user,
    current,
    host,
  }: { readonly user: string | undefined; readonly current: string | undefined; readonly host: string },
): Promise<string> {
  const signIn = `To add an account, run: tongs auth login --host ${host}`;
  const names = accounts.map((account) => account.user).join(", ");
  if (user !== undefined) {
    const found = accounts.filter((account) => account.user.toLowerCase() === user.toLowerCase());
    const [first, second] = found;
    if (first === undefined) {
      const hint = names === "" ? signIn : `Accounts: ${names}. ${signIn}`;
      throw new Failure("not_signed_in", `No account '${user}' on ${host} is signed in`, { hint });
    }
    if (second === undefined) return first.name;
    const both = found.map(({ name }) => name).join(", ");
    throw new UsageError(
      `${user} has several profiles on ${host}`,
      `Choose one: tongs profile use NAME. Profiles: ${both}`,
    );
  }
  const others = accounts.filter(({ name }) => name !== current);
  const [first, second] = others;
  if (first === undefined) {
    throw new Failure("not_signed_in", `No other account on ${host} is signed in`, { hint: signIn });
  }
  if (second === undefined) return first.name;
  if (!prompt.able) throw new UsageError(`Several accounts are signed in on ${host}`, `Name one of: ${names}`);
  const choices = others.map(({ name, user: login }) => ({ name: login, value: name, description: `profile ${name}` }));
  return prompt.select({ message: "Which account?", flag: "USER", choices });
}
