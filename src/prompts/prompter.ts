import { UsageError } from "../failure/failure.ts";
import { Cancelled } from "../failure/interruption.ts";
import type { Questions, System } from "../system/system.ts";

/** Prompts the user. Every prompt throws a usage error if prompts are not possible. */
export interface Prompter {
  /** Whether prompts are possible: stdin and stdout are terminals, not in CI, without `--no-input` and JSON. */
  readonly able: boolean;
  text(question: TextQuestion): Promise<string>;
  /** The input is hidden. */
  password(question: Question & { readonly check?: (value: string) => true | string }): Promise<string>;
  confirm(question: Question & { readonly default?: boolean }): Promise<boolean>;
  select<T>(question: Question & { readonly choices: readonly Choice<T>[]; readonly default?: T }): Promise<T>;
  /** Opens a text in the editor. */
  editor(question: Question & { readonly default?: string }): Promise<string>;
  /** Confirms a destructive action: by `--yes`, by answering yes, or by typing the name `typed`. */
  confirmAction(act: { readonly what: string; readonly typed?: string }): Promise<void>;
}

/** A choice of a `select` prompt. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

interface Question {
  readonly message: string;
  /** The flag to pass if prompts are not possible, for the error: `--title`. */
  readonly flag: string;
}

interface TextQuestion extends Question {
  readonly default?: string;
  /** Returns true, or an error message. */
  readonly check?: (value: string) => true | string;
}

/** The options that disable prompts or confirm them. */
export interface PromptRules {
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly records: boolean;
}

/** The prompter of a command. The prompt library is loaded on first use. */
export function openPrompter(system: System, rules: PromptRules): Prompter {
  const { env } = system;
  const ci = env["CI"] !== undefined && env["CI"] !== "" && env["CI"] !== "false";
  /** Why prompts are not possible; undefined if they are. stdin is checked last, because opening it takes time. */
  const obstacle = (): string | undefined => {
    if (rules.noInput) return "--no-input is set";
    if (rules.records) return "the output is not text";
    if (ci) return "CI is set";
    return system.stdout.isTTY === true && system.stdin.isTTY === true ? undefined : "not a terminal";
  };
  const context = () => ({ input: system.stdin, output: system.stdout.stream(), signal: system.signal });

  function requirePrompts({ flag }: Question): void {
    const reason = obstacle();
    if (reason !== undefined) throw new UsageError(`${flag} is required`, `Cannot prompt: ${reason}.`);
  }

  async function ask<T>(question: Question, run: (library: Questions) => Promise<T>): Promise<T> {
    requirePrompts(question);
    try {
      return await run(system.questions ?? (await loadQuestions()));
    } catch (error) {
      if (system.signal.aborted) throw system.signal.reason;
      if (error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError")) {
        throw new Cancelled();
      }
      throw error;
    }
  }

  const prompter: Prompter = {
    get able() {
      return obstacle() === undefined;
    },
    text: (question) =>
      ask(question, ({ input }) =>
        input(
          {
            message: question.message,
            ...(question.default === undefined ? {} : { default: question.default }),
            ...(question.check === undefined ? {} : { validate: question.check }),
          },
          context(),
        ),
      ),
    password: (question) =>
      ask(question, ({ password }) =>
        password(
          {
            message: question.message,
            mask: "*",
            ...(question.check === undefined ? {} : { validate: question.check }),
          },
          context(),
        ),
      ),
    confirm: (question) =>
      ask(question, ({ confirm }) =>
        confirm({ message: question.message, default: question.default ?? false }, context()),
      ),
    select: (question) =>
      ask(question, ({ select }) =>
        select(
          {
            message: question.message,
            choices: question.choices.map((choice) => ({ ...choice })),
            ...(question.default === undefined ? {} : { default: question.default }),
          },
          context(),
        ),
      ),
    async editor(question) {
      requirePrompts(question);
      return (await import("./editor.ts")).editText(system, question.default ?? "");
    },
    async confirmAction({ what, typed }) {
      if (rules.yes) return;
      const flag = "--yes";
      const reason = obstacle();
      if (reason !== undefined) throw new UsageError(`${what}: --yes is required`, `Cannot prompt: ${reason}.`);
      if (typed === undefined) {
        if (!(await prompter.confirm({ message: `${what}?`, flag }))) throw new Cancelled();
        return;
      }
      const check = (value: string) => value === typed || `Type ${typed} to confirm, or press Ctrl-C.`;
      await prompter.text({ message: `${what}. Type ${typed} to confirm:`, flag, check });
    },
  };
  return prompter;
}

/** Imports only the prompts in use, so that the bundle omits the others. */
async function loadQuestions(): Promise<Questions> {
  const { confirm, input, password, select } = await import("@inquirer/prompts");
  return { confirm, input, password, select };
}
