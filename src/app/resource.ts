import { type Args, type ArgValues, many, one, optional } from "../command/args.ts";
import { type Flags, kebab, wholeNumber } from "../command/flags.ts";
import type { Load } from "../command/table.ts";
import { accountLabel } from "../profiles/server.ts";
import { fullName } from "../repo/repo-name.ts";
import { list as listOf } from "../shape/shape.ts";
import { atStart, capitalized } from "../text/format.ts";
import { type BatchItem, batch } from "./batch.ts";
import type { CommandContext, RepositoryContext } from "./context.ts";
import { type Command, defineCommand } from "./define.ts";
import { doneEdit } from "./done-edit.ts";
import { changedNames, editedText } from "./fields.ts";
import { readTargets } from "./input.ts";
import { listCommand } from "./list-command.ts";
import type {
  CheckVerb,
  CreateVerb,
  EachVerb,
  EditVerb,
  ListVerb,
  NoArgs,
  NoFlags,
  On,
  Resource,
  Select,
  Verb,
  ViewVerb,
} from "./resource-verbs.ts";
import { Unchanged } from "./result.ts";

/** Where the records of a repository are. */
export const inRepository = {
  on: "repository",
  place: ({ repo }: RepositoryContext) => repo,
  where: fullName,
} as const;

/** Where records are that a whole server has. */
export const inServer = { on: "server", place: () => "", where: String } as const;

/** Where the records of the signed-in user are. */
export const inAccount = { on: "server", place: () => "your account", where: String } as const;

/** How the place follows a verb: `from mara/harbor`. */
const prepositions: Readonly<Record<string, string>> = { delete: "from", remove: "from", add: "to" };

/**
 * The plain verbs of a noun from what is said of its records: each call gives what loads a command. A verb with a life of its own
 * is a command in a file of its own.
 *
 *     const milestones = resource({ on: "repository", noun: ["milestone", "milestones"], … });
 *     export const verbs: Table<Command> = { view: milestones.view({ sheet, examples }), … };
 */
