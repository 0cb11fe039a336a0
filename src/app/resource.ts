import { many, one } from "../command/args.ts";
import { type Flags, kebab, wholeNumber } from "../command/flags.ts";
import type { Source } from "../command/source.ts";
import type { CommandSpec } from "../command/spec.ts";
import type { Load } from "../command/table.ts";
import type { ExitName } from "../failure/exit-codes.ts";
import type { Listing } from "../http/pages.ts";
import type { Sheet } from "../output/sheet.ts";
import type { Column } from "../output/table.ts";
import { accountLabel } from "../profiles/server.ts";
import { fullName } from "../repo/repo-name.ts";
import { list as listOf, type Shape } from "../shape/shape.ts";
import { capitalized } from "../text/format.ts";
import { type BatchItem, batch } from "./batch.ts";
import type { CommandContext, RepositoryContext } from "./context.ts";
import { type Command, defineCommand } from "./define.ts";
import { changedFields } from "./fields.ts";
import { readTargets } from "./input.ts";

type On = "repository" | "server";
type MaybePromise<T> = T | Promise<T>;
type NoArgs = Readonly<Record<string, never>>;
type NoFlags = Readonly<Record<never, never>>;

/** What a verb of a resource receives: its context, and where the records are. */
export type VerbContext<S extends On, P, F extends Flags> = CommandContext<S, NoArgs, F> & { readonly place: P };

/** The records that the verbs of a noun work on; `R` is what of a record verbs for several need. */
interface Resource<S extends On, T extends R, R, P, F extends Flags> {
  readonly on: S;
  /** In the singular and the plural, for messages and the help. */
  readonly noun: readonly [one: string, many: string];
  /** The singular with its article: `an issue`. */
  readonly a: string;
  readonly record: Shape<T>;
  readonly argument: Argument;
  /** The flags of all verbs. */
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
  /** Where the records are: a repository, a level. */
  readonly place: (context: CommandContext<S, NoArgs, F>) => MaybePromise<P>;
  /** Returns what selects the record that was typed, after reading what it needs. */
  readonly select: Select<S, T, P, F>;
  /** The same for verbs for several records, if they need not be read. */
  readonly target?: Select<S, R, P, F>;
  /** A record in a message: `milestone 'v1.2'`. */
  readonly name: (record: R) => string;
  /** The place in a message: `mara/harbor`. */
  readonly where: (place: P) => string;
  /** The path of the web page of a record. */
  readonly page?: (record: R, place: P) => string;
}

type Select<S extends On, T, P, F extends Flags> = (
  context: VerbContext<S, P, F>,
) => MaybePromise<(typed: string) => MaybePromise<T>>;

/** The argument that names one record, or several. */
interface Argument {
  /** Its name in the help. */
  readonly key: string;
  readonly one: string;
  readonly many: string;
  /** Where completion finds the records. */
  readonly source?: Source;
  /** Whether it is a number, which is checked before anything is sent. */
  readonly isId?: boolean;
}

/** What each verb says for itself. */
interface Verb<G extends Flags> extends Pick<CommandSpec, "details" | "examples"> {
  readonly summary?: string;
  readonly flags?: G;
  readonly exclusive?: readonly (readonly string[])[];
  readonly exits?: Readonly<Partial<Record<ExitName, string>>>;
}

interface ListVerb<S extends On, T, P, F extends Flags, G extends Flags> extends Verb<G> {
  readonly columns: readonly Column<T>[];
  /** Throws a usage error for flags that do not fit, before anything is read. */
  readonly check?: (context: CommandContext<S, NoArgs, F & G>) => void;
  readonly fetch: (context: VerbContext<S, P, F & G>) => MaybePromise<Listing<T>>;
  /** The path of the web page of the list, and the flags that select what is on it. */
  readonly page?: (context: VerbContext<S, P, F & G>) => string;
  readonly pageUses?: readonly (keyof (F & G) & string)[];
}

