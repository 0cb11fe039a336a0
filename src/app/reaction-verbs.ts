import { many } from "../command/args.ts";
import { unknownNameError } from "../forge/names.ts";
import {
  addReaction,
  allowedReactions,
  listReactions,
  type Reacted,
  type Reaction,
  reaction,
  removeReaction,
} from "../forge/reactions.ts";
import { DeniedError } from "../http/errors.ts";
import { column } from "../output/table.ts";
import { fullName } from "../repo/repo-name.ts";
import { list as listOf } from "../shape/shape.ts";
import type { RepositoryContext } from "./context.ts";
import { commentPage, issueName, oneComment, oneIssue } from "./issue-selector.ts";
import { listCommand } from "./list-command.ts";
import { repoPage } from "./web.ts";
import { batchCommand } from "./write-command.ts";

const columns = [
  column<Reaction>("REACTION", "content"),
  column<Reaction>("USER", "user.login"),
  column<Reaction>("CREATED", "created_at", { as: "time" }),
];

/** The verbs of the reactions to an issue or a comment. */
function reactionVerbs(of: Reacted["of"]) {
  const target = { target: of === "issue" ? oneIssue : oneComment };
  const args = { ...target, reaction: many("reactions, such as +1, heart or rocket") };
  const noun = of === "issue" ? "an issue" : "a comment";
  const line = of === "issue" ? "tongs issue reaction" : "tongs comment reaction";
  const nameOf = ({ id, repo }: Reacted) =>
    of === "issue" ? issueName(repo, id) : `comment ${id} in ${fullName(repo)}`;
  const batch = {
    on: "repository",
    args,
    // One after the other: the servers keep their order.
    jobs: 1,
    targets: async ({ args: { reaction } }: { readonly args: { readonly reaction: readonly string[] } }) => [
      ...new Set(reaction),
    ],
  } as const;
  return {
    list: listCommand({
      summary: `List the reactions to ${noun}`,
      on: "repository",
      lists: ["reaction", "reactions"],
      record: reaction,
      args: target,
      columns,
      fetch: ({ args: typed, http, repo }) => listReactions(http, { of, repo, id: typed.target }),
      page: (context) => reactedPage(of, context),
      examples: [[`List the reactions to ${noun}`, `${line} list 12`]],
    }),
    add: batchCommand({
      ...batch,
      summary: `React to ${noun}`,
      details: "The server decides which reactions are allowed. Write -1 after --, because it looks like a flag.",
      output: listOf(reaction),
      exits: { partly: "some reactions were added, some failed" },
      examples: [
        ["Add two reactions", `${line} add 12 +1 heart`],
        ["Add the reaction -1", `${line} add 12 -- -1`],
      ],
      async work(content, context) {
        const reacted = { of, repo: context.repo, id: context.args.target };
        const record = await addReaction(context.http, reacted, content).catch(async (error: unknown) => {
          throw await explainReaction(error, content, context);
        });
        const name = nameOf(reacted);
        const already = `You already reacted with ${content} to ${name}`;
        return { done: `Added reaction ${content} to ${name}`, already, record };
      },
    }),
    remove: batchCommand({
      ...batch,
      summary: `Remove your reactions to ${noun}`,
      result: "removed",
      exits: { partly: "some reactions were removed, some failed" },
      examples: [["Remove a reaction", `${line} remove 12 heart`]],
      async work(content, { args: { target: id }, http, repo }) {
        const reacted = { of, repo, id };
        await removeReaction(http, reacted, content);
        const name = nameOf(reacted);
        return {
          done: `Removed reaction ${content} from ${name}`,
          already: `You have no reaction ${content} to ${name}`,
        };
      },
    }),
  };
}

/** `tongs issue reaction`. */
export const ofIssue = reactionVerbs("issue");

/** `tongs comment reaction`. */
export const ofComment = reactionVerbs("comment");

/** A reaction that the server does not allow is 403, as a missing permission. */
async function explainReaction(error: unknown, content: string, { http }: RepositoryContext): Promise<unknown> {
  if (!(error instanceof DeniedError) || error.status !== 403) return error;
  const allowed = await allowedReactions(http).catch((): readonly string[] => []);
  if (allowed.length === 0 || allowed.includes(content)) return error;
  return unknownNameError("reaction", [content], allowed, "on this server");
}

/** The path of the web page of what was reacted to. */
async function reactedPage(
  of: "issue" | "comment",
  context: RepositoryContext & { readonly args: { readonly target: number } },
): Promise<string> {
  const { args, repo } = context;
  return of === "issue" ? repoPage(repo, "issues", args.target) : commentPage({ repo, number: args.target }, context);
}
