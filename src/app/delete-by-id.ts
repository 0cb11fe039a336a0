import type { ExitName } from "../failure/exit-codes.ts";
import { accountLabel } from "../profiles/server.ts";
import { batch } from "./batch.ts";
import type { BaseContext, ServerContext } from "./context.ts";
import { readIds } from "./input.ts";

/** What the deletion of one item reports besides its id. */
interface Deleted {
  readonly name?: string;
  /** A sentence part for the end of the message: "; it had expired". */
  readonly note?: string;
}

interface DeleteById {
  /** The ids as they were typed; `-` reads them from stdin. */
  readonly ids: readonly string[];
  /** What each of them is, in the singular: `hook`. */
  readonly noun: string;
  /** What they belong to: `mara/harbor`. */
  readonly owner?: string | undefined;
  /** Deletes one. */
  readonly delete: (id: number) => Promise<Deleted | undefined>;
}

/**
 * Deletes what was named by ids: reads the ids, asks once for all of them, deletes several at a time and reports each
 * one. Returns the exit name of the batch. Throws a usage error for an id that is not a number, before anything is sent.
 */
export async function deleteById(
  { ids: typed, noun, owner, delete: work }: DeleteById,
  context: Pick<BaseContext & ServerContext, "system" | "out" | "options" | "prompt" | "server">,
): Promise<ExitName | undefined> {
  const { prompt, server, system } = context;
  const ids = await readIds(typed, system);
  const of = owner === undefined ? "" : ` of ${owner}`;
  await prompt.confirmAction({
    what: `Delete ${ids.length === 1 ? `${noun} ${ids[0]}` : `${ids.length} ${noun}s`}${of}`,
  });
  return batch(
    ids,
    async (id) => {
      const { name, note = "" } = (await work(id)) ?? {};
      const label = name === undefined ? `${id}` : `${id} (${name})`;
      return { message: `Deleted ${noun} ${label}${of} ${accountLabel(server)}${note}` };
    },
    context,
  );
}
