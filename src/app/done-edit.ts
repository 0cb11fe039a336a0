import { appliedNames } from "../failure/ignored.ts";
import { accountLabel } from "../profiles/server.ts";
import { atStart } from "../text/format.ts";
import type { BaseContext, ServerContext } from "./context.ts";

/** What an edit did. */
interface Edit {
  /** `Updated team crew`. */
  readonly said: string;
  /** The names of the fields that it changed. */
  readonly names: readonly string[];
  /** What was edited, if fields were not applied to it: `team crew`. */
  readonly what: string;
  readonly record: unknown;
}

/**
 * Ends an edit: says what it did, without the fields that the server did not apply, and nothing if it applied none; or that all
 * was so already.
 */
export async function doneEdit(
  { out, server }: Pick<BaseContext, "out"> & Pick<ServerContext, "server">,
  { said, names, what, record }: Edit,
): Promise<void> {
  const applied = appliedNames(names);
  const fields = applied.join(", ");
  const message = `${said} (${fields}) ${accountLabel(server)}`;
  const already = `${atStart(what)} already had this: ${fields}`;
  await out.done(applied.length > 0 ? message : undefined, { already, record, what });
}