export function resource<S extends On, T, R, P, const A extends Args = NoArgs, const F extends Flags = NoFlags>(
  of: Resource<S, T, R, A, P, F>,
) {
  const { noun, argument, record } = of;
  const { key, one: named, many: namedMany, isId = false, check, ...options } = argument;
  /** What every verb has besides what it says for itself. */
  const common = <G extends Flags>(flags: G | undefined, exclusive: Verb<G>["exclusive"] = []) => ({
    on: of.on,
    flags: { ...of.flags, ...flags } as F & G,
    exclusive: [...(of.exclusive ?? []), ...exclusive],
  });
  /** The context of a verb, with the types of its arguments: those of all verbs and its own. */
  function ownArgs<B extends Args, G extends Flags>(context: CommandContext<S, Args, F & G>) {
    return context as unknown as CommandContext<S, A & B, F & G> & CommandContext<S, A, F>;
  }
  /** The context of a verb, with the place of the records. */
  async function placed<B extends Args, G extends Flags>(context: CommandContext<S, Args, F & G>) {
    return { ...ownArgs<B, G>(context), place: await placeOf(context) };
  }
  async function placeOf<G extends Flags>(context: CommandContext<S, Args, F & G>): Promise<P> {
    return of.place(ownArgs(context));
  }
  const checked = (typed: unknown, { args }: { readonly args: unknown }) => {
    const value = String(typed ?? "");
    if (isId) wholeNumber(value, kebab(key).toUpperCase(), 1);
    check?.(value, args as ArgValues<A>);
    return value;
  };
  const { get } = of;
  const select: Select<S, T & R, A, P, F> =
    of.select ??
    ((context) => (typed) => {
      if (get === undefined) throw new TypeError(`The ${noun[0]} of a verb cannot be selected`);
      return get(typed, context);
    });
  const find: Select<S, R, A, P, F> = of.target ?? select;
  const oneArgument: Args = { ...of.args, [key]: one(named, options) };
  const manyArgument: Args = {
    ...of.args,
    [key]: many(namedMany, { ...options, dash: "lines" }),
  };

  return {
    /** `NOUN list`: prints a table of the records. */
    list<const B extends Args = NoArgs, const G extends Flags = NoFlags>(
      verb: ListVerb<S, T, A, B, P, F, G>,
    ): Load<Command> {
      const { check, fetch, page, args, flags, exclusive, summary, ...spec } = verb;
      return listCommand<S, T, Args, F & G>({
        lists: noun,
        ...spec,
        summary: summary ?? `List ${noun[1]}`,
        ...common(flags, exclusive),
        args: { ...of.args, ...args },
        record,
        ...(page === undefined ? {} : { page: (context) => page(ownArgs<B, G>(context), () => placeOf(context)) }),
        async fetch(context) {
          check?.(ownArgs<B, G>(context));
          return fetch(await placed<B, G>(context));
        },
      });
    },

    /** `NOUN view`: prints one record field by field. */
    view<const G extends Flags = NoFlags>(verb: ViewVerb<S, T, A, P, F, G>): Load<Command> {
      const { sheet, plain, absent, page, flags, exclusive, summary, ...spec } = verb;
      const pageOf = async (context: CommandContext<S, Args, F & G>) => {
        if (page !== undefined) return page(ownArgs(context), () => placeOf(context), String(context.args[key] ?? ""));
        const here = await placed(context);
        const found = await (await find(here))(checked(context.args[key], context));
        return of.page?.(found, here.place) ?? "";
      };
      return async () =>
        defineCommand<S, Args, F & G>({
          ...spec,
          summary: summary ?? `View ${of.a}`,
          ...common(flags, exclusive),
          effect: "read",
          args:
            absent === undefined
              ? oneArgument
              : { ...of.args, [key]: optional(`${named} (default: ${absent})`, options) },
          output: record,
          ...(page === undefined && of.page === undefined
            ? {}
            : { web: { page: pageOf, uses: Object.keys(of.flags ?? {}) } }),
          async run(context) {
            const typed = checked(context.args[key], context);
            const here = await placed(context);
            const found = await (await select(here))(typed);
            const text = context.out.records ? undefined : plain?.(found, here);
            if (text !== undefined) return context.out.text(text);
            return context.out.record(found, (shown) => sheet(shown, here));
          },
        });
    },

    /** `NOUN check`: the exit code tells whether a record is in the place. */
    check<const G extends Flags = NoFlags>(verb: CheckVerb<S, T, R, A, P, F, G>): Load<Command> {
      const { holds, exists, record: read, says, flags, exclusive, ...spec } = verb;
      return async () =>
        defineCommand<S, Args, F & G>({
          ...spec,
          ...common(flags, exclusive),
          effect: "read",
          args: oneArgument,
          ...(read === undefined ? {} : { output: listOf(record) }),
          async run(context) {
            const { out } = context;
            const typed = checked(context.args[key], context);
            const here = await placed(context);
            const target = await (await find(here))(typed);
            const held = await holds(target, here);
            const found = held && !out.records ? undefined : await read?.(target, here);
            if (!held) await exists?.(target, here);
            if (out.records && read !== undefined) await out.items(held ? [found] : []);
            else out.note(says(target, held, here));
            return held ? undefined : "failure";
          },
        });
    },

    /** `NOUN create`: makes one record. */
    create<X extends object, const B extends Args = NoArgs, const G extends Flags = NoFlags>(
      verb: CreateVerb<S, T & R, A, B, P, F, G, X>,
    ): Load<Command> {
      const { verb: [present, past] = ["create", "created"], ...own } = verb;
      const { body, send, prints, args, flags, exclusive, summary, ...spec } = own;
      return async () =>
        defineCommand<S, Args, F & G>({
          ...spec,
          summary: summary ?? `${capitalized(present)} ${of.a}`,
          ...common(flags, exclusive),
          effect: "write",
          args: { ...of.args, ...args },
          output: record,
          async run(context) {
            const here = await placed<B, G>(context);
            const wanted = await body(here);
            const created = await send(wanted, here);
            const done = `${capitalized(past)} ${of.name(created)}${at(present, here.place)}`;
            const message = `${done} ${accountLabel(context.server)}`;
            await context.out.done(message, {
              prints: prints(created, here),
              record: created,
              what: of.name(created),
            });
          },
        });
    },

    /** `NOUN edit`: changes one record. */
    edit<B extends Readonly<Record<string, unknown>>, const G extends Flags = NoFlags>(
      verb: EditVerb<S, T & R, A, P, F, G, B>,
    ): Load<Command> {
      const { body, send, names: namesOf = changedNames, flags, exclusive, summary, ...spec } = verb;
      return async () =>
        defineCommand<S, Args, F & G>({
          ...spec,
          summary: summary ?? `Edit ${of.a}`,
          ...common(flags, exclusive),
          effect: "write",
          args: oneArgument,
          output: record,
          async run(context) {
            const typed = checked(context.args[key], context);
            const here = await placed(context);
            const wanted = await body(here);
            const names = namesOf(wanted);
            const before = await (await select(here))(typed);
            const edited = await send(before, wanted, here);
            const what = of.name(edited);
            const said = `${editedText(noun[0], of.name(before), what)}${at("edit", here.place)}`;
            await doneEdit(context, { said, names, what, record: edited });
          },
        });
    },

    /** A verb for one or more records, such as `NOUN delete`, `NOUN close` and `NOUN add`. */
    each,

    /** `NOUN delete`: deletes one or more records. */
    delete: <const G extends Flags = NoFlags, U = T>(verb: Omit<EachVerb<S, R, A, P, F, G, U>, "verb">) =>
      each({ verb: ["delete", "deleted"], ...verb }),
  };

  function each<const G extends Flags = NoFlags, U = T>(verb: EachVerb<S, R, A, P, F, G, U>): Load<Command> {
    const { work, target = find, before, sends, jobs, says, already, leavesNothing, result, ...rest } = verb;
    const { verb: forms, argument: own, targets, flags, exclusive, summary, exits, output, remark, ...spec } = rest;
    const [present, past] = forms;
    const effect = sends === undefined ? "write" : "destroy";
    const start = capitalized(present);
    const hasRecord = !(leavesNothing ?? effect === "destroy");
    return async () =>
      defineCommand<S, Args, F & G>({
        ...spec,
        summary: summary ?? `${start} ${noun[1]}`,
        ...common(flags, exclusive),
        effect,
        args: own === undefined ? manyArgument : { ...of.args, [key]: own },
        ...(hasRecord ? { output: listOf<unknown>(output ?? record) } : { result: result ?? past }),
        exits: { ...exits, partly: `some ${noun[1]} were ${past}, some failed` },
        async run(context) {
          const typed = context.args[key] as readonly string[];
          const given = await of.read?.(typed, ownArgs(context));
          const read = () => targets?.(typed, ownArgs(context)) ?? readTargets(typed, context.system, argument.source);
          const names = given?.map(of.name) ?? (await read()).map((one) => checked(one, context));
          const here = await placed(context);
          const where = at(present, here.place);
          await before?.(here);
          const selected = remark === undefined ? undefined : await target(here);
          if (sends !== undefined) {
            const first = isId ? names[0] : `'${names[0]}'`;
            const one = given === undefined ? `${noun[0]} ${first}` : names[0];
            const what = names.length === 1 ? one : `${names.length} ${noun[1]}`;
            const does = selected && remark?.(await selectable(names, selected));
            if (does !== undefined && (context.options.yes || context.options.dryRun)) context.out.warn(`This ${does}`);
            const which = does === undefined ? "" : `, which ${does}`;
            await context.prompt.confirmAction({ what: `${start} ${what}${where}${which}`, sends });
          }
          const doOne = async (record: R): Promise<BatchItem> => {
            const after = await work(record, here);
            if (after instanceof Unchanged) return { ...after, unchanged: true };
            const name = of.name(record);
            const now = typeof after === "function" ? undefined : (after as U | undefined);
            const said =
              says?.(name, of.where(here.place), here, record, now) ?? `${capitalized(past)} ${name}${where}`;
            const message = `${said} ${accountLabel(context.server)}`;
            const so = typeof already === "function" ? already(here) : (already ?? past);
            const was =
              present === "remove"
                ? `${atStart(name)} is not in ${of.where(here.place)}`
                : `${atStart(name)} was already ${so}${where}`;
            return hasRecord ? { message, already: was, record: after } : { message, already: was };
          };
          const atATime = jobs === undefined ? {} : { jobs };
          if (given !== undefined) return batch(given, doOne, context, { ...atATime, name: of.targetName ?? of.name });
          const select = selected ?? (await target(here));
          return batch(names, async (name) => doOne(await select(name)), context, atATime);
        },
      });
  }

  /** The records that can be selected: the others fail one by one. */
  async function selectable(names: readonly string[], select: (typed: string) => R | Promise<R>): Promise<R[]> {
    const found = await Promise.allSettled(names.map(async (name) => select(name)));
    return found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** ` in mara/harbor`: the place, after a verb. */
  function at(present: string, place: P): string {
    const where = of.where(place);
    return where === "" ? "" : ` ${prepositions[present] ?? "in"} ${where}`;
  }
}
