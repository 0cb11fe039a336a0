import type { Arg, ArgOptions, Args, ArgValues } from "../command/args.ts";
import type { Flags } from "../command/flags.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import type { Operation } from "../forge/operation.ts";
import type { Listing } from "../http/pages.ts";
import type { Sheet } from "../output/sheet.ts";
import type { Column } from "../output/table.ts";
import type { Shape } from "../shape/shape.ts";
import type { CommandContext } from "./context.ts";
import type { Unchanged } from "./result.ts";

/** What a noun of plain verbs is on. */
export type On = "repository" | "server";
export type MaybePromise<T> = T | Promise<T>;
export type NoArgs = Readonly<Record<never, never>>;
export type NoFlags = Readonly<Record<never, never>>;

/** What a verb of a resource receives: its context, and where the records are. */
export type VerbContext<S extends On, A extends Args, P, F extends Flags> = CommandContext<S, A, F> & {
  readonly place: P;
};

/** The records that the verbs of a noun work on; `R` is what of a record verbs for several need. */
export interface Resource<S extends On, T, R, A extends Args, P, F extends Flags> {
  readonly on: S;
  /** In the singular and the plural, for messages and the help. */
  readonly noun: readonly [one: string, many: string];
  /** The singular with its article: `an issue`. */
  readonly a: string;
  readonly record: Shape<T>;
  readonly argument: Argument<A>;
  /** The arguments of all verbs, before the one that names the record: what the records belong to. */
  readonly args?: A;
  /** The flags of all verbs. */
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
  /** Where the records are: a repository, a level, a team. */
  readonly place: (context: CommandContext<S, A, F>) => MaybePromise<P>;
  /** Reads the record that was typed. `view` and `edit` need it. */
  readonly get?: (typed: string, context: VerbContext<S, A, P, F>) => MaybePromise<T & R>;
  /** Returns what selects the record that was typed, if several are selected from what is read once. */
  readonly select?: Select<S, T & R, A, P, F>;
  /** The same for other verbs, if the record need not be read. */
  readonly target?: Select<S, R, A, P, F>;
  /** The same for verbs for several, each once, where two texts can name the same one. Nothing is sent. */
  readonly read?: (typed: readonly string[], context: CommandContext<S, A, F>) => Promise<readonly R[]>;
  /** What `read` read, in the error of one of several: `mara/harbor#12` (its name). */
  readonly targetName?: (record: R) => string;
  /** A record in a message: `milestone 'v1.2'`. */
  readonly name: (record: R) => string;
  /** The place in a message: `mara/harbor`. Nothing is said of a place without a name. */
  readonly where: (place: P) => string;
  /** The path of the web page of a record. */
  readonly page?: (record: R, place: P) => string;
}

export type Select<S extends On, T, A extends Args, P, F extends Flags> = (
  context: VerbContext<S, A, P, F>,
) => MaybePromise<(typed: string) => MaybePromise<T>>;

/** The argument that names one record, or several. */
interface Argument<A extends Args> extends ArgOptions {
  /** Its name in the help. */
  readonly key: string;
  readonly one: string;
  readonly many: string;
  /** Whether it is a number, which is checked before anything is sent. */
  readonly isId?: boolean;
  /** Throws a usage error for what cannot name a record, before anything is sent. */
  readonly check?: (typed: string, args: ArgValues<A>) => void;
}

/** What each verb says for itself. */
export interface Verb<G extends Flags>
  extends Pick<CommandSpec, "details" | "examples" | "asTool" | "needs" | "fieldsOf"> {
  readonly summary?: string;
  readonly flags?: G;
  readonly exclusive?: readonly (readonly string[])[];
  readonly exits?: Readonly<Partial<Record<ExitName, string>>>;
}

export interface ListVerb<S extends On, T, A extends Args, B extends Args, P, F extends Flags, G extends Flags>
  extends Verb<G> {
  /** What it lists, if that has a name of its own: `followed users`. */
  readonly lists?: readonly [one: string, many: string];
  readonly columns: readonly Column<T>[];
  /** An argument of the list alone, such as another repository. */
  readonly args?: B;
  /** Throws a usage error for flags that do not fit, before anything is read. */
  readonly check?: (context: CommandContext<S, A & B, F & G>) => void;
  readonly fetch: (context: VerbContext<S, A & B, P, F & G>) => MaybePromise<Listing<T>>;
  /** The path of the web page of the list, and the flags that select what is on it. The place is read only if it is needed. */
  readonly page?: (context: CommandContext<S, A & B, F & G>, place: () => Promise<P>) => MaybePromise<string>;
  readonly pageUses?: readonly (keyof (F & G) & string)[];
}

