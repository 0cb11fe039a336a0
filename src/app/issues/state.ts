import { Failure } from "../../failure/failure.ts";
import { changedNothing } from "../../failure/ignored.ts";
import { createComment } from "../../forge/comments.ts";
import { RefusedError } from "../../http/errors.ts";
import { mayHaveActed, withLook } from "../../http/no-answer-error.ts";
import { commandOn } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { editors, explainDenied } from "../denied.ts";
import { type IssueTarget, targetName } from "../issue-selector.ts";

/** A new state of an issue or a pull request. */
interface StateChange<R> {
  readonly state: "closed" | "open";
  readonly comment: string | undefined;
  readonly noun: (record: R) => "issue" | "pull request";
  readonly edit: () => Promise<R>;
  /** The record, if it was read and is in that state. */
  readonly already?: R | undefined;
}

/** Sets the state, then adds the comment, and returns what was done in words. */
export async function setState<R extends object>(
  target: IssueTarget,
  { state, comment, noun, edit, already }: StateChange<R>,
  { http, out, server }: Pick<BaseContext, "out"> & ServerContext,
) {
  const name = targetName(target);
  const changing = async () => already ?? edit();
  const record = await changing().catch((error: unknown) => {
    throw explainState(error, name);
  });
  const unchanged = already !== undefined || changedNothing();
  const done = state === "closed" ? "Closed" : "Reopened";
  const said = (what: string) => (unchanged ? `${capitalized(what)} is already ${state}` : `${done} ${what}`);
  if (comment !== undefined && comment !== "") {
    await createComment(http, target.repo, target.number, comment).catch((error: unknown) => {
      const isUnsure = mayHaveActed(error);
      const now = unchanged ? `${name} is already ${state}` : said(name);
      out.warn(`${now}, but the comment ${isUnsure ? "may not have been" : "was not"} added`);
      throw isUnsure ? withLook(error, commandOn(server, `tongs issue view ${name} --comments`)) : error;
    });
  }
  return { message: said(`${noun(record)} ${name}`), record, unchanged };
}

/** Explains a refused change of the state. */
function explainState(error: unknown, name: string): unknown {
  if (!(error instanceof RefusedError) || error.status !== 412)
    return explainDenied(error, `Cannot edit ${name}`, editors);
  if (/already merged/.test(error.serverMessage))
    return new Failure("already_merged", `Pull request ${name} is already merged`, { cause: error });
  if (!/open dependencies/.test(error.serverMessage)) return error;
  const hint = `List them: tongs issue dependency list ${name}`;
  return new Failure("blocked", `Cannot close ${name}: it has open dependencies`, { hint, cause: error });
}
