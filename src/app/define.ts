import type { Args } from "../command/args.ts";
import type { Flags } from "../command/flags.ts";
import type { CommandSpec, Scope } from "../command/spec.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import type { CommandContext } from "./context.ts";

/** A command: its declaration and the function that runs it. */
export interface Command extends CommandSpec {
  /** Whether the command records its writes itself, in a journal of its own. */
  readonly ownJournal?: boolean;
  /** Runs the command. Returns the name of the exit code; undefined is success. */
  readonly run: (context: CommandContext<Scope, Args, Flags>) => Promise<ExitName | undefined>;
}

interface Declaration<S extends Scope, A extends Args, F extends Flags>
  extends Omit<CommandSpec, "args" | "flags" | "on" | "exclusive"> {
  readonly on: S;
  readonly args?: A;
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
  readonly ownJournal?: boolean;
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  readonly run: (context: CommandContext<S, A, F>) => Promise<ExitName | void>;
}

/** The types of a command without arguments or flags. */
type NoArgs = Readonly<Record<never, never>>;
type NoFlags = Readonly<Record<never, never>>;

/** Declares a command. `run` receives its arguments and flags with their types. */
export function defineCommand<S extends Scope, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  declaration: Declaration<S, A, F>,
): Command {
  return { args: {}, flags: {}, ...declaration } as unknown as Command;
}
