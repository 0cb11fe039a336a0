import type { CommandContext, Scope } from "../context.ts";
import type { Shape } from "../forge/records/shape.ts";
import type { Args, ArgValues } from "./args.ts";
import type { ExitName } from "./exit-codes.ts";
import type { Flags, FlagValues } from "./flags.ts";

/** What a command does to the world: scripts, confirmation and the machine contract go by it. */
export type Effect = "read" | "write" | "destroy";

/** A command as data. Parser, help, completions, man pages and `tongs schema` are made from this alone. */
export interface Command {
  readonly summary: string;
  readonly details?: string;
  readonly args: Args;
  readonly flags: Flags;
  /** What it does, and the command line that does it. */
  readonly examples: readonly (readonly [what: string, line: string])[];
  /** The record that JSON output prints; a list of it for listings. Absent where there is none. */
  readonly output?: Shape<unknown>;
  /** Exit codes with a meaning of their own here, beyond those any command can end with. */
  readonly exits?: Readonly<Partial<Record<ExitName, string>>>;
  readonly effect: Effect;
  /** What it works on: a repository (and its server), a server, the profiles of this machine, or nothing of these. */
  readonly on: Scope;
  /** Keys of flags of which at most one may be given. */
  readonly exclusive?: readonly (readonly string[])[];
  /** Runs it; a returned name is the exit code, nothing means success. */
  readonly run: (context: CommandContext<Scope, Args, Flags>) => Promise<ExitName | undefined>;
}

interface Declaration<S extends Scope, A extends Args, F extends Flags>
  extends Omit<Command, "args" | "flags" | "on" | "run" | "exclusive"> {
  readonly on: S;
  readonly args?: A;
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  readonly run: (context: CommandContext<S, A, F>) => Promise<ExitName | void>;
}

/** No arguments, no flags: nothing to read. */
type NoArgs = Readonly<Record<never, never>>;
type NoFlags = Readonly<Record<never, never>>;

/** Declares a command. The types of its arguments and flags flow into `run`. */
export function defineCommand<S extends Scope, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  declaration: Declaration<S, A, F>,
): Command {
  return { args: {}, flags: {}, ...declaration } as unknown as Command;
}

export type { ArgValues, FlagValues };
