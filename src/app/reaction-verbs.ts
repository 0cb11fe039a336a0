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
import { accountLabel } from "../profiles/server.ts";
import { fullName } from "../repo/repo-name.ts";
import { list as listOf } from "../shape/shape.ts";
import { batch } from "./batch.ts";
import type { BaseContext, RepositoryContext } from "./context.ts";
import { defineCommand } from "./define.ts";
import { commentPage, issueName, oneComment, oneIssue } from "./issue-selector.ts";
import { repoPage } from "./web.ts";

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
  return {
    list: defineCommand({
      summary: `List the reactions to ${noun}`,
      on: "repository",
      effect: "read",
      lists: ["reaction", "reactions"],
      args: target,
      output: listOf(reaction),
      examples: [[`List the reactions to ${noun}`, `${line} list 12`]],
      web: { page: (context) => reactedPage(of, context) },
      async run({ args: typed, http, repo, out }) {
        await out.list(listReactions(http, { of, repo, id: typed.target }), columns);
      },
    }),
    add: defineCommand({
      summary: `React to ${noun}`,
      details: "The server decides which reactions are allowed. Write -1 after --, because it looks like a flag.",
      on: "repository",
      effect: "write",
      args,
      output: listOf(reaction),
      exits: { partly: "some reactions were added, some failed" },
      examples: [
        ["Add two reactions", `${line} add 12 +1 heart`],
        ["Add the reaction -1", `${line} add 12 -- -1`],
      ],
      run: (context) =>
        each(of, context, async (reacted, content, name) => {
          const record = await addReaction(context.http, reacted, content).catch(async (error: unknown) => {
            throw await explainReaction(error, content, context);
          });
          const already = `You already reacted with ${content} to ${name}`;
          return { message: `Added reaction ${content} to ${name}`, already, record };
        }),
    }),
    remove: defineCommand({
      summary: `Remove your reactions to ${noun}`,
      on: "repository",
      effect: "write",
      result: "removed",
      args,
      exits: { partly: "some reactions were removed, some failed" },
      examples: [["Remove a reaction", `${line} remove 12 heart`]],
      run: (context) =>
        each(of, context, async (reacted, content, name) => {
          await removeReaction(context.http, reacted, content);
          const already = `You have no reaction ${content} to ${name}`;
          return { message: `Removed reaction ${content} from ${name}`, already };
        }),
    }),
  };
}

/** `tongs issue reaction`. */
export const ofIssue = reactionVerbs("issue");

/** `tongs comment reaction`. */
export const ofComment = reactionVerbs("comment");

type ReactionContext = RepositoryContext &
  Pick<BaseContext, "system" | "out" | "options"> & {
    readonly args: { readonly target: number; readonly reaction: readonly string[] };
  };

async function each(
  of: Reacted["of"],
  context: ReactionContext,
  send: (
    reacted: Reacted,
    content: string,
    name: string,
  ) => Promise<{ message: string; already: string; record?: unknown }>,
) {
  const { args, repo, server } = context;
  const id = args.target;
  const name = of === "issue" ? issueName(repo, id) : `comment ${id} in ${fullName(repo)}`;
  return batch(
    [...new Set(args.reaction)],
    async (content) => {
      const { message, ...rest } = await send({ of, repo, id }, content, name);
      return { message: `${message} ${accountLabel(server)}`, ...rest };
    },
    context,
    // One after the other: the servers keep their order.
    { jobs: 1 },
  );
}

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
