import { createInterface, type Interface } from "node:readline";
import type { Questions, System } from "../system/system.ts";
import { safeLine } from "../text/safe.ts";

/**
 * Prompts without redrawing, for TERM=dumb and screen readers (TONGS_ACCESSIBLE): a question is one line, choices are
 * numbered, and an answer is a line. Passwords are still read by the library, which hides them.
 */
export function numberedQuestions(system: System, password: Questions["password"]): Questions {
  let reader: Interface | undefined;

  /** Prints a text and reads a line. Throws what inquirer throws at the end of the input. */
  function ask(text: string): Promise<string> {
    system.stdout.write(text);
    reader ??= createInterface({ input: system.stdin, terminal: false });
    const lines = reader;
    lines.resume();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        lines.off("line", onLine);
        lines.off("close", onClose);
        system.signal.removeEventListener("abort", onAbort);
        lines.pause();
        settle();
      };
      const onLine = (line: string) => end(() => resolve(line.trim()));
      const onClose = () => end(() => reject(cancelled()));
      const onAbort = () => end(() => reject(cancelled()));
      lines.once("line", onLine);
      lines.once("close", onClose);
      system.signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Asks until `read` returns an answer in place of a problem. */
  async function until<T>(text: string, read: (line: string) => Answer<T> | Promise<Answer<T>>): Promise<T> {
    for (;;) {
      const answer = await read(await ask(text));
      if ("value" in answer) return answer.value;
      system.stdout.write(`${answer.problem}\n`);
    }
  }

  const numbers = (choices: readonly Listed<unknown>[]) =>
    choices.map(({ name }, index) => `  ${index + 1}. ${safeLine(name)}\n`).join("");

  function chooseOne<T>(message: string, all: readonly unknown[], preferred?: unknown): Promise<T> {
    const choices = listed<T>(all);
    const chosen = choices.findIndex(({ value }) => value === preferred);
    const fallback = chosen < 0 ? "" : ` (${chosen + 1})`;
    return until(`${message}\n${numbers(choices)}Number${fallback} `, (line) =>
      oneOf(choices, line === "" && chosen >= 0 ? String(chosen + 1) : line),
    );
  }

  function chooseMany<T>(message: string, all: readonly unknown[]): Promise<T[]> {
    const choices = listed<T>(all);
    return until(`${message}\n${numbers(choices)}Numbers, separated by commas (empty for none) `, (line) => {
      const typed = line.split(/[\s,]+/).filter((word) => word !== "");
      const found = typed.map((word) => oneOf(choices, word));
      const wrong = found.find((answer) => "problem" in answer);
      if (wrong !== undefined && "problem" in wrong) return wrong;
      return { value: found.flatMap((answer) => ("value" in answer ? [answer.value] : [])) };
    });
  }

  return {
    password,
    input: (config) =>
      until(`${config.message}${config.default === undefined ? "" : ` (${config.default})`} `, async (line) => {
        const value = line === "" ? (config.default ?? "") : line;
        const verdict = (await config.validate?.(value)) ?? true;
        return verdict === true ? { value } : { problem: verdict === false ? "Invalid value" : verdict };
      }),
    confirm: (config) =>
      until(`${config.message} ${config.default === false ? "(y/N)" : "(Y/n)"} `, (line) => {
        if (line === "") return { value: config.default !== false };
        if (/^y(es)?$/i.test(line)) return { value: true };
        return /^no?$/i.test(line) ? { value: false } : { problem: "Answer y or n." };
      }),
    select: (config) => chooseOne(config.message, config.choices, config.default),
    checkbox: (config) => chooseMany(config.message, config.choices),
    search: async (config) =>
      chooseOne(config.message, await config.source(undefined, { signal: new AbortController().signal })),
  };
}

type Answer<T> = { readonly value: T } | { readonly problem: string };

interface Listed<T> {
  readonly name: string;
  readonly value: T;
}

function listed<T>(choices: readonly unknown[]): Listed<T>[] {
  return choices.filter((one): one is Listed<T> => {
    return typeof one === "object" && one !== null && "value" in one && "name" in one && typeof one.name === "string";
  });
}

function oneOf<T>(choices: readonly Listed<T>[], line: string): Answer<T> {
  const choice = /^\d+$/.test(line) ? choices[Number(line) - 1] : undefined;
  return choice === undefined ? { problem: `Type a number from 1 to ${choices.length}.` } : { value: choice.value };
}

function cancelled(): Error {
  return Object.assign(new Error("The prompt was cancelled"), { name: "ExitPromptError" });
}
