import type { Args } from "../command/args.ts";
import { type Flags, toggle } from "../command/flags.ts";
import type { CommandSpec, Scope } from "../command/spec.ts";
import type { Ending } from "../failure/exit-codes.ts";
import { UsageError } from "../failure/failure.ts";
import { addressText } from "../profiles/server.ts";
import type { BaseContext, CommandContext } from "./context.ts";
import { resultShape } from "./result.ts";
import { openInBrowser } from "./web.ts";

/** A command: its declaration and the function that runs it. */
export interface Command extends CommandSpec {
  /** Runs the command. Returns the name of the exit code; undefined is success. */
  readonly run: (context: CommandContext<Scope, Args, Flags>) => Promise<Ending | undefined>;
}

/** The web page of what a command views or lists. */
interface WebPage<C, K extends string> {
  /** The path below the server's address: `/mara/harbor/pulls`. */
  readonly page: (context: C) => string | Promise<string>;
  /** The flags that select what is on the page; the others cannot be used with --web. */
  readonly uses?: readonly K[];
}

interface Declaration<S extends Scope, A extends Args, F extends Flags>
  extends Omit<CommandSpec, "args" | "flags" | "on" | "exclusive"> {
  readonly on: S;
  readonly args?: A;
  readonly flags?: F;
  readonly exclusive?: readonly (readonly (keyof F & string)[])[];
  /** The web page of what is viewed or listed: the command has the flag --web then. */
  readonly web?: WebPage<CommandContext<S, A, F>, keyof F & string>;
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  readonly run: (context: CommandContext<S, A, F>) => Promise<Ending | void>;
}

/** The types of a command without arguments or flags. */
type NoArgs = Readonly<Record<never, never>>;
type NoFlags = Readonly<Record<never, never>>;

/** Declares a command. `run` receives its arguments and flags with their types. */
export function defineCommand<S extends Scope, const A extends Args = NoArgs, const F extends Flags = NoFlags>({
  web,
  ...declaration
}: Declaration<S, A, F>): Command {
  const declared = { args: {}, flags: {}, ...declaration } as unknown as Command;
  const { result } = declared;
  const command = result === undefined ? declared : { ...declared, output: resultShape(declared, result) };
  return web === undefined ? command : withWeb(command, web as unknown as WebPage<BaseContext, string>);
}

/** A command that opens its page with `--web`, and then does nothing else. */
function withWeb(command: Command, { page, uses = [] }: WebPage<BaseContext, string>): Command {
  const others = Object.keys(command.flags).filter((key) => !uses.includes(key));
  const isFree = Object.values(command.flags).every(({ short }) => short !== "w");
  return {
    ...command,
    flags: {
      ...command.flags,
      web: toggle("open the web page in the browser", { opensBrowser: true, ...(isFree ? { short: "w" } : {}) }),
    },
    exclusive: [...(command.exclusive ?? []), ...others.map((key) => [key, "web"])],
    async run(context) {
      if ((context.flags as { readonly web?: unknown }).web !== true) return command.run(context);
      // Every command with a page has a server.
      const onServer = context as unknown as BaseContext;
      if (onServer.out.records) throw new UsageError("--web cannot be used with --json, --jsonl, --csv or --jq");
      const address = addressText((await onServer.choose()).base) + (await page(onServer));
      await openInBrowser(address, onServer);
      return undefined;
    },
  };
}
