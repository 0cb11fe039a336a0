import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { type Repository, repository } from "../../forge/repos.ts";
import { NotFoundError } from "../../http/errors.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { repoKind } from "./shared.ts";

const columns = [
  column<Repository>("NAME", (repo) => styled("link", repo.full_name)),
  column<Repository>("DESCRIPTION", (repo) => repo.description, true),
  column<Repository>("KIND", repoKind),
  column<Repository>("UPDATED", (repo) => when(repo.updated_at)),
];

/** `tongs repo list`: GET the user's repositories, or those of another user or an organization. */
export const list = defineCommand({
  summary: "List repositories",
  on: "server",
  effect: "read",
  args: { owner: optional("user or organization (default: you)") },
  output: listOf(repository),
  examples: [
    ["List your repositories", "tongs repo list"],
    ["List all repositories of an organization", "tongs repo list tidewater --all"],
  ],
  async run({ args, forge, server, out }) {
    const { owner } = args;
    const listing = owner === undefined ? forge.repos.mine() : forge.repos.ofUser(owner);
    await out.list(listing, columns).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError(error.exchange, `User or organization ${owner} not found on ${server.base.host}`);
    });
  },
});
