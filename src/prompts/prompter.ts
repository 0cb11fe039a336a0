import { UsageError } from "../failure/failure.ts";
import { Cancelled } from "../failure/interruption.ts";
import type { Operation } from "../forge/operation.ts";
import { undoRemark } from "../forge/undo.ts";
import { startDrawing } from "../system/drawing.ts";
import { drawingStream } from "../system/drawing-stream.ts";
import { isLineByLine } from "../system/surface.ts";
import type { Questions, System } from "../system/system.ts";
import { safe, safeLine } from "../text/safe.ts";
import { wrapQuestion } from "./wrap-question.ts";

/** Prompts the user. Every prompt throws a usage error if prompts are not possible. */
export interface Prompter {
  /** Whether prompts are possible: stdin and stdout are terminals, not in CI, without `--no-input` and JSON. */
  readonly able: boolean;
  text(question: TextQuestion): Promise<string>;
  /** The input is hidden. Throws a usage error if several lines are pasted: only the first would be the answer. */
  password(question: Question & { readonly check?: (value: string) => true | string }): Promise<string>;
  confirm(question: Question & { readonly default?: boolean }): Promise<boolean>;
  select<T>(question: Question & { readonly choices: readonly Choice<T>[]; readonly default?: T }): Promise<T>;
  /** Selects any number of choices. For lists of a server use `pickMany` (src/app/pick.ts). */
  selectMany<T>(question: Question & { readonly choices: readonly CheckedChoice<T>[] }): Promise<readonly T[]>;
  /** Selects one choice; typing filters them. For lists of a server use `pickOne` (src/app/pick.ts). */
  search<T>(question: Question & { readonly find: (typed: string) => readonly Choice<T>[] }): Promise<T>;
  /** Opens a text in the editor. `keptBy` is the flag that takes a text that was kept (default: that of the question's flag). */
  editor(question: Question & { readonly default?: string; readonly keptBy?: string }): Promise<string>;
  /** Confirms a destructive action: by `--yes`, by answering yes, or by typing the name `typed`. */
  confirmAction(act: Action): Promise<void>;
}

/** A destructive action. */
export interface Action {
  readonly what: string;
  readonly typed?: string;
  /** The operation that does it, which says whether it can be undone; undefined for none, or several. */
  readonly sends: Pick<Operation, "undo"> | undefined;
}

/** A choice of a `select` prompt. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
}

/** A choice of a `selectMany` prompt. */
export interface CheckedChoice<T> extends Choice<T> {
  /** Whether it is selected at the start. */
  readonly checked?: boolean;
}

/** The lines of a list that are shown at a time. */
const pageSize = 12;

/** A question. */
export interface Question {
  readonly message: string;
  /** The flag to pass if prompts are not possible, for the error: `--title`. */
  readonly flag: string;
}

interface TextQuestion extends Question {
  readonly default?: string;
  /** Throws a usage error if several lines are pasted, as for a password, instead of taking the first. */
  readonly whole?: boolean;
  /** Returns true, or an error message. It may ask the server. */
  readonly check?: (value: string) => true | string | Promise<true | string>;
}

/** The options that disable prompts or confirm them. */
export interface PromptRules {
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly records: boolean;
  /** Called when somebody was asked, which takes any time. */
  readonly onAsked?: () => void;
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
  const context = () => ({ input: system.stdin, output: drawingStream(system.stdout), signal: system.signal });

  function requirePrompts({ flag }: Question): void {
    const reason = obstacle();
    if (reason !== undefined) throw new UsageError(`${flag} is required`, `Cannot prompt: ${reason}.`);
  }

  let numbered: Promise<Questions> | undefined;
  const openQuestions = (): Promise<Questions> => {
    if (!isLineByLine(env)) return loadQuestions();
    numbered ??= Promise.all([import("./numbered.ts"), loadQuestions()]).then(([library, { password }]) =>
      library.numberedQuestions(system, password),
    );
    return numbered;
  };

  async function ask<T>(question: Question, run: (library: Questions) => Promise<T>): Promise<T> {
    requirePrompts(question);
    const endDrawing = startDrawing(system.stderr);
    try {
      return await run(system.questions ?? (await openQuestions()));
    } catch (error) {
      if (system.signal.aborted) throw system.signal.reason;
      if (error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError")) {
        throw new Cancelled();
      }
      throw error;
    } finally {
      endDrawing();
      rules.onAsked?.();
    }
  }

  /**
   * Runs a prompt for one line. Terminals send what is pasted at once, and the library leaves out all after the first
   * line break: a truncated paste must not be accepted.
   */
  async function askOneLine(question: Question, run: (library: Questions) => Promise<string>): Promise<string> {
    requirePrompts(question);
    let isCut = false;
    const look = (typed: string | Uint8Array) => {
      const [, rest] = /[\r\n](.*)$/s.exec(typeof typed === "string" ? typed : Buffer.from(typed).toString()) ?? [];
      if (rest !== undefined) isCut = rest.trim() !== "";
    };
    const answer = await ask(question, async (library) => {
      system.stdin.on("data", look);
      try {
        return await run(library);
      } finally {
        system.stdin.off("data", look);
      }
    });
    if (isCut)
      throw new UsageError("The answer has several lines, but a prompt takes only one", `Pass ${question.flag}.`);
    return answer;
  }

