import { defineCommand } from "../../app/define.ts";
import { printSecret, requireSecret } from "../../app/require-secret.ts";
import { repositoryOf } from "../../app/shared.ts";
import { one } from "../../command/args.ts";
import { choicesOf, names } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { type AccessToken, accessToken, type Tokens, tokenCreate } from "../../forge/tokens.ts";
import { accountLabel, commandOn } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { passwordExclusive, passwordFlags, sameUser, scopes, withTokens } from "./password-login.ts";

/** `tongs token create`: POST /users/{username}/tokens. */
export const create = defineCommand({
  summary: "Create an access token",
  details:
    "Prints the token, which cannot be shown again: --json FIELDS must include sha1, and a filter of --jq can lose it. " +
    "Requires your password. Where the server allows it, the token of an administrator is enough with --user. A write " +
    "scope includes the read scope; with public-only, the token has no access to private data. With --only-repo, " +
    "it has none to other private repositories, and only scopes of issue and repository are allowed.",
  external: { uses: "a password" },
  on: "server",
  fieldsOf: tokenCreate,
  effect: "write",
  asTool: "none",
  args: { name: one("name of the token") },
  flags: {
    scope: choicesOf(scopes, "what the token can access", { short: "s" }),
    onlyRepo: names("limit the token to these repositories: OWNER/NAME", {
      placeholder: "REPO",
      source: "repository",
      field: "repositories",
    }),
    ...passwordFlags,
  },
  exclusive: passwordExclusive,
  output: accessToken,
  examples: [
    ["Create a token for continuous integration", "tongs token create ci --scope write:repository,read:user"],
    [
      "Create a token in a script",
      "tongs token create backup --scope read:repository --password-file password.txt > token.txt",
    ],
    ["Create a token for one repository", "tongs token create deploy --scope write:repository --only-repo mara/harbor"],
  ],
  async run(context) {
    const { args, flags, out, server } = context;
    if (flags.scope.length === 0) throw new UsageError("--scope is required", `Available: ${scopes.join(", ")}`);
    if (args.name.trim() === "") throw new UsageError("The name of the token cannot be empty");
    requireSecret("sha1", context);
    // Only what the flag says: a repository of the environment or of -R is not what the token is for.
    const repositories = flags.onlyRepo.map((place) => repositoryOf(place, context));
    const body = {
      name: args.name,
      scopes: flags.scope,
      ...(repositories.length === 0 ? {} : { repositories }),
    };
    const created = await withTokens(flags, context, async (tokens) => {
      const token = await tokens.create(body);
      await requireLimit(token, repositories.map(fullName), tokens);
      return token;
    });
    if (created.sha1 === undefined || created.sha1 === "") {
      throw new Failure("no_token", "The server created a token but did not return it");
    }
    const line = commandOn(server, `tongs token delete ${created.id}${sameUser(flags)}`);
    const hint = `The token exists but cannot be shown again; run: ${line}`;
    await printSecret(created, { what: "token", text: created.sha1, hint }, context);
    const limit = repositories.length === 0 ? "" : ` for ${repositories.map(fullName).join(" and ")} only`;
    await out.done(
      `Created token ${created.name} (${(created.scopes ?? flags.scope).join(", ")})${limit} ${accountLabel(server)}`,
    );
  },
});

/** Deletes a new token that is not limited to the repositories, and throws: it would have access to all others. */
async function requireLimit(token: AccessToken, wanted: readonly string[], tokens: Tokens): Promise<void> {
  const limits = new Set((token.repositories ?? []).map(({ full_name }) => full_name.toLowerCase()));
  const isLimited = limits.size === wanted.length && wanted.every((name) => limits.has(name.toLowerCase()));
  if (wanted.length === 0 || isLimited) return;
  await tokens.delete(token.id);
  throw new Failure("ignored", `The server did not limit the token to ${wanted.join(" and ")}; it was deleted`);
}
