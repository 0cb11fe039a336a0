import type { ExitName } from "../failure/exit-codes.ts";
import type { Shape } from "../shape/shape.ts";
import type { Args } from "./args.ts";
import type { Flags } from "./flags.ts";

/** What a command does to the world: scripts, confirmation and the machine contract go by it. */
export type Effect = "read" | "write" | "destroy";

/** What a command needs to know before it can run. */
export type Scope = "repository" | "server" | "profiles" | "nothing";

/** A command as data. Parser, help, completions, man pages and `tongs schema` are made from this alone. */
export interface CommandSpec {
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
}
