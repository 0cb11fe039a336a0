import type { Args } from "../command/args.ts";
import type { Flags } from "../command/flags.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { Load } from "../command/table.ts";
import type { Sheet } from "../output/sheet.ts";
import type { Shape } from "../shape/shape.ts";
import type { CommandContext } from "./context.ts";
import { type Command, defineCommand } from "./define.ts";
import type { MaybePromise, NoArgs, NoFlags, On } from "./resource-verbs.ts";

/** A view of one record: its declaration, and what fetches it. */
interface ViewCommand<S extends On, T, A extends Args, F extends Flags>
  extends Pick<CommandSpec, "summary" | "details" | "examples" | "needs" | "exits"> {
  readonly on: S;
  readonly record: Shape<T>;
  readonly args?: A;
  readonly flags?: F;
  readonly fetch: (context: CommandContext<S, A, F>) => Promise<T>;
  readonly sheet?: (record: T, context: CommandContext<S, A, F>) => Sheet;
  /** Printed in place of the sheet, and as it is. */
  readonly plain?: (record: T) => string;
  /** The path of the web page. */
  readonly page?: (context: CommandContext<S, A, F>) => MaybePromise<string>;
}

/** What loads a command that prints one record, field by field or as a text, and is no verb of a resource. */
export function viewCommand<S extends On, T, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  of: ViewCommand<S, T, A, F>,
): Load<Command> {
  const { record, fetch, sheet, plain, page, ...spec } = of;
  return async () =>
    defineCommand<S, A, F>({
      ...spec,
      effect: "read",
      output: record,
      ...(page === undefined ? {} : { web: { page } }),
      async run(context) {
        const found = await fetch(context);
        if (plain !== undefined && !context.out.records) return context.out.text(plain(found));
        await context.out.record(found, (shown) => sheet?.(shown, context) ?? { fields: [] });
      },
    });
}
