import type { ExitName } from "../failure/exit-codes.ts";
import type { Needed, Needs } from "../forge/support.ts";
import type { Shape } from "../shape/shape.ts";
import type { Args } from "./args.ts";
import type { Flags } from "./flags.ts";

/** Whether a command reads, writes or destroys data. `destroy` prompts for confirmation. */
export type Effect = "read" | "write" | "destroy";

/** What a command works on. */
export type Scope = "repository" | "server" | "profiles" | "nothing";

/** The declaration of a command. The parser, help, completions, man pages and `tongs schema` are made from it. */
export interface CommandSpec {
  readonly summary: string;
  readonly details?: string;
  readonly args: Args;
  readonly flags: Flags;
  /** A caption and a command line. */
  readonly examples: readonly (readonly [what: string, line: string])[];
  /** The record that JSON output prints, or a list of records. Absent if the command prints none. */
  readonly output?: Shape<unknown>;
  /** What becomes of what a write is about, if the server answers with nothing: JSON prints the given names and `deleted`. */
  readonly result?: string;
  /** What a list command lists, in the singular and the plural. */
  readonly lists?: readonly [one: string, many: string];
  /** The operations that it cannot do without, if not all releases of servers have them. */
  readonly needs?: Needs;
  /** The operation that has fields of the names of flags: the help says which of them not all releases have. */
  readonly fieldsOf?: Needed;
  /** Exit codes that have a specific meaning for this command. */
  readonly exits?: Readonly<Partial<Record<ExitName, string>>>;
  /** Whether it is a monitoring plugin: it has the exit codes of one, and prints failures on stdout as UNKNOWN. */
  readonly plugin?: boolean;
  readonly effect: Effect;
  /** What a command with the effect `destroy` prompts for, if not for all that it does: `before it archives repositories`. */
  readonly prompts?: string;
  /**
   * What the command counts as among the MCP tools, if not `effect`: `write` if it writes files here, `destroy` if it can
   * send any request. `none` if it prints a secret, selects a server or repository, serves until it is interrupted, or
   * is of use on a terminal only. Commands that change what is stored on this machine are `none` unless they say otherwise.
   */
  readonly asTool?: Effect | "none";
  /** Whether it reads or writes files here even without a flag or argument that names one. */
  readonly usesFiles?: boolean;
  /** What it uses besides the API, always or with one of these flags: --sudo is refused then, which only the API has. */
  readonly external?: { readonly uses: string; readonly with?: readonly string[] };
  /** A repository and its server, a server, the stored profiles, or nothing. */
  readonly on: Scope;
  /** Of a command on the profiles: whether it uses the selected server, if no flag says otherwise. */
  readonly onSelected?: boolean;
  /** What no other process of this user does on the same server meanwhile: `importing labels`. */
  readonly alone?: string;
  /** Groups of flag keys of which at most one can be given. */
  readonly exclusive?: readonly (readonly string[])[];
}