export interface ViewVerb<S extends On, T, A extends Args, P, F extends Flags, G extends Flags> extends Verb<G> {
  readonly sheet: (record: T, context: VerbContext<S, A, P, F & G>) => Sheet;
  /** Printed in place of the sheet, and as it is. */
  readonly plain?: (record: T, context: VerbContext<S, A, P, F & G>) => string | undefined;
  /** What is viewed if the argument is left out, which is `""` then. */
  readonly absent?: string;
  /** The path of the web page, if the record need not be read for it. */
  readonly page?: (
    context: CommandContext<S, A, F & G>,
    place: () => Promise<P>,
    typed: string,
  ) => MaybePromise<string>;
}

export interface CheckVerb<S extends On, T, R, A extends Args, P, F extends Flags, G extends Flags> extends Verb<G> {
  readonly summary: string;
  readonly holds: (record: R, context: VerbContext<S, A, P, F & G>) => Promise<boolean>;
  /** Reads what a server also answers 404 for if it does not exist, which is an error. */
  readonly exists?: (record: R, context: VerbContext<S, A, P, F & G>) => Promise<unknown>;
  /** Reads the record, which JSON output prints if it is there. If it is not, an unknown one is an error. */
  readonly record?: (record: R, context: VerbContext<S, A, P, F & G>) => Promise<T>;
  /** The answer in a sentence. */
  readonly says: (record: R, holds: boolean, context: VerbContext<S, A, P, F & G>) => string;
  readonly exits: Readonly<Record<"ok" | "failure", string>>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a deletion returns nothing
type After<U> = U | (() => Promise<U>) | Unchanged | void;

export interface EachVerb<S extends On, R, A extends Args, P, F extends Flags, G extends Flags, U> extends Verb<G> {
  /** What it sends, if it destroys: it asks before anything is done, and the question says whether that can be undone. */
  readonly sends?: Operation;
  /** Its forms: `close`, `closed`. */
  readonly verb: readonly [present: string, past: string];
  /** Does it to one record, and returns what the record is afterwards, if there is one, or how to read it. */
  readonly work: (record: R, context: VerbContext<S, A, P, F & G>) => Promise<After<NoInfer<U>>>;
  /** What the record afterwards is, if not one of the noun's. */
  readonly output?: Shape<U>;
  /** Whether there is no record to print; there is none after what destroys, unless this is false. */
  readonly leavesNothing?: boolean;
  /** What became of it then, if it is not the past form of the verb. */
  readonly result?: string;
  /** How many are worked on at a time, where the server does not take eight. */
  readonly jobs?: number;
  /** What one was already, if it is not the past form of the verb: `open`. */
  readonly already?: string | ((context: VerbContext<S, A, P, F & G>) => string);
  /** What is said of one, if it is not `Closed NAME in PLACE`. `after`: what it is afterwards, if `work` returned that. */
  readonly says?: (
    name: string,
    where: string,
    context: VerbContext<S, A, P, F & G>,
    record: R,
    after: NoInfer<U> | undefined,
  ) => string;
  /** Selects the records of this verb, if it does so otherwise than others. */
  readonly target?: Select<S, R, A, P, F & G>;
  /** Its argument, if it need not be given, and the targets that it means. */
  readonly argument?: Arg<readonly string[]>;
  readonly targets?: (typed: readonly string[], context: CommandContext<S, A, F & G>) => Promise<readonly string[]>;
  /** What it does besides, after "which": part of the question, or a warning. The records are selected before. */
  readonly remark?: (records: readonly R[]) => string | undefined;
  /** Called before anything is read or asked. */
  readonly before?: (context: VerbContext<S, A, P, F & G>) => Promise<void>;
}

export interface CreateVerb<S extends On, T, A extends Args, B extends Args, P, F extends Flags, G extends Flags, X>
  extends Verb<G> {
  /** Its forms, if it is not `create`. */
  readonly verb?: readonly [present: string, past: string];
  /** The arguments after those of all verbs. */
  readonly args?: B;
  /** The body of the request. Throws a usage error for values that are not valid. */
  readonly body: (context: VerbContext<S, A & B, P, F & G>) => MaybePromise<X>;
  readonly send: (body: X, context: VerbContext<S, A & B, P, F & G>) => Promise<T>;
  /** What is printed of the new record: its address or its ID. */
  readonly prints: (record: T, context: VerbContext<S, A & B, P, F & G>) => string | number;
}

export interface EditVerb<S extends On, T, A extends Args, P, F extends Flags, G extends Flags, B> extends Verb<G> {
  /** The body of the request. Throws a usage error for values that are not valid. */
  readonly body: (context: VerbContext<S, A, P, F & G>) => MaybePromise<B>;
  readonly send: (record: T, body: B, context: VerbContext<S, A, P, F & G>) => Promise<T>;
  /** The names of what the body changes, for messages, if not those of its fields. Throws a usage error if there are none. */
  readonly names?: (body: B) => readonly string[];
}