  const prompter: Prompter = {
    get able() {
      return obstacle() === undefined;
    },
    text: (question) =>
      (question.whole === true ? askOneLine : ask)(question, async ({ input }) => {
        const { message, default: suggested, check } = question;
        const shown = suggested === undefined ? undefined : safeLine(suggested);
        /** What the answer stands for: the default may have been shown with pictures. */
        const meant = (answer: string) => (suggested !== undefined && answer === shown ? suggested : answer);
        const answer = await input(
          {
            message: wrapQuestion(message, shown === undefined ? "" : `(${shown}) `, system),
            ...(shown === undefined ? {} : { default: shown }),
            ...(check === undefined
              ? {}
              : { validate: async (typed: string) => shownVerdict(await check(meant(typed))) }),
          },
          context(),
        );
        return meant(answer);
      }),
    password: (question) =>
      askOneLine(question, ({ password }) => {
        const { message, check } = question;
        const validate = check === undefined ? {} : { validate: (typed: string) => shownVerdict(check(typed)) };
        return password({ message: wrapQuestion(message, "", system), mask: "*", ...validate }, context());
      }),
    confirm: (question) =>
      ask(question, ({ confirm }) =>
        confirm(
          { message: wrapQuestion(question.message, "(Y/n) Yes", system), default: question.default ?? false },
          context(),
        ),
      ),
    select: (question) =>
      ask(question, ({ select }) =>
        select(
          {
            message: wrapQuestion(question.message, longest(question.choices), system),
            choices: question.choices.map(shownChoice),
            ...(question.default === undefined ? {} : { default: question.default }),
            pageSize,
          },
          context(),
        ),
      ),
    selectMany: (question) =>
      ask(question, ({ checkbox }) =>
        checkbox(
          {
            message: wrapQuestion(question.message, "", system),
            choices: question.choices.map(shownChoice),
            pageSize,
            loop: false,
          },
          context(),
        ),
      ),
    search: (question) =>
      ask(question, ({ search }) =>
        search(
          {
            message: wrapQuestion(question.message, "", system),
            source: (typed = "") => question.find(typed).map(shownChoice),
            pageSize,
            theme: { style: { keysHelpTip } },
          },
          context(),
        ),
      ),
    async editor(question) {
      requirePrompts(question);
      const endDrawing = startDrawing(system.stderr);
      try {
        const { flag, keptBy = flag === "--title" ? "--recover" : `${flag}-file` } = question;
        return await (await import("./editor.ts")).editText(system, question.default ?? "", keptBy);
      } finally {
        endDrawing();
        rules.onAsked?.();
      }
    },
    async confirmAction({ what, typed, sends }) {
      if (rules.yes) return;
      const flag = "--yes";
      const reason = obstacle();
      if (reason !== undefined)
        throw new UsageError(
          `--yes is required to ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
          `Cannot prompt: ${reason}.`,
        );
      const remark = undoRemark(sends?.undo);
      const final = remark === undefined ? "" : ` (${remark})`;
      if (typed === undefined) {
        if (!(await prompter.confirm({ message: `${what}${final}?`, flag }))) throw new Cancelled();
        return;
      }
      const check = (value: string) => value === typed || `Type ${typed} to confirm, or press Ctrl-C.`;
      await prompter.text({ message: `${what}${final}. Type ${typed} to confirm`, flag, check });
    },
  };
  return prompter;
}

/** The longest name of a choice: the chosen one is shown behind the message. */
function longest(choices: readonly Choice<unknown>[]): string {
  return choices.reduce((found, { name }) => (name.length > found.length ? name : found), "");
}

/** The keys of a `search` prompt. */
function keysHelpTip(keys: readonly (readonly [key: string, action: string])[]): string {
  return [["type", "filter"], ...keys].map((pair) => pair.join(" ")).join(" • ");
}

/** A choice as it is shown: its name can come from a server. */
function shownChoice<C extends Choice<unknown>>(choice: C): C {
  const { name, description } = choice;
  return {
    ...choice,
    name: safeLine(name),
    ...(description === undefined ? {} : { description: safeLine(description) }),
  };
}

/** The verdict on an answer, as it is shown. */
function shownVerdict(verdict: true | string): true | string {
  return verdict === true ? true : safe(verdict);
}

/** Imports only the prompts in use, so that the bundle omits the others. */
async function loadQuestions(): Promise<Questions> {
  const { checkbox, confirm, input, password, search, select } = await import("@inquirer/prompts");
  return { checkbox, confirm, input, password, search, select };
}
