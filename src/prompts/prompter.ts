import { UsageError } from "../failure/failure.ts";
import { Cancelled } from "../failure/interruption.ts";
import type { Questions, System } from "../system/system.ts";

/** Asks a person. Every question throws a usage error where nobody can be asked. */
export interface Prompter {
  /** Whether a person can be asked: both ends are terminals, not in CI, no `--no-input`, no JSON. */
  readonly able: boolean;
  text(question: TextQuestion): Promise<string>;
  /** Hidden while typed. */
  password(question: Question & { readonly check?: (value: string) => true | string }): Promise<string>;
  confirm(question: Question & { readonly default?: boolean }): Promise<boolean>;
  select<T>(question: Question & { readonly choices: readonly Choice<T>[]; readonly default?: T }): Promise<T>;
  /** A long text, in the person's own editor. */
  editor(question: Question & { readonly default?: string }): Promise<string>;
  /** Makes sure that a destructive act is meant: `--yes`, or a yes, or for severe ones the name typed. */
  confirmAction(act: { readonly what: string; readonly typed?: string }): Promise<void>;
}

/** One choice of a list. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

interface Question {
  readonly message: string;
  /** What to pass instead, named in the error when nobody can be asked: `--title`. */
  readonly flag: string;
}

interface TextQuestion extends Question {
  readonly default?: string;
  /** True, or what is wrong. */
  readonly check?: (value: string) => true | string;
}

/** When a person may be asked. */
export interface PromptRules {
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly records: boolean;
}

/** The prompter of one command. The prompt library is loaded with the first question. */
export function openPrompter(system: System, rules: PromptRules): Prompter {
  const { env } = system;
  const ci = env["CI"] !== undefined && env["CI"] !== "" && env["CI"] !== "false";
  // In this order, and only when it matters: opening stdin takes time that most commands can do without.
  const isAble = () =>
    !rules.noInput && !rules.records && !ci && system.stdout.isTTY === true && system.stdin.isTTY === true;
  const context = () => ({ input: system.stdin, output: system.stdout.stream(), signal: system.signal });

  function refuseUnlessAble(question: Question): void {
    if (isAble()) return;
    throw new UsageError(`${question.flag} is missing`, "Nobody can be asked here; pass it on the command line.");
  }

  async function ask<T>(question: Question, run: (library: Questions) => Promise<T>): Promise<T> {
    refuseUnlessAble(question);
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
      return isAble();
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
      refuseUnlessAble(question);
      return (await import("./editor.ts")).editText(system, question.default ?? "");
    },
    async confirmAction({ what, typed }) {
      if (rules.yes) return;
      const flag = "--yes";
      if (!isAble()) throw new UsageError(`${what} needs --yes`, "Nobody can be asked here.");
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

/** The prompts in use alone, so that the bundle leaves the others out. */
async function loadQuestions(): Promise<Questions> {
  const { confirm, input, password, select } = await import("@inquirer/prompts");
  return { confirm, input, password, select };
}
