import type { MissingArgument } from "../command/parse.ts";
import { fullName, type RepoName } from "../repo/repo-name.ts";
import { capitalized } from "../text/format.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { entities, isInRepository } from "./entities.ts";
import { pickOne } from "./pick.ts";
import { selectedLevel } from "./shared.ts";

/** How many items are read: who has more types part of the name, or gives the argument. */
const most = 200;

const nowhere: RepoName = { owner: "", name: "" };

/** Prompts for a missing argument with a list from the server, and returns what would have been typed. */
export async function chooseArgument(
  { source, name }: Pick<MissingArgument, "source" | "name">,
  flags: Readonly<Record<string, unknown>>,
  context: BaseContext & ServerContext,
): Promise<string> {
  const selected = selectedLevel(flags);
  const repo = selected === undefined && isInRepository(source) ? await context.locate() : undefined;
  const level = selected ?? { of: "repository" as const, repo: repo ?? nowhere };
  const { noun, list } = entities[source];
  const items = await list({ http: context.http, repo: repo ?? nowhere, level }, most);
  const where =
    repo !== undefined
      ? `in ${fullName(repo)}`
      : level.of === "organization"
        ? `in ${level.org}`
        : `on ${context.server.base.host}`;
  const chosen = await pickOne(context.prompt, items, {
    message: capitalized(noun[0]),
    flag: name,
    what: `${noun[1]} ${where}`,
    name: ({ word, description, shown = description ? `${word} (${description})` : word }) => shown,
  });
  return String(chosen.id ?? chosen.word);
}
