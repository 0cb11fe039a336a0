import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { many } from "../../command/args.ts";
import { Failure } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import type { AccessToken, Login } from "../../forge/tokens.ts";
import { tokenDelete } from "../../forge/tokens.ts";
import { accountLabel, commandOn, type Server } from "../../profiles/server.ts";
import type { Prompter } from "../../prompts/prompter.ts";
import { passwordExclusive, passwordFlags, sameUser, type Whose, withTokens } from "./password-login.ts";

/** `tongs token delete`: DELETE /users/{username}/tokens/{id} for each, found by name or ID. */
export const remove = defineCommand({
  summary: "Delete access tokens",
  details:
    "Programs that use a deleted token lose access. Requires your password. Where the server allows it, the token of an " +
    "administrator is enough with --user.",
  external: { uses: "a password" },
  on: "server",
  effect: "destroy",
  result: "deleted",
  args: { token: many("names or IDs of tokens", { dash: "lines" }) },
  flags: passwordFlags,
  exclusive: passwordExclusive,
  exits: { partly: "some tokens were deleted, some failed" },
  examples: [["Delete a token", "tongs token delete ci --yes"]],
  async run(context) {
    const { args, flags, prompt, server, system } = context;
    const targets = await readTargets(args.token, system);
    const what = targets.length === 1 ? `token ${targets[0]}` : `${targets.length} tokens`;
    await prompt.confirmAction({ what: `Delete ${what}`, sends: tokenDelete });
    const { tokens, all } = await withTokens(flags, context, async (accepted) => ({
      tokens: accepted,
      all: await collect(accepted.list()),
    }));
    return batch(
      targets,
      async (typed) => {
        const { id, name } = findToken(all, typed, flags, server);
        await tokens.delete(id, await withNewCode(tokens.login, prompt));
        return { message: `Deleted token ${name} ${accountLabel(server)}` };
      },
      context,
      // Codes are asked for one after the other.
      { jobs: tokens.login?.otp === undefined ? 8 : 1 },
    );
  },
});

/** The login with another two-factor code, if the account has them: each is accepted only once. */
async function withNewCode(login: Login | undefined, prompt: Prompter): Promise<Login | undefined> {
  if (login?.otp === undefined) return login;
  const otp = await prompt.text({ message: "Next two-factor code", flag: "--password-stdin" });
  return { ...login, otp: otp.trim() };
}

/**
 * The token with this name, or else with this ID. Servers take a name of digits for an ID
 * (docs/server-differences.md, "Tokens and signing in").
 */
function findToken(tokens: readonly AccessToken[], typed: string, flags: Whose, server: Server): AccessToken {
  const named = tokens.filter(({ name }) => name === typed);
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(", ");
    throw new Failure("ambiguous", `${named.length} tokens are named ${typed}`, {
      hint: `Pass an ID: ${ids}`,
    });
  }
  const found = named[0] ?? tokens.find(({ id }) => String(id) === typed);
  if (found !== undefined) return found;
  throw new Failure("not_found", `Token ${typed} not found`, {
    hint: `To see the tokens, run: ${commandOn(server, `tongs token list${sameUser(flags)}`)}`,
  });
}
