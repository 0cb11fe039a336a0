import type { BaseContext, ServerContext } from "../../app/context.ts";
import { repoPage } from "../../app/web.ts";
import { Failure } from "../../failure/failure.ts";
import { getComment } from "../../forge/comments.ts";
import type { Issue } from "../../forge/issues.ts";
import { DeniedError, RefusedError } from "../../http/errors.ts";
import { type Cell, numbered, styled } from "../../output/cells.ts";
import { type Column, column } from "../../output/table.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { present } from "../../shape/shape.ts";

/** The context of commands on several issues, which can be in several repositories. */
export type IssuesContext = BaseContext & ServerContext;

/** `mara/harbor#12`. */
export function issueName(repo: RepoName, number: number): string {
  return `${fullName(repo)}#${number}`;
}

/** The state of an issue in one word; a pull request can be merged. */
export function issueState(issue: Pick<Issue, "state" | "pull_request">): string {
  return issue.pull_request?.merged === true ? "merged" : issue.state;
}

/** The number in the color of the state. */
export function numberCell(issue: Pick<Issue, "number" | "state" | "pull_request">): Cell {
  const state = issueState(issue);
  return numbered(issue.number, state === "open" ? "good" : state === "merged" ? "merged" : "plain");
}

/** The columns of lists of issues. */
export const issueColumns: readonly Column<Issue>[] = [
  column<Issue>("ID", "number", numberCell),
  column<Issue>("TITLE", "title", { flexible: true }),
  column<Issue>("LABELS", "labels", { cell: (issue) => styled("link", labelNames(issue)), flexible: true }),
  column<Issue>("STATE", "state", issueState),
  column<Issue>("UPDATED", "updated_at", { as: "time" }),
];

/** The names of an issue's labels. */
export function labelNames({ labels }: Pick<Issue, "labels">): string {
  return present(labels)
    .map(({ name }) => name)
    .join(", ");
}

/** Explains a 403 without a body. `who` says who can do it: `its author and users with write access`. */
export function explainDenied(error: unknown, what: string, who: string): unknown {
  if (!(error instanceof DeniedError) || error.status !== 403 || error.serverMessage !== "") return error;
  const { code, status, method, path } = error;
  return new Failure(code, `${what}: only ${who} can`, { status, method, path, cause: error });
}

/** Who can edit an issue, for `explainDenied`. */
export const editors = "its author and users with write access";

/** Explains a refused change of the state. */
export function explainState(error: unknown, name: string): unknown {
  if (!(error instanceof RefusedError) || error.status !== 412)
    return explainDenied(error, `Cannot edit ${name}`, editors);
  if (/already merged/.test(error.serverMessage)) {
    return new Failure("already_merged", `Pull request ${name} is already merged`, { cause: error });
  }
  if (/open dependencies/.test(error.serverMessage)) {
    return new Failure("blocked", `Cannot close ${name}: it has open dependencies`, {
      hint: `List them: tongs issue dependency list ${name}`,
      cause: error,
    });
  }
  return error;
}

/** The path of the web page of a comment, which is that of its issue or pull request. */
export async function commentPage(
  { repo, number }: { readonly repo: RepoName; readonly number: number },
  { http }: Pick<ServerContext, "http">,
): Promise<string> {
  const { html_url = "" } = await getComment(http, repo, number);
  const [, kind = "issues", index] = /\/(issues|pulls)\/(\d+)/.exec(html_url) ?? [];
  return index === undefined ? repoPage(repo, kind) : `${repoPage(repo, kind, index)}#issuecomment-${number}`;
}
