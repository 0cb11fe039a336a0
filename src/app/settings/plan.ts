import type { ExitName } from "../../failure/exit-codes.ts";
import { column } from "../../output/table.ts";
import { accountLabel } from "../../profiles/server.ts";
import { words } from "../../shape/shape.ts";
import { batch } from "../batch.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { editedText } from "../fields.ts";

/** What setting a variable or a secret does; `set` if the server cannot tell which exist. */
export const action = words("create", "update", "unchanged", "set");

/** One variable or secret of a plan. */
export interface Change {
  readonly name: string;
  /** The name afterwards, if it is renamed. */
  readonly newName?: string | undefined;
  readonly action: "create" | "update" | "unchanged" | "set";
  /** The fields for JSON output before the change. */
  readonly before: object;
  /** Sends the request, and returns what was done. */
  readonly apply: () => Promise<"created" | "updated">;
  /** The fields for JSON output after the change. */
  readonly after: () => Promise<object>;
}

interface PlanOptions {
  readonly kind: "variable" | "secret";
  /** `mara/harbor`, `organization tidewater`, … */
  readonly owner: string;
  /** Show the plan on stderr before applying it. */
  readonly isShown: boolean;
  /** Print the plan and change nothing. */
  readonly planOnly: boolean;
}

const order = ["create", "update", "set", "unchanged"] as const;
const columns = [column<Change>("NAME", "name"), column<Change>("ACTION", "action")];

/** Shows a plan and applies it, several requests at a time. Returns the exit name of the batch. */
export async function applyPlan(
  changes: readonly Change[],
  { kind, owner, isShown, planOnly }: PlanOptions,
  context: Pick<BaseContext & ServerContext, "out" | "system" | "options" | "server">,
): Promise<ExitName | undefined> {
  const { out, server } = context;
  if (planOnly) {
    if (out.records) await out.items(changes.map(({ name, action, before }) => ({ ...before, name, action })));
    else await out.list(changes, columns, { unlimited: true });
    return undefined;
  }
  if (isShown && !out.records) out.note(planText(changes, kind, owner));
  return batch(
    changes,
    async ({ name, newName, action, apply, after }) => {
      const where = `${kind} ${name} of ${owner}`;
      if (action === "unchanged") {
        return { message: `No change: ${where}`, record: async () => ({ ...(await after()), action }) };
      }
      const done = await apply();
      const said =
        done === "created"
          ? `Created ${kind} ${name}`
          : editedText(kind, `${kind} ${name}`, `${kind} ${newName ?? name}`);
      const message = `${said} of ${owner} ${accountLabel(server)}`;
      const record = async () => ({ ...(await after()), action: done === "created" ? "create" : "update" });
      return { message, record };
    },
    context,
    { name: ({ name }) => name },
  );
}

/** `3 variables of mara/harbor: 2 to create, 1 unchanged`, and the names by action. */
function planText(changes: readonly Change[], kind: string, owner: string): string {
  const groups = order.flatMap((word) => {
    const names = changes.filter(({ action }) => action === word).map(({ name }) => name);
    return names.length === 0 ? [] : [{ word, names }];
  });
  const counts = groups.map(({ word, names }) => `${names.length} ${word === "unchanged" ? word : `to ${word}`}`);
  const lines = groups.map(({ word, names }) => `  ${word}: ${names.join(", ")}`);
  const noun = `${changes.length} ${kind}${changes.length === 1 ? "" : "s"}`;
  return [`${noun} of ${owner}: ${counts.join(", ")}`, ...lines].join("\n");
}
