import type { Args } from "../command/args.ts";
import type { Flags } from "../command/flags.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { Load } from "../command/table.ts";
import type { Listing } from "../http/pages.ts";
import type { Column } from "../output/table.ts";
import { list, type Shape } from "../shape/shape.ts";
import type { CommandContext } from "./context.ts";
import { type Command, defineCommand } from "./define.ts";
import type { MaybePromise, NoArgs, NoFlags, On } from "./resource-verbs.ts";

/** A list: its declaration, and what fetches it. */
interface ListCommand<S extends On, T, A extends Args, F extends Flags>
  extends Pick<
    CommandSpec,
    "summary" | "details" | "examples" | "asTool" | "needs" | "fieldsOf" | "exits" | "exclusive"
  > {
  readonly on: S;
  /** What it lists, in the singular and the plural. */
  readonly lists: readonly [one: string, many: string];
  readonly record: Shape<T>;
  readonly columns: readonly Column<T>[];
  readonly args?: A;
  readonly flags?: F;
  /** Throws a usage error for arguments and flags that do not fit. */
  readonly fetch: (context: CommandContext<S, A, F>) => MaybePromise<Listing<T> | readonly (T | null)[]>;
  /** Throws what the error of a request means. */
  readonly explain?: (error: unknown, context: CommandContext<S, A, F>) => MaybePromise<never>;
  /** Whether it prints all items, whatever `--limit` says: they are parts of one thing. */
  readonly unlimited?: boolean;
  /** The path of the web page of the list, and the flags that select what is on it. */
  readonly page?: (context: CommandContext<S, A, F>) => MaybePromise<string>;
  readonly pageUses?: readonly (keyof F & string)[];
}

/** What loads a command that prints a table of records: the list of a resource, or one that belongs to none. */
export function listCommand<S extends On, T, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  of: ListCommand<S, T, A, F>,
): Load<Command> {
  const { record, columns, fetch, explain, unlimited = false, page, pageUses: uses = [], ...spec } = of;
  return async () =>
    defineCommand<S, A, F>({
      ...spec,
      effect: "read",
      output: list(record),
      ...(page === undefined ? {} : { web: { page, uses } }),
      async run(context) {
        const printed = context.out.list(await fetch(context), columns, { unlimited });
        await (explain === undefined ? printed : printed.catch((error: unknown) => explain(error, context)));
      },
    });
}
