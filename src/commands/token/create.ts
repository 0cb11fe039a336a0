import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { choicesOf } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { accessToken, basicAuth, tokenCreate } from "../../forge/tokens.ts";
import { showOnce } from "../../output/show-once.ts";
import { accountLabel } from "../../profiles/server.ts";
import { passwordExclusive, passwordFlags, scopes, withPassword } from "./shared.ts";

/** `tongs token create`: POST /users/{username}/tokens. */
export const create = defineCommand({
  summary: "Create an access token",
  details:
    "Prints the token, which cannot be shown again. Requires your password: servers do not accept a token. A write " +
    "scope includes the read scope; with public-only, the token has no access to private data.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: { name: one("name of the token") },
  flags: { scope: choicesOf(scopes, "what the token can access", { short: "s" }), ...passwordFlags },
  exclusive: passwordExclusive,
  output: accessToken,
  examples: [
    ["Create a token for continuous integration", "tongs token create ci --scope write:repository,read:user"],
    [
      "Create a token in a script",
      "tongs token create backup --scope read:repository --password-file password.txt > token.txt",
    ],
  ],
  async run(context) {
    const { args, flags, http, out, server, system } = context;
    if (flags.scope.length === 0) throw new UsageError("--scope is required", `Available: ${scopes.join(", ")}`);
    if (args.name.trim() === "") throw new UsageError("The name of the token cannot be empty");
    const body = { name: args.name, scopes: flags.scope };
    const created = await withPassword(flags, context, (login, user) =>
      call(http, tokenCreate, { username: user }, body, { headers: basicAuth(login) }),
    );
    if (created.sha1 === undefined || created.sha1 === "") {
      throw new Failure("no_token", "The server created a token but did not return it");
    }
    const secret = created.sha1;
    const show = () => (out.records ? out.record(created, () => ({ fields: [] })) : out.raw(`${secret}\n`));
    await showOnce(system.stdout, show, (reason) => {
      const hint = `The token exists but cannot be shown again; run: tongs token delete ${created.id}`;
      return new Failure("output_lost", `The token could not be printed: ${reason}`, { hint });
    });
    await out.done(
      `Created token ${created.name} (${(created.scopes ?? flags.scope).join(", ")}) ${accountLabel(server)}`,
    );
  },
});
