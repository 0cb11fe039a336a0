import { batch } from "../../app/batch.ts";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { readTargets } from "../../app/input.ts";
import type { ExitName } from "../../failure/exit-codes.ts";
import { accountLabel } from "../../profiles/server.ts";

interface DeleteByName {
  /** The names as they were typed; `-` reads them from stdin. */
  readonly names: readonly string[];
  readonly noun: "variable" | "secret";
  /** What they belong to: `mara/harbor`. */
  readonly owner: string;
  readonly delete: (name: string) => Promise<unknown>;
}

/** Deletes variables or secrets: asks once for all of them, deletes several at a time and reports each one. */
export async function deleteByName(
  { names: typed, noun, owner, delete: work }: DeleteByName,
  context: Pick<BaseContext & ServerContext, "system" | "out" | "options" | "prompt" | "server">,
): Promise<ExitName | undefined> {
  const names = await readTargets(typed, context.system);
  const what = names.length === 1 ? `${noun} ${names[0]}` : `${names.length} ${noun}s (${names.join(", ")})`;
  await context.prompt.confirmAction({ what: `Delete ${what} of ${owner}` });
  return batch(
    names,
    async (name) => {
      await work(name);
      return { message: `Deleted ${noun} ${name} of ${owner} ${accountLabel(context.server)}` };
    },
    context,
  );
}
