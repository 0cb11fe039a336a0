import type { Args } from "../command/args.ts";
import type { Flags } from "../command/flags.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { Load } from "../command/table.ts";
import type { Done } from "../output/output.ts";
import { accountLabel } from "../profiles/server.ts";
import type { Action } from "../prompts/prompter.ts";
import { batch } from "./batch.ts";
import type { CommandContext } from "./context.ts";
import { type Command, defineCommand } from "./define.ts";
import type { NoArgs, NoFlags, On } from "./resource-verbs.ts";

/** What was done, and what is printed of it. */
interface Result extends Done {
  /** `Renamed branch main to trunk in mara/harbor`: the account and the server follow, unless nothing was changed. */
  readonly done: string;
  /** What is said after it. */
  readonly notes?: readonly string[];
}

/** The declaration of a write. */
interface Declared<S extends On, A extends Args, F extends Flags>
  extends Pick<
    CommandSpec,
    "summary" | "details" | "examples" | "asTool" | "needs" | "fieldsOf" | "exits" | "output" | "result"
  > {
  readonly on: S;
  readonly args?: A;
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
}

/** One write: its declaration, and what does it. */
interface WriteCommand<S extends On, A extends Args, F extends Flags> extends Declared<S, A, F> {
  /** What to confirm, if something is destroyed: `Delete your avatar`. */
  readonly asks?: (context: CommandContext<S, A, F>) => Action;
  /** Throws a usage error for arguments and flags that do not fit. */
  readonly work: (context: CommandContext<S, A, F>) => Promise<Result>;
}

/** What loads a command that writes one thing and says so, and is no verb of a resource. */
export function writeCommand<S extends On, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  of: WriteCommand<S, A, F>,
): Load<Command> {
  const { asks, work, ...spec } = of;
  return async () =>
    defineCommand<S, A, F>({
      ...spec,
      effect: asks === undefined ? "write" : "destroy",
      async run(context) {
        if (asks !== undefined) await context.prompt.confirmAction(asks(context));
        const { done, notes = [], ...result } = await work(context);
        await context.out.done(result.unchanged ? done : `${done} ${accountLabel(context.server)}`, result);
        for (const note of notes) context.out.note(note);
      },
    });
}

/** The same write for each of several targets. */
interface BatchCommand<S extends On, T, A extends Args, F extends Flags> extends Declared<S, A, F> {
  /** Reads the targets. Throws a usage error before anything is sent. */
  readonly targets: (context: CommandContext<S, A, F>) => Promise<readonly T[]>;
  /** The number of targets at a time, if not that of `batch`. */
  readonly jobs?: number;
  /** The name of a target in messages, if it is not its text. */
  readonly name?: (target: T) => string;
  /** What to confirm, if something is destroyed. */
  readonly asks?: (targets: readonly T[], context: CommandContext<S, A, F>) => Action;
  readonly work: (target: T, context: CommandContext<S, A, F>) => Promise<Result>;
}

/** What loads a command that does the same for several targets, and is no verb of a resource. */
export function batchCommand<S extends On, T, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  of: BatchCommand<S, T, A, F>,
): Load<Command> {
  const { targets, name = String, jobs, asks, work, ...spec } = of;
  return async () =>
    defineCommand<S, A, F>({
      ...spec,
      effect: asks === undefined ? "write" : "destroy",
      async run(context) {
        const given = await targets(context);
        if (asks !== undefined) await context.prompt.confirmAction(asks(given, context));
        const one = async (target: T) => {
          const { done, ...result } = await work(target, context);
          return { ...result, message: result.unchanged ? done : `${done} ${accountLabel(context.server)}` };
        };
        return batch(given, one, context, { name, ...(jobs && { jobs }) });
      },
    });
}