interface ViewVerb<S extends On, T, P, F extends Flags, G extends Flags> extends Verb<G> {
  readonly sheet: (record: T, context: VerbContext<S, P, F & G>) => Sheet;
  /** The path of the web page, if it is not the record's. */
  readonly page?: (context: VerbContext<S, P, F & G>) => string;
}

interface EachVerb<S extends On, T, R, P, F extends Flags, G extends Flags> extends Verb<G> {
  /** Its forms: `close`, `closed`. */
  readonly verb: readonly [present: string, past: string];
  /** `destroy` asks before anything is done. */
  readonly effect: "write" | "destroy";
  /** Does it to one record, and returns what the record is afterwards, if there is one. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a deletion returns nothing
  readonly work: (record: R, context: VerbContext<S, P, F & G>) => Promise<T | void>;
  /** Selects the records of this verb, if it does so otherwise than others. */
  readonly target?: Select<S, R, P, F & G>;
  /** Called before anything is read or asked. */
  readonly before?: (context: VerbContext<S, P, F & G>) => Promise<void>;
}

interface EditVerb<S extends On, T, P, F extends Flags, G extends Flags, B> extends Verb<G> {
  /** The body of the request. Throws a usage error for values that are not valid. */
  readonly body: (context: VerbContext<S, P, F & G>) => MaybePromise<B>;
  readonly send: (record: T, body: B, context: VerbContext<S, P, F & G>) => Promise<T>;
}

/** Where the records of a repository are. */
export const inRepository = {
  on: "repository",
  place: ({ repo }: RepositoryContext) => repo,
  where: fullName,
} as const;

/** Where the records of the signed-in user are. */
export const inAccount = { on: "server", place: () => "your account", where: String } as const;

/**
 * The plain verbs of a noun from what is said of its records: each call gives what loads a command. A verb with a life of its own
 * is a command in a file of its own.
 *
 *     const milestones = resource({ on: "repository", noun: ["milestone", "milestones"], … });
 *     export const verbs: Table<Command> = { view: milestones.view({ sheet, examples }), … };
 */
