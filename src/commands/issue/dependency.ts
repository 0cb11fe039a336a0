import { batch } from "../../app/batch.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import {
  type IssueTarget,
  issueName,
  oneIssue,
  otherIssues,
  readOthers,
  targetName,
} from "../../app/issue-selector.ts";
import { Unchanged, unlessDone } from "../../app/result.ts";
import { repoPage } from "../../app/web.ts";
import { changed, Failure, UsageError } from "../../failure/failure.ts";
import { addRelated, listRelated, type RelatedIssue, type Relation, removeRelated } from "../../forge/dependencies.ts";
import type { IssueMeta } from "../../forge/generated/operations.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type HttpError, NotFoundError, ServerError } from "../../http/errors.ts";
import { column } from "../../output/table.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { numberCell } from "./cells.ts";

const columns = [
  column<RelatedIssue>("REPOSITORY", "repository.full_name"),
  column<RelatedIssue>("ID", "number", (related) => (related.number === 0 ? "" : numberCell(related))),
  column<RelatedIssue>("TITLE", "title", { cell: ({ title }) => title || "HIDDEN", flexible: true }),
  column<RelatedIssue>("STATE", "state"),
];

/** `list`, `add` and `remove` of the issues that an issue blocks, or depends on. */
function verbs(relation: Relation) {
  const blocks = relation === "blocks";
  const noun = blocks ? "block" : "dependency";
  const summary = blocks ? "the issues that an issue blocks" : "the issues that an issue depends on";
  const args = { issue: oneIssue, other: otherIssues };
  const details = "The issues can be in different repositories. An issue with open dependencies cannot be closed.";
  const sentence = (name: string, word: string, other: string) =>
    `${name} ${word} ${blocks ? "blocks" : "depends on"} ${other}`;
  return {
    list: defineCommand({
      summary: `List ${summary}`,
      on: "repository",
      effect: "read",
      args: { issue: oneIssue },
      output: list(issue),
      examples: [[`List ${summary}`, `tongs issue ${noun} list 12`]],
      web: { page: ({ args, repo }) => repoPage(repo, "issues", args.issue) },
      async run({ args: { issue: number }, http, repo, out }) {
        const ones = (noun: string) => `${noun} that #${number} ${blocks ? "blocks" : "depends on"}`;
        await out.list(listRelated(http, { of: relation, repo, index: number }), columns, {
          lists: [ones("issue"), ones("issues")],
        });
      },
    }),
    add: defineCommand({
      summary: `Add to ${summary}`,
      details,
      on: "repository",
      effect: "write",
      args,
      output: list(issue),
      exits: { refused: "the other one depends on it", partly: "some were added, some failed" },
      examples: [[`Add an issue of another repository`, `tongs issue ${noun} add 12 mara/notes#3`]],
      run: (context) =>
        change(relation, context, async (of, name, named) => {
          const { http, repo } = context;
          const { meta, number } = of;
          // Servers accept that, and the issue can never be closed again (docs/server-differences.md, "Issues").
          if (issueName({ owner: meta.owner, name: meta.repo }, meta.index).toLowerCase() === name.toLowerCase()) {
            throw new UsageError(`${name} cannot ${blocks ? "block" : "depend on"} itself`);
          }
          const added = await unlessDone(
            addRelated(http, { of: relation, repo, index: number }, meta),
            // As for one that is not there.
            ServerError,
            () => isRelated(of, relation, context),
            new Unchanged(sentence(name, "already", named)),
          ).catch(async (error: unknown) => {
            throw await explainAdd(error, of, context);
          });
          return added instanceof Unchanged ? added : `Added: ${sentence(name, "now", named)}`;
        }),
    }),
    remove: defineCommand({
      summary: `Remove from ${summary}`,
      on: "repository",
      effect: "write",
      args,
      output: list(issue),
      exits: { partly: "some were removed, some failed" },
      examples: [["Remove two issues", `tongs issue ${noun} remove 12 3 4`]],
      run: (context) =>
        change(relation, context, async (of, name, named) => {
          const { http, repo } = context;
          const removed = await unlessDone(
            removeRelated(http, { of: relation, repo, index: of.number }, of.meta).catch(async (error: unknown) => {
              throw error instanceof NotFoundError ? await explainNotFound(error, of, context) : error;
            }),
            // The servers answer 500 (docs/server-differences.md, "Issues").
            ServerError,
            async () => !(await isRelated(of, relation, context)),
            new Unchanged(`${name} does not ${blocks ? "block" : "depend on"} ${named}`),
          );
          return removed instanceof Unchanged ? removed : `Removed: ${sentence(name, "no longer", named)}`;
        }),
    }),
  };
}

export const block = verbs("blocks");
export const dependency = verbs("dependencies");

type ChangeContext = RepositoryContext &
  Parameters<typeof batch>[2] &
  Parameters<typeof readOthers>[1] & { readonly args: { readonly issue: number; readonly other: readonly string[] } };

/** Relates each other issue, one after the other: the servers write without a transaction. */
async function change(
  relation: Relation,
  context: ChangeContext,
  send: (change: Change, name: string, other: string) => Promise<string | Unchanged>,
) {
  const { http, repo, server, args } = context;
  return batch(
    await readOthers(args.other, context),
    async (other) => {
      // With its names as they are stored: in another spelling they count as another repository.
      const found = await call(http, issueGet, { repo: other.repo, index: other.number });
      const { owner, name } = found.repository ?? other.repo;
      const meta = { owner, repo: name, index: other.number };
      const of = { relation, number: args.issue, other, meta };
      const sent = await send(of, issueName(repo, args.issue), targetName(other));
      if (sent instanceof Unchanged) return { message: sent.message, unchanged: true, record: found };
      return { message: `${sent} ${accountLabel(server)}`, record: found };
    },
    context,
    { jobs: 1, name: targetName },
  );
}

interface Change {
  readonly relation: Relation;
  readonly number: number;
  readonly other: IssueTarget;
  readonly meta: IssueMeta;
}

/** The servers answer 500 to a circular dependency (docs/server-differences.md, "Issues"). */
async function explainAdd(error: unknown, change: Change, context: RepositoryContext): Promise<unknown> {
  if (error instanceof NotFoundError) return explainNotFound(error, change, context);
  if (!(error instanceof ServerError)) return error;
  const name = issueName(context.repo, change.number);
  const other = targetName(change.other);
  const [first, then] = change.relation === "blocks" ? [other, name] : [name, other];
  const opposite = change.relation === "blocks" ? "dependencies" : "blocks";
  if (!(await isRelated(change, opposite, context))) return error;
  return new Failure("circular", `${first} cannot depend on ${then}, which depends on it`, { cause: error });
}

/** A 404 although the other issue exists: the issue does not, or the caller may not change it. */
async function explainNotFound(error: HttpError, { number }: Change, { http, repo }: RepositoryContext) {
  const found = await call(http, issueGet, { repo, index: number }).catch((reason: unknown) => reason);
  if (found instanceof Error) return found;
  const message = `Cannot change the dependencies of ${issueName(repo, number)}`;
  const hint = "You need write access, and dependencies must be enabled in the repository.";
  return changed(error, { code: "forbidden", message, hint });
}

async function isRelated({ number, meta }: Change, relation: Relation, { http, repo }: RepositoryContext) {
  const all = await collect(listRelated(http, { of: relation, repo, index: number }));
  const full = `${meta.owner}/${meta.repo}`.toLowerCase();
  return all.some((one) => one.number === meta.index && one.repository?.full_name.toLowerCase() === full);
}