export function resource<S extends On, T extends R, R, P, const F extends Flags = NoFlags>(
  of: Resource<S, T, R, P, F>,
) {
  const { noun, argument, record } = of;
  const { key, source, isId = false } = argument;
  const checked = (typed: string) => {
    if (isId) wholeNumber(typed, kebab(key).toUpperCase(), 1);
    return typed;
  };
  const options = source === undefined ? {} : { source };
  /** What every verb has besides what it says for itself. */
  const common = <G extends Flags>(flags: G | undefined, exclusive: Verb<G>["exclusive"] = []) => ({
    on: of.on,
    flags: { ...of.flags, ...flags } as F & G,
    exclusive: [...(of.exclusive ?? []), ...exclusive],
  });
  /** The context with the place of the records. */
  async function placed<C extends CommandContext<S, NoArgs, F>>(context: C): Promise<C & { readonly place: P }> {
    return { ...context, place: await of.place(context) };
  }
  const found = async (typed = "", context: VerbContext<S, P, F>) => (await of.select(context))(checked(typed));

  return {
    /** `NOUN list`: prints a table of the records. */
    list<const G extends Flags = NoFlags>(verb: ListVerb<S, T, P, F, G>): Load<Command> {
      const { columns, check, fetch, page, pageUses = [], flags, exclusive, summary, ...spec } = verb;
      return async () =>
        defineCommand<S, NoArgs, F & G>({
          ...spec,
          summary: summary ?? `List ${noun[1]}`,
          ...common(flags, exclusive),
          effect: "read",
          lists: noun,
          output: listOf(record),
          ...(page === undefined
            ? {}
            : { web: { page: async (context) => page(await placed(context)), uses: pageUses } }),
          async run(context) {
            check?.(context);
            await context.out.list(await fetch(await placed(context)), columns);
          },
        });
    },

    /** `NOUN view`: prints one record field by field. */
    view<const G extends Flags = NoFlags>(verb: ViewVerb<S, T, P, F, G>): Load<Command> {
      const { sheet, page, flags, exclusive, summary, ...spec } = verb;
      const args = { [key]: one(argument.one, options) };
      const pageOf = async (context: CommandContext<S, typeof args, F & G>) => {
        const here = await placed(context);
        if (page !== undefined) return page(here);
        const select = await (of.target ?? of.select)(here);
        return of.page?.(await select(checked(context.args[key] ?? "")), here.place) ?? "";
      };
      return async () =>
        defineCommand<S, typeof args, F & G>({
          ...spec,
          summary: summary ?? `View ${of.a}`,
          ...common(flags, exclusive),
          effect: "read",
          args,
          output: record,
          ...(page === undefined && of.page === undefined
            ? {}
            : { web: { page: pageOf, uses: Object.keys(of.flags ?? {}) } }),
          async run(context) {
            const here = await placed(context);
            await context.out.record(await found(context.args[key], here), (shown) => sheet(shown, here));
          },
        });
    },

    /** `NOUN edit`: changes one record. */
    edit<B extends Readonly<Record<string, unknown>>, const G extends Flags = NoFlags>({
      body,
      send,
      flags,
      exclusive,
      summary,
      ...spec
    }: EditVerb<S, T, P, F, G, B>): Load<Command> {
      const args = { [key]: one(argument.one, options) };
      return async () =>
        defineCommand<S, typeof args, F & G>({
          ...spec,
          summary: summary ?? `Edit ${of.a}`,
          ...common(flags, exclusive),
          effect: "write",
          args,
          output: record,
          async run(context) {
            const here = await placed(context);
            const wanted = await body(here);
            const changed = changedFields(wanted);
            const before = await found(context.args[key], here);
            const edited = await send(before, wanted, here);
            const message = `Updated ${of.name(before)} in ${of.where(here.place)} (${changed}) ${accountLabel(context.server)}`;
            await context.out.done(message, { record: edited });
          },
        });
    },

    /** A verb for one or more records, such as `NOUN delete` and `NOUN close`. */
    each<const G extends Flags = NoFlags>(verb: EachVerb<S, T, R, P, F, G>): Load<Command> {
      const {
        work,
        target = of.target ?? of.select,
        before,
        effect,
        flags,
        exclusive,
        summary,
        exits,
        verb: forms,
        ...spec
      } = verb;
      const [present, past] = forms;
      const start = capitalized(present);
      const args = { [key]: many(`${argument.many}; - reads them from stdin, one per line`, options) };
      return async () =>
        defineCommand<S, typeof args, F & G>({
          ...spec,
          summary: summary ?? `${start} ${noun[1]}`,
          ...common(flags, exclusive),
          effect,
          args,
          ...(effect === "destroy" ? {} : { output: listOf(record) }),
          exits: { ...exits, partly: `some ${noun[1]} were ${past}, some failed` },
          async run(context) {
            const targets = (await readTargets(context.args[key] ?? [], context.system)).map(checked);
            const here = await placed(context);
            const where = `${present === "delete" ? "from" : "in"} ${of.where(here.place)}`;
            await before?.(here);
            if (effect === "destroy") {
              const first = isId ? targets[0] : `'${targets[0]}'`;
              const what = targets.length === 1 ? `${noun[0]} ${first}` : `${targets.length} ${noun[1]}`;
              await context.prompt.confirmAction({ what: `${start} ${what} ${where}` });
            }
            const select = await target(here);
            const doOne = async (target: string): Promise<BatchItem> => {
              const record = await select(target);
              const after = await work(record, here);
              const message = `${capitalized(past)} ${of.name(record)} ${where} ${accountLabel(context.server)}`;
              return effect === "destroy" ? { message } : { message, record: after };
            };
            return batch(targets, doOne, context);
          },
        });
    },
  };
}
